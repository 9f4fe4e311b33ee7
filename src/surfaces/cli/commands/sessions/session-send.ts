// cadre session send: sends a text to the agent as one paste and one Enter, or not at all.
import { type Run, textFrom, textOption } from '../../context.ts';
import { performOnSession } from '../../session-command.ts';

export const run: Run = async (context, given) => {
  const [on = '', words] = given.arguments;
  const text = (await textFrom(context, words, textOption(given, 'file'))) ?? '';
  return performOnSession(context, { do: 'session-send', on, input: { text } });
};
