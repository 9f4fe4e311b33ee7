// cadre session switch: another program in the same terminal and worktree; what is uncommitted stays as it is.
import { ROLES } from '../../../../signals/registry.ts';
import { splitCommand } from '../../../../text/command-line.ts';
import { showName } from '../../../../text/show.ts';
import { type Run, refuse, textOption } from '../../context.ts';
import { promptFrom, sessionNamed, takeSessionStep } from '../../session.ts';

/** The other two are for those of whom nothing is known. */
const OFFERED = ROLES.filter((role) => role !== 'outside' && role !== 'unknown');

export const run: Run = async (context, given) => {
  const app = context.app();
  const entry = sessionNamed(await app.gateway.look(), given.arguments[0] ?? '');
  const prompt = await promptFrom(context, given.arguments[1], textOption(given, 'promptFile'));
  const wanted = textOption(given, 'role');
  const role = wanted === undefined ? entry.role : OFFERED.find((one) => one === wanted);
  if (role === undefined)
    return refuse(
      context,
      'unknown-role',
      `There is no role "${showName(wanted ?? '')}". Roles are ${OFFERED.join(', ')}.`,
    );
  const typed = textOption(given, 'program');
  const command = typed === undefined ? { program: entry.program, flags: entry.flags } : splitCommand(typed);
  if (command === undefined)
    return refuse(
      context,
      'bad-program',
      `"${showName(typed ?? '')}" names no program: it is empty or has an open quote.`,
    );
  if (!app.isInstalled(command.program))
    return refuse(
      context,
      'no-program',
      `"${showName(command.program)}" is not installed. Install it, or choose another.`,
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
