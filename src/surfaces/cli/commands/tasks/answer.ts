// cadre answer: answers the question of a task.
import { performOnSubject } from '../../action-command.ts';
import { type Run, refuse, textFrom, textOption } from '../../context.ts';

export const run: Run = async (context, given) => {
  const [on, words] = given.arguments;
  const file = textOption(given, 'file');
  if (words !== undefined && file !== undefined)
    return refuse(context, 'two-answers', 'The answer is given twice, as words and as a file. Leave one out.');
  const text = (await textFrom(context, words, file)) ?? '';
  return performOnSubject(context, { do: 'answer', on, input: { text } });
};
