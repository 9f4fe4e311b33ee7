// cadre session resume: starts the same program again, in the same worktree and branch.
import { type Run, textFrom, textOption } from '../../context.ts';
import { performOnSession } from '../../session-command.ts';

export const run: Run = async (context, given) => {
  const [on = '', words] = given.arguments;
  const prompt = (await textFrom(context, words, textOption(given, 'promptFile'))) ?? '';
  return performOnSession(context, { do: 'session-resume', on, input: { prompt } });
};
