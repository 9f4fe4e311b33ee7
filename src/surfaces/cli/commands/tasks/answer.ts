// cadre answer: answers the question of a task, or questions of a planner.

import { viewPlan } from '../../../../core/views/plan.ts';
import { viewRecord } from '../../../../core/views/record.ts';
import { readAnswerForm, writeAnswerForm } from '../../../../core/views/workshop/answer-form.ts';
import { showLines } from '../../../../text/show.ts';
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
import { type ReferenceWithText, referenceWithText } from '../../reference.ts';
import { answeredLines } from '../../text/workshop-lines.ts';

export const run: Run = async (context, given) => {
  const { on = '', text: words } = answerWords(given);
  const file = textOption(given, 'file');
  if (words !== undefined && file !== undefined)
    return refuse(context, 'two-answers', 'The answer is given both as words and as a file. Leave one out.');
  const question = on === '' ? undefined : await context.app().planningQuestion(on);
  if (question !== undefined) return answerPlanner(context, { ...given, arguments: [on, words] }, question);
  const text = (await textFrom(context, words, file)) ?? '';
  return performOnSubject(context, { do: 'answer', on: on === '' ? undefined : on, input: { text } });
};

/** A number behind a plan is an answer, unless the answer follows it. */
function answerWords(given: Given): ReferenceWithText {
  const [on, text, more] = given.arguments;
  return more === undefined ? { on, text } : referenceWithText(given);
}

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
  if (file !== undefined) return sendForm(context, entry, (await textFrom(context, undefined, file)) ?? '');
  if (open.length === 0) return refuse(context, 'no-text', `${plan}: the planner has no open question.`);
  const empty = writeAnswerForm(plan, open);
  const form = await context.edit(empty);
  if (form === undefined)
    return refuse(context, 'no-text', `Which question of ${plan}? Name one, or give a file with all answers.`);
  if (form.trim() === empty.trim()) return refuse(context, 'no-text', 'Nothing was answered.');
  const code = await sendForm(context, entry, form);
  // It is in no file.
  if (code === EXIT.refused) context.say(`\nYou wrote:\n\n${showLines(form.trimEnd())}`);
  return code;
}

async function sendForm(
  context: Context,
  { plan, workshop }: PlannersQuestion['entry'],
  form: string,
): Promise<ExitCode> {
  const open = workshop.questions.filter(({ state }) => state === 'open');
  const { answers, mistake } = readAnswerForm(form, open);
  if (mistake === undefined && answers.length > 0) return send(context, plan, answers);
  const names = open.map(({ id }) => `[${id}]`).join(', ');
  const how =
    open.length === 0 ? 'No question is open.' : `Write each answer below the name of its question: ${names}.`;
  return refuse(context, 'no-text', `${mistake ?? `No answer was given for ${plan}.`} ${how}`);
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
