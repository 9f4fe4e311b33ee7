// cadre session pause: its program is stopped, what it left is committed, and its worktree is given back.
import type { Run } from '../../context.ts';
import { sessionNamed, takeSessionStep } from '../../session.ts';

export const run: Run = async (context, given) => {
  const { by, gateway } = context.app();
  const { id: session } = sessionNamed(await gateway.look(), given.arguments[0] ?? '');
  return takeSessionStep(context, { kind: 'session-pause', by, session });
};
