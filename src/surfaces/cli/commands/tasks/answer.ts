// cadre answer: what a run has asked is answered, and it goes on, or not.
import { refusedToAgent, takeAct } from '../../act.ts';
import { type Run, refuse, textOption } from '../../context.ts';
import { type TaskTarget, taskMeant } from '../../find-task.ts';
import { promptFrom } from '../../session.ts';

export const run: Run = async (context, given) => {
  const no = refusedToAgent(context, 'answer');
  if (no !== undefined) return no;
  const [id, words] = given.arguments;
  const meant = await taskMeant(context.app(), { ...given, arguments: [id] });
  const file = textOption(given, 'file');
  if (words !== undefined && file !== undefined)
    return refuse(context, 'two-answers', 'The answer is given twice, in words and as a file. Leave one out.');
  const text = await promptFrom(context, words, file);
  if (text.trim() === '' && meant.task.run?.state === 'QUESTION')
    return refuse(
      context,
      'no-text',
      `Say the answer to ${meant.entry.plan}#${meant.task.address}: in words, or with --file <file>.`,
    );
  return takeAct(context, meant, 'answer', decision(meant, text));
};

/** The words that decide a check-in may be typed in small letters; in other answers they are words like any. */
function decision({ task }: TaskTarget, text: string): string {
  if (task.run?.question?.kind !== 'check-in') return text;
  return text.replace(/^\s*(continue|pivot|escalate|abandon)\b/i, (word) => word.toUpperCase());
}
