// cadre back: to the implementer, from wherever the work is looked at.
import { refusedToAgent, takeAct } from '../../act.ts';
import type { Run } from '../../context.ts';
import { feedbackFrom } from '../../feedback.ts';
import { taskMeant } from '../../find-task.ts';

export const run: Run = async (context, given) =>
  refusedToAgent(context, 'back') ??
  takeAct(context, await taskMeant(context.app(), given), 'back', await feedbackFrom(context, given));
