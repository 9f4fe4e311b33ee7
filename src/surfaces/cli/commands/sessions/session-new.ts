// cadre session new: starts an agent program in its own worktree and terminal.
import { type Run, textFrom, textOption } from '../../context.ts';
import { performOnSession } from '../../session-command.ts';

export const run: Run = async (context, given) => {
  const program = textOption(given, 'program');
  const title = textOption(given, 'title');
  const env = (textOption(given, 'env') ?? '').split(',').filter((name) => name !== '');
  const prompt = (await textFrom(context, given.arguments[0], textOption(given, 'promptFile'))) ?? '';
  const [role, plan] = [textOption(given, 'role'), textOption(given, 'plan')];
  const chosen = {
    ...(program === undefined ? {} : { program }),
    ...(title === undefined ? {} : { title }),
    ...(role === undefined ? {} : { role }),
    ...(plan === undefined ? {} : { plan }),
  };
  return performOnSession(context, { do: 'session-new', input: { prompt, env, ...chosen } });
};
