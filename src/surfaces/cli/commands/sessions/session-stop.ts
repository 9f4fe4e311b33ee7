// cadre session stop: its program is stopped for certain; its worktree and branch stay.
import type { Run } from '../../context.ts';
import { sessionNamed, takeSessionStep } from '../../session.ts';

export const run: Run = async (context, given) => {
  const { by, gateway } = context.app();
  const { id: session } = sessionNamed(await gateway.look(), given.arguments[0] ?? '');
  return takeSessionStep(context, { kind: 'session-stop', by, session });
};
