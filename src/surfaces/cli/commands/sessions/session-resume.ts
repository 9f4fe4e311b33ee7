// cadre session resume: the same program again, in the same worktree and branch, going on where it was.
import { type Run, textOption } from '../../context.ts';
import { promptFrom, sessionNamed, takeSessionStep } from '../../session.ts';

export const run: Run = async (context, given) => {
  const { by, gateway } = context.app();
  const { id: session } = sessionNamed(await gateway.look(), given.arguments[0] ?? '');
  const prompt = await promptFrom(context, given.arguments[1], textOption(given, 'promptFile'));
  return takeSessionStep(context, { kind: 'session-resume', by, session, prompt });
};
