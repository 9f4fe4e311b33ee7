// Opens and follows workshops: shows what happens, asks the planner's questions at the terminal, and has the plan reviewed.
import type { Done } from '../../app/actions/action.ts';
import type { FeedRequest } from '../../app/feed.ts';
import type { Call } from '../../app/perform.ts';
import type { PlanningAnswer } from '../../core/model/event.ts';
import type { WorkshopQuestion } from '../../core/model/workshop/entry.ts';
import { isPlanning, type PlanningEntry, workshopWait } from '../../core/model/workshop/status.ts';
import { needsIn } from '../../core/views/needs.ts';
import type { Outcome } from '../../core/views/outcome.ts';
import { viewPlan } from '../../core/views/plan.ts';
import { viewRecord } from '../../core/views/record.ts';
import type { PlanFile } from '../../plan/name.ts';
import { slugOf } from '../../plan/name.ts';
import { showLines } from '../../text/show.ts';
import { performAnd } from './action-command.ts';
import { answer, type Context, EXIT, type ExitCode, jsonLine } from './context.ts';
import { needJson, needLines } from './text/needs-lines.ts';
import {
  adviceLines,
  approvedLines,
  openedLines,
  planLines,
  questionLines,
  workshopLine,
} from './text/workshop-lines.ts';

type WorkshopAction = 'plan-new' | 'plan-continue' | 'plan-settle' | 'plan-redo';

/** A decision that lets the planner go on. */
export function decideInWorkshop<Name extends WorkshopAction>(context: Context, call: Call<Name>): Promise<ExitCode> {
  return performAnd(context, call, (done) => {
    const { world, record, notes } = done;
    const plan = planOf(done);
    answer(context, { plan: viewPlan(world, plan), record: record === null ? null : viewRecord(record), notes }, [
      ...openedLines(plan, false),
    ]);
    return EXIT.ok;
  });
}

export async function openWorkshop(
  context: Context,
  call: Call<'plan-new'>,
  { wait }: { readonly wait: boolean },
): Promise<ExitCode> {
  const after = await context.app().feedStart();
  return performAnd(context, call, (done) => followWorkshop(context, { plan: planOf(done), after, wait }));
}

function planOf({ plan }: Done): PlanningEntry {
  if (plan === undefined || !isPlanning(plan)) throw new Error('The action has opened no workshop.');
  return plan;
}

interface Following {
  readonly plan: PlanningEntry;
  readonly after: FeedRequest['after'];
  readonly wait: boolean;
}

/** Until the plan is approved, a person has to decide something, or the person leaves. */
export async function followWorkshop(context: Context, { plan: entry, after, wait }: Following): Promise<ExitCode> {
  const app = context.app();
  const { plan } = entry;
  if (context.json) context.print(jsonLine({ planning: plan, round: entry.workshop.round }));
  else for (const line of openedLines(entry, wait)) context.print(line);
  if (!wait) return EXIT.ok;
  for (let from = after; ; ) {
    const outcome = await app.followBuild({ plan, after: from, stop: context.stop }, async (item) => {
      if (item.kind === 'record') await showRecord(context, plan, item.record);
      if (item.kind === 'warning') context.say(`! ${showLines(item.text)}`);
    });
    if (outcome === undefined) return left(context, plan);
    const kind = outcome.kind === 'no-engine' ? 'person' : outcome.kind;
    // Before the decision, so that what follows from it is shown.
    from = await app.feedStart();
    const decided = await decideHere(context, plan);
    if (decided === 'build') return buildNow(context, plan);
    if (decided === 'approved') return EXIT.ok;
    if (decided === 'nothing') return ended(context, plan, kind);
  }
}

async function showRecord(context: Context, plan: PlanFile, record: Parameters<typeof workshopLine>[1]): Promise<void> {
  if (context.json) {
    context.print(jsonLine(viewRecord(record)));
    return;
  }
  const line = workshopLine(plan, record);
  if (line !== undefined) context.print(line);
}

function left(context: Context, plan: PlanFile): ExitCode {
  if (context.json) context.print(jsonLine({ left: plan }));
  else context.say(`Planning continues in the background. "cadre plan ${slugOf(plan)}" follows it again.`);
  return EXIT.ok;
}

/** The plan is ready, or waits for a person and nobody is at the terminal to decide. */
async function ended(context: Context, plan: PlanFile, kind: Outcome['kind']): Promise<ExitCode> {
  const world = await context.app().world();
  const needs = needsIn(world, plan);
  const entry = world.plans.get(plan);
  const end = entry?.status === 'ready' ? 'ready' : kind;
  if (context.json) context.print(jsonLine({ end, plan, waiting: needs.map(needJson) }));
  else
    for (const line of end === 'ready' && entry ? approvedLines(entry) : ['', ...needLines(needs)]) context.print(line);
  return EXIT_CODES[end];
}

const EXIT_CODES = {
  ready: EXIT.ok,
  done: EXIT.ok,
  cancelled: EXIT.failed,
  person: EXIT.person,
  budget: EXIT.budget,
} as const;

/** What the person at the terminal decided: something that the workshop waited for, or to build the approved plan. */
type Decided = 'something' | 'nothing' | 'approved' | 'build';

async function decideHere(context: Context, plan: PlanFile): Promise<Decided> {
  const world = await context.app().world();
  const entry = world.plans.get(plan);
  if (context.json || entry === undefined || !isPlanning(entry)) return 'nothing';
  if (entry.workshop.state === 'review_ready') return reviewHere(context, entry);
  return workshopWait(world, entry) === 'answers' ? answerHere(context, entry) : 'nothing';
}

async function answerHere(context: Context, entry: PlanningEntry): Promise<Decided> {
  const open = entry.workshop.questions.filter(({ state }) => state === 'open');
  const answers: PlanningAnswer[] = [];
  for (const [index, question] of open.entries()) {
    for (const line of questionLines(question, index + 1, open.length)) context.print(line);
    const text = await answerTo(context, question);
    if (text === undefined) return 'nothing';
    answers.push({ question: question.id, text });
  }
  const done = await context.app().perform({ do: 'plan-answer', on: entry.plan, input: { answers } });
  if (done.kind === 'refused') context.say(done.message);
  return done.kind === 'done' ? 'something' : 'nothing';
}

/** A number chooses a suggestion. Nothing typed skips a question that is not blocking; undefined where nobody answers. */
async function answerTo(context: Context, question: WorkshopQuestion): Promise<string | null | undefined> {
  for (;;) {
    const typed = await context.prompt(question.blocking ? '> ' : '(Enter skips) > ');
    if (typed === undefined) return undefined;
    const text = typed.trim();
    const chosen = /^\d+$/.test(text) ? question.suggestions[Number(text) - 1] : undefined;
    if (text !== '') return chosen ?? text;
    if (!question.blocking) return null;
    context.print('  The plan cannot be written without an answer.');
  }
}

async function reviewHere(context: Context, entry: PlanningEntry): Promise<Decided> {
  const app = context.app();
  for (const line of [...planLines(entry), ...adviceLines(entry.workshop)]) context.print(line);
  const redo = entry.workshop.advice == null ? '' : '[r]edo it with that, ';
  const typed = await context.prompt(`Approve it? [y]es, [l]ater, ${redo}or say what has to change > `);
  const text = typed?.trim() ?? '';
  if (text === '' || /^(?:l(?:ater)?|no?)$/i.test(text)) return 'nothing';
  const isYes = /^y(?:es)?$/i.test(text);
  const isAgreed = redo !== '' && /^r(?:edo)?$/i.test(text);
  const done = isYes
    ? await app.perform({ do: 'plan-approve', on: entry.plan, input: {} })
    : await app.perform({ do: 'plan-redo', on: entry.plan, input: isAgreed ? {} : { feedback: text } });
  if (done.kind === 'refused') {
    context.say(done.message);
    return 'nothing';
  }
  if (!isYes || done.plan === undefined) return 'something';
  for (const line of approvedLines(done.plan)) context.print(line);
  return (await context.ask('Build it now?')) === true ? 'build' : 'approved';
}

async function buildNow(context: Context, plan: PlanFile): Promise<ExitCode> {
  const { run } = await import('./commands/plans/run.ts');
  return run(context, { arguments: [plan], options: {} });
}
