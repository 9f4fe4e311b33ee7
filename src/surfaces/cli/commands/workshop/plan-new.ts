// cadre plan new: opens a workshop for a brief, and follows it.
import { showLines } from '../../../../text/show.ts';
import { type Context, EXIT, type ExitCode, type Run, refuse, textFrom, textOption } from '../../context.ts';
import { performOpening } from '../../workshop-command.ts';

export const run: Run = async (context, given) => {
  const [words] = given.arguments;
  const file = textOption(given, 'briefFile') ?? (words === '-' ? '-' : undefined);
  const isTyped = words === undefined && file === undefined;
  const brief = await (isTyped ? typedBrief(context) : textFrom(context, words, file));
  if (brief === undefined || brief.trim() === '')
    return refuse(context, 'no-text', 'The brief is empty. Say what is to be built, and why.');
  const name = textOption(given, 'name');
  const input = { brief, ...(name === undefined ? {} : { name }) };
  const open = (): Promise<ExitCode> =>
    performOpening(context, { do: 'plan-new', input }, { wait: given.options.wait !== false });
  return isTyped ? keeping(context, brief, open) : open();
};

async function typedBrief(context: Context): Promise<string | undefined> {
  return (await context.edit(FORM))?.replace(/^<!--[\s\S]*?-->\s*/, '');
}

/** What was typed in the editor is in no file: where no workshop opens, the person gets it back. */
async function keeping(context: Context, brief: string, open: () => Promise<ExitCode>): Promise<ExitCode> {
  let code: ExitCode | undefined;
  try {
    code = await open();
    return code;
  } finally {
    if (code === undefined || code === EXIT.refused) context.say(`\nYour brief was:\n\n${showLines(brief.trimEnd())}`);
  }
}

const FORM = `<!--
What should be built, and why? What must stay as it is? What is out of scope?
Save and close the editor to start planning; leave the text empty to do nothing.
-->

`;
