// cadre plan open: continues the workshop of a plan, or starts one for a plan that was written without.
import { type Run, textFrom, textOption } from '../../context.ts';
import { followWorkshop, performOpening } from '../../workshop-command.ts';

export const run: Run = async (context, given) => {
  const [on = ''] = given.arguments;
  const wait = given.options.wait !== false;
  const app = context.app();
  const known = await app.planning(on);
  if (known !== undefined) return followWorkshop(context, { plan: known, after: await app.feedStart(), wait });
  const changes = (await textFrom(context, undefined, textOption(given, 'briefFile'))) ?? '';
  const { text } = await app.planText(on);
  return performOpening(context, { do: 'plan-new', on, input: { brief: briefFor(text, changes) } }, { wait });
};

function briefFor(text: string, changes: string): string {
  const what =
    changes.trim() === ''
      ? 'Work out the plan below again: check it against the code, and improve it.'
      : changes.trim();
  return `${what}\n\nThe plan as it is now:\n\n${text}`;
}
