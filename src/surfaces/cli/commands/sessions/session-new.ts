// cadre session new: an agent program in a worktree and a terminal of its own.
import { splitCommand } from '../../../../text/command-line.ts';
import { showName } from '../../../../text/show.ts';
import { type Run, refuse, textOption } from '../../context.ts';
import { promptFrom, takeSessionStep } from '../../session.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const prompt = await promptFrom(context, given.arguments[0], textOption(given, 'promptFile'));
  const { settings, problems } = await context.config().read();
  if (problems.length > 0)
    return refuse(context, 'bad-config', `${problems.join('\n')}\n"cadre config check" tells more.`);
  const typed = textOption(given, 'program') ?? settings.default_program;
  const command = splitCommand(typed);
  if (command === undefined)
    return refuse(context, 'bad-program', `"${showName(typed)}" names no program: it is empty or has an open quote.`);
  if (command.program.includes('/') && !command.program.startsWith('/'))
    return refuse(
      context,
      'bad-program',
      `"${showName(command.program)}" would be looked for in the session's worktree. Give its whole path.`,
    );
  if (!app.isInstalled(command.program))
    return refuse(
      context,
      'no-program',
      `${showName(command.program)} is not installed. Install it, choose another with --program, or for good with "cadre config set default_program <program>".`,
    );
  const title = textOption(given, 'title') ?? (prompt.trim() === '' ? command.program : firstWords(prompt));
  return takeSessionStep(context, {
    kind: 'session-new',
    by: app.by,
    title,
    role: 'unknown',
    program: command.program,
    flags: command.flags,
    env: (textOption(given, 'env') ?? '').split(',').filter((name) => name !== ''),
    prompt,
    from: app.headCommit(),
  });
};

function firstWords(prompt: string): string {
  return prompt.trim().split(/\s+/).slice(0, 6).join(' ').slice(0, 60);
}
