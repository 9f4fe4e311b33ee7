// What a person decides about a workshop at the terminal that follows it: answers, the review of the plan, and how to continue.
import type { PlanningAnswer } from '../../core/model/event.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import type { WorkshopQuestion, WorkshopWait } from '../../core/model/workshop/entry.ts';
import { isPlanning, type PlanningEntry, workshopWait } from '../../core/model/workshop/status.ts';
import type { PlanEntry } from '../../core/model/world.ts';
import { viewPlanRow } from '../../core/views/plan.ts';
import { typedAnswer } from '../../core/views/workshop/typed-answer.ts';
import { type PlanFile, slugOf } from '../../plan/name.ts';
import { showLines, showName, showText } from '../../text/show.ts';
import { type Context, forOutput } from './context.ts';
import { adviceLines, approvedLines, planLines, questionLines } from './text/workshop-lines.ts';

/** What the person decided: something that the workshop waited for, or to build the approved plan. */
type Decided = 'something' | 'nothing' | 'approved' | 'build';

export async function decideHere(context: Context, plan: PlanFile): Promise<Decided> {
  const world = await context.app().world();
  const entry = world.plans.get(plan);
  if (context.json || entry === undefined || !isPlanning(entry)) return 'nothing';
  if (entry.workshop.state === 'review_ready') return reviewHere(context, entry);
  const wait = workshopWait(world, entry);
  if (wait === undefined) return 'nothing';
  return wait === 'answers'
    ? answerHere(context, entry)
    : continueHere(context, entry, wait, viewPlanRow(world, entry).sentence);
}

/** Each answer is recorded as soon as it is typed. The planner continues with the last one that blocks, so that comes last. */
async function answerHere(context: Context, entry: PlanningEntry): Promise<Decided> {
  const open = entry.workshop.questions.filter(({ state }) => state === 'open');
  const last = open.findLast(({ blocking }) => blocking);
  const order = [...open.filter((one) => one !== last), ...(last === undefined ? [] : [last])];
  for (const [index, question] of order.entries()) {
    for (const line of questionLines(question, index + 1, order.length)) context.print(line);
    const text = await answerTo(context, question);
    if (text === undefined) return 'nothing';
    await send(context, entry.plan, { question: question.id, text });
  }
  return 'something';
}

/**
 * The optional questions of a round that asks nothing else: the planner has gone on already, and has the answer in its next
 * round.
 */
export async function askOptional(context: Context, plan: PlanFile, record: JournalRecord): Promise<void> {
  if (context.json || record.event !== 'round_finished' || record.plan !== plan) return;
  const workshop = (await context.app().world()).plans.get(plan)?.workshop;
  const change = record.changes?.find((one) => one.of === 'workshop');
  const said = change?.of === 'workshop' ? (change.says ?? []) : [];
  const asked = new Set(said.flatMap(({ kind, question }) => (kind === 'question' ? [question] : [])));
  const open = workshop?.questions.filter(({ state }) => state === 'open') ?? [];
  if (open.some(({ blocking }) => blocking)) return;
  const optional = open.filter(({ id }) => asked.has(id));
  for (const [index, question] of optional.entries()) {
    for (const line of questionLines(question, index + 1, optional.length)) context.print(line);
    const text = await answerTo(context, question);
    if (text === undefined) {
      if (!context.stop.aborted) context.print(`  cadre answer ${slugOf(plan)}#${question.id} "..."`);
      continue;
    }
    const answered = await send(context, plan, { question: question.id, text });
    if (text !== null && (answered?.workshop?.state === 'formalizing' || answered?.workshop?.state === 'review_ready'))
      context.print('  The planner is already writing the plan. Check in the review if it fits your answer.');
  }
}

async function send(context: Context, plan: PlanFile, answer: PlanningAnswer): Promise<PlanEntry | undefined> {
  const done = await context.app().perform({ do: 'plan-answer', on: plan, input: { answers: [answer] } });
  // Somebody may have answered it elsewhere.
  if (done.kind === 'refused') context.say(`  ${done.message}`);
  return done.kind === 'done' ? done.plan : undefined;
}

/** A number chooses a suggestion. Nothing typed skips a question that is not blocking; undefined where nobody answers. */
async function answerTo(context: Context, question: WorkshopQuestion): Promise<string | null | undefined> {
  dropTyped(context);
  for (;;) {
    const typed = await context.prompt(question.blocking ? '> ' : '(Enter leaves it to the planner) > ');
    if (typed === undefined) return undefined;
    const { text, isDoubtful } = typedAnswer(typed, question.suggestions);
    if (text === '' && !question.blocking) return null;
    if (text === '') {
      context.print('  The plan cannot be written without an answer.');
      continue;
    }
    if (isDoubtful && (await context.ask(`There is no suggestion ${text}. Is "${text}" your answer?`)) !== true)
      continue;
    if (text !== typed.trim()) context.print(`  ${showLines(text)}`);
    return text;
  }
}

/** The planner asks when it likes. What was typed before the question was on the screen answers something else. */
function dropTyped(context: Context): void {
  const dropped = context.dropTyped().map((line) => `"${showName(line)}"`);
  if (dropped.length > 0)
    context.say(`Typed before the question was shown, and not taken for an answer: ${dropped.join(', ')}`);
}

async function reviewHere(context: Context, entry: PlanningEntry): Promise<Decided> {
  for (const line of [...planLines(entry), ...adviceLines(entry.workshop)]) context.print(line);
  const redo = entry.workshop.advice == null ? '' : '[r]edo it with that, ';
  dropTyped(context);
  for (;;) {
    const typed = await context.prompt(`Approve it? [y]es, [s]how it, [l]ater, ${redo}or say what has to change > `);
    const text = typed?.trim() ?? '';
    if (isLater(text)) return 'nothing';
    if (/^s(?:how)?$/i.test(text)) {
      context.print(forOutput(context, (await context.app().planDraft(entry.plan)) ?? ''));
      continue;
    }
    if (/^y(?:es)?$/i.test(text)) return approveHere(context, entry);
    const isAgreed = redo !== '' && /^r(?:edo)?$/i.test(text);
    if (isAgreed || (await isMeant(context, text))) return redoHere(context, entry, isAgreed ? undefined : text);
  }
}

function isLater(text: string): boolean {
  return text === '' || /^(?:l(?:ater)?|no?)$/i.test(text);
}

/** A single word is rather a slip than a reason to plan again. */
async function isMeant(context: Context, text: string): Promise<boolean> {
  if (/\s/.test(text)) return true;
  return (await context.ask(`Plan again, with "${showName(text)}" as the reason?`)) === true;
}

async function approveHere(context: Context, { plan }: PlanningEntry): Promise<Decided> {
  const done = await context.app().perform({ do: 'plan-approve', on: plan, input: {} });
  if (done.kind === 'refused') {
    context.say(done.message);
    return 'nothing';
  }
  for (const line of done.plan === undefined ? [] : approvedLines(done.plan)) context.print(line);
  return (await context.ask('Build it now?')) === true ? 'build' : 'approved';
}

async function redoHere(context: Context, { plan }: PlanningEntry, feedback: string | undefined): Promise<Decided> {
  const input = feedback === undefined ? {} : { feedback };
  return decided(context, await context.app().perform({ do: 'plan-redo', on: plan, input }));
}

function decided(context: Context, done: { readonly kind: string; readonly message?: string }): Decided {
  if (done.kind === 'done') return 'something';
  context.say(done.message ?? '');
  return 'nothing';
}

interface Choice {
  readonly letter: string;
  readonly shown: string;
  readonly action: 'plan-settle' | 'plan-continue';
}

const CHOICES: { readonly [wait in Exclude<WorkshopWait, 'answers'>]: readonly Choice[] } = {
  rounds: [
    { letter: 'w', shown: '[w]rite the plan now', action: 'plan-settle' },
    { letter: 'm', shown: 'allow [m]ore rounds', action: 'plan-continue' },
  ],
  documents: [{ letter: 't', shown: '[t]ry again', action: 'plan-continue' }],
  planner: [{ letter: 's', shown: '[s]tart another planner', action: 'plan-continue' }],
};

/** The planner cannot continue without a decision. */
async function continueHere(
  context: Context,
  entry: PlanningEntry,
  wait: Exclude<WorkshopWait, 'answers'>,
  sentence: string,
): Promise<Decided> {
  const choices = CHOICES[wait];
  context.print(`\n${showText(sentence)}`);
  dropTyped(context);
  for (;;) {
    const shown = [...choices.map((choice) => choice.shown), '[l]ater', 'or say what has to change'].join(', ');
    const text = (await context.prompt(`${shown} > `))?.trim() ?? '';
    if (isLater(text)) return 'nothing';
    const chosen = choices.find(({ letter }) => letter === text.toLowerCase());
    if (chosen !== undefined)
      return decided(context, await context.app().perform({ do: chosen.action, on: entry.plan, input: {} }));
    if (await isMeant(context, text)) return redoHere(context, entry, text);
  }
}
