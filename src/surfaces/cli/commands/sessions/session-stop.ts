// cadre session stop: stops the program; worktree and branch stay.
import type { Run } from '../../context.ts';
import { performOnSession } from '../../session-command.ts';

export const run: Run = (context, given) =>
  performOnSession(context, { do: 'session-stop', on: given.arguments[0] ?? '', input: {} });
