// cadre session switch: another program in the same terminal and worktree; uncommitted work stays.
import { type Run, textFrom, textOption } from '../../context.ts';
import { performOnSession } from '../../session-command.ts';

export const run: Run = async (context, given) => {
  const [on = '', words] = given.arguments;
  const program = textOption(given, 'program');
  const role = textOption(given, 'role');
  const prompt = (await textFrom(context, words, textOption(given, 'promptFile'))) ?? '';
  const chosen = { ...(program === undefined ? {} : { program }), ...(role === undefined ? {} : { role }) };
  return performOnSession(context, { do: 'session-switch', on, input: { prompt, ...chosen } });
};
