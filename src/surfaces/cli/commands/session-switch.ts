// cadre session switch: another program in the same terminal and worktree; what is uncommitted stays as it is.
import { splitCommand } from '../../../agents/command-line.ts';
import { showName } from '../../../plan/name.ts';
import { asRole, ROLES } from '../../../signals/registry.ts';
import { type Run, refuse, textOption } from '../context.ts';
import { promptFrom, sessionNamed, takeSessionStep } from '../session.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const entry = sessionNamed(app.gateway.look(), given.arguments[0] ?? '');
  const prompt = await promptFrom(context, given.arguments[1], textOption(given, 'promptFile'));
  const wanted = textOption(given, 'role');
  const role = wanted === undefined ? entry.role : asRole(wanted);
  if (role === undefined)
    return refuse(
      context,
      'unknown-role',
      `There is no role "${showName(wanted ?? '')}". Roles are ${ROLES.join(', ')}.`,
    );
  const typed = textOption(given, 'program');
  const command = typed === undefined ? { program: entry.program, flags: entry.flags } : splitCommand(typed);
  if (command === undefined || !app.isInstalled(command.program))
    return refuse(
      context,
      'no-program',
      `"${showName(typed ?? entry.program)}" is not installed. Install it, or choose another.`,
    );
  return takeSessionStep(context, {
    kind: 'session-switch',
    by: app.by,
    session: entry.id,
    role,
    program: command.program,
    flags: command.flags,
    env: entry.env,
    prompt,
  });
};
