// cadre answer: answers the question of a task, or questions of a planner.

import { viewPlan } from '../../../../core/views/plan.ts';
import { viewRecord } from '../../../../core/views/record.ts';
import { readAnswerForm, writeAnswerForm } from '../../../../core/views/workshop/answer-form.ts';
import { performAnd, performOnSubject } from '../../action-command.ts';
import {
  answer,
  type Context,
  EXIT,
  type ExitCode,
  type Given,
  type Run,
  refuse,
  textFrom,
  textOption,
} from '../../context.ts';
import { answeredLines } from '../../text/workshop-lines.ts';

export const run: Run = async (context, given) => {
  const [on = '', words] = given.arguments;
  const file = textOption(given, 'file');
  if (words !== undefined && file !== undefined)
    return refuse(context, 'two-answers', 'The answer is given twice, as words and as a file. Leave one out.');
  const question = on === '' ? undefined : await context.app().planningQuestion(on);
  if (question !== undefined) return answerPlanner(context, given, question);
  const text = (await textFrom(context, words, file)) ?? '';
  return performOnSubject(context, { do: 'answer', on: given.arguments[0], input: { text } });
};

type PlannersQuestion = NonNullable<Awaited<ReturnType<ReturnType<Context['app']>['planningQuestion']>>>;

/** One question, or all that are open: from a file, or in the person's editor. */
async function answerPlanner(context: Context, given: Given, { entry, question }: PlannersQuestion): Promise<ExitCode> {
  const { plan, workshop } = entry;
  const file = textOption(given, 'file');
  const open = workshop.questions.filter(({ state }) => state === 'open');
  if (question !== undefined) {
    const isSkipped = given.options.skip === true;
    const text = isSkipped ? null : ((await textFrom(context, given.arguments[1], file)) ?? '');
    return send(context, plan, [{ question, text }]);
  }
  const form =
    file === undefined ? await context.edit(writeAnswerForm(plan, open)) : await textFrom(context, undefined, file);
  if (form === undefined)
    return refuse(context, 'no-text', `Which question of ${plan}? Name one, or give a file with all answers.`);
  return send(context, plan, readAnswerForm(form, open));
}

function send(
  context: Context,
  plan: string,
  answers: readonly { readonly question: string; readonly text: string | null }[],
): Promise<ExitCode> {
  return performAnd(
    context,
    { do: 'plan-answer', on: plan, input: { answers } },
    ({ world, plan: entry, record, notes }) => {
      if (entry === undefined || record === null) throw new Error('The answers left no record.');
      answer(context, { plan: viewPlan(world, entry), record: viewRecord(record), notes }, answeredLines(world, entry));
      return EXIT.ok;
    },
  );
}
