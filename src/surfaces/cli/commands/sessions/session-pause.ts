// cadre session pause: stops the program, commits its work and removes its worktree.
import type { Run } from '../../context.ts';
import { performOnSession } from '../../session-command.ts';

export const run: Run = (context, given) =>
  performOnSession(context, { do: 'session-pause', on: given.arguments[0] ?? '', input: {} });
