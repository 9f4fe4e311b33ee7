// cadre plan new: opens a workshop for a brief, and follows it.
import { type Context, type Given, type Run, refuse, textFrom, textOption } from '../../context.ts';
import { openWorkshop } from '../../workshop-command.ts';

export const run: Run = async (context, given) => {
  const brief = await briefFrom(context, given);
  if (brief === undefined || brief.trim() === '')
    return refuse(context, 'no-text', 'The brief is empty. Say what is to be built, and why.');
  const name = textOption(given, 'name');
  const input = { brief, ...(name === undefined ? {} : { name }) };
  return openWorkshop(context, { do: 'plan-new', input }, { wait: given.options.wait !== false });
};

/** As words, from a file or standard input, or typed in the person's editor. */
async function briefFrom(context: Context, given: Given): Promise<string | undefined> {
  const [words] = given.arguments;
  const file = textOption(given, 'briefFile') ?? (words === '-' ? '-' : undefined);
  if (words !== undefined || file !== undefined) return textFrom(context, words, file);
  const typed = await context.edit(FORM);
  return typed?.replace(/^<!--[\s\S]*?-->\s*/, '');
}

const FORM = `<!--
What should be built, and why? What must stay as it is? What is out of scope?
Save and close the editor to start planning; leave the text empty to do nothing.
-->

`;
