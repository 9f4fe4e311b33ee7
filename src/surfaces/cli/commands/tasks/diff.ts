// cadre diff: what a run, or a whole plan, has changed.
import type { Run } from '../../context.ts';
import { referenceIn } from '../../reference.ts';
import { showDiff } from '../../show-diff.ts';

export const run: Run = async (context, given) => {
  const diff = await context.app().codeDiff(referenceIn(given));
  return showDiff(context, diff, given.options.stat === true ? 'stat' : 'patch');
};
