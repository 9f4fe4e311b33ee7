// The invariants of workshops, stated independently of the rules.
import type { JournalRecord } from '../../src/core/model/record.ts';
import type { WorkshopEntry, WorkshopQuestion } from '../../src/core/model/workshop/entry.ts';
import type { PlanEntry, World } from '../../src/core/model/world.ts';
import { planWaitStatus } from '../../src/core/views/why.ts';
import { isPlannerAtWork } from './workshop.ts';

type Must = (holds: boolean, otherwise: string) => void;

interface Written {
  readonly line: JournalRecord;
  readonly entry: PlanEntry;
  readonly next: PlanEntry;
  readonly must: Must;
}

/** What a record does to a workshop. */
export function workshopRecord(written: Written): void {
  const { line, entry, next, must } = written;
  planIsReady(written);
  const [before, after] = [entry.workshop, next.workshop];
  if (before === undefined) return;
  if (after === undefined) return must(false, 'W1 a workshop disappeared');
  const isPersons = line.by === 'user';
  const moves = line.moves.flatMap((move) => (move.machine === 'workshop' ? [move] : []));
  const said = after.transcript.slice(before.transcript.length);
  must(isPrefix(before.transcript, after.transcript), 'W1 the transcript shrinks or changes');
  must(after.round >= before.round, 'W2 the round decreases');
  must(
    said.every((one) => one.round >= before.round && one.round <= after.round),
    'W2 the transcript goes back to an earlier round',
  );
  for (const { from, to } of moves)
    must(
      said.some(({ kind, content }) => kind === 'transition' && content.startsWith(`${from} -> ${to}: `)),
      `W3 ${line.event} has no reason in the transcript`,
    );
  must(after.rounds >= before.rounds || isPersons, 'W4 the budget of rounds grows without a person');
  must(after.invalid >= before.invalid || moves.length > 0 || isPersons, 'W4 invalid documents are forgotten');
  must(after.relaunches >= before.relaunches || moves.length > 0 || isPersons, 'W4 restarts are forgotten');
  documents(written, before, after);
  for (const question of before.questions) questionAfter(written, question, after);
}

function isPrefix(before: WorkshopEntry['transcript'], after: WorkshopEntry['transcript']): boolean {
  return before.every((one, index) => JSON.stringify(one) === JSON.stringify(after[index]));
}

/** C22: an agent never ends planning in a workshop, and a person only by approval, or with a plan file that exists. */
function planIsReady({ line, entry, next, must }: Written): void {
  const { workshop } = entry;
  const isReady = line.moves.some((move) => move.machine === 'plan' && move.event === 'planner_finished');
  if (workshop === undefined || !isReady) return;
  must(line.by === 'user', `C22 ${line.by} ended planning in a workshop`);
  const publishes = (line.effects ?? []).some((effect) => effect.do === 'publish-plan');
  const isApproved = workshop.state === 'review_ready' && workshop.document !== null;
  if (publishes) must(isApproved && next.workshop?.published !== null, 'C22 published what was not ready for review');
  else must(!isApproved && entry.file !== undefined, 'C22 planning ended without an approval and without a file');
}

/** Documents come from the planner that was started for them, and a plan only while it is written. */
function documents({ line, entry, must }: Written, before: WorkshopEntry, after: WorkshopEntry): void {
  const isDocument = ['round_finished', 'round_invalid', 'plan_synthesized'].includes(line.event);
  if (isDocument) {
    const { session } = before;
    must(entry.status === 'planning', 'C22 a document counts outside of planning');
    must(line.by === 'agent' && line.role === 'planner', 'C6 a document of somebody else');
    must(session?.id === line.session && session?.entered === before.entered, 'C6 a document of another planner');
  }
  if (after.document !== null && before.document === null)
    must(line.event === 'plan_synthesized' && before.state === 'formalizing', 'W5 a structured plan before its time');
  if (after.result !== null && before.result === null) must(line.event === 'round_finished', 'W5 a result of nothing');
}

/** Answers are a person's, and stay. */
function questionAfter({ line, must }: Written, before: WorkshopQuestion, { questions }: WorkshopEntry): void {
  const after = questions.find(({ id }) => id === before.id);
  if (after === undefined) return must(false, `W6 the question ${before.id} disappeared`);
  if (before.state === 'answered' || before.state === 'skipped')
    return must(JSON.stringify(before) === JSON.stringify(after), `W6 the answer to ${before.id} is lost`);
  if (after.state === 'answered' || after.state === 'skipped')
    must(line.by === 'user', `W6 ${before.id} was answered by ${line.by}`);
  if (after.state === 'skipped') must(!before.blocking, `W6 ${before.id} was skipped, and is blocking`);
  if (after.state === 'withdrawn' && before.state === 'open')
    must(line.event === 'redo', 'W6 withdrawn without a redo');
  if (before.state === 'open' && before.blocking && after.state === 'open')
    must(after.blocking, `W6 ${before.id} is no longer blocking`);
}

const MOST_INVALID = 3;

/** What holds for a workshop at rest. */
export function workshopWorld(world: World, entry: PlanEntry, must: Must): void {
  const { workshop } = entry;
  if (workshop === undefined) return;
  const { state, document, rounds, invalid, relaunches, result, session } = workshop;
  const { budgets } = world.policy;
  must((state === 'review_ready') === (document !== null), `W5 ${state} with${document === null ? 'out' : ''} a plan`);
  must(rounds <= (budgets.rounds ?? 0), 'W4 more rounds than allowed');
  must(invalid <= MOST_INVALID, 'W4 more invalid documents than allowed');
  must(relaunches <= budgets.relaunches, 'W4 more restarts than allowed');
  const isOpen = workshop.questions.some((one) => one.state === 'open' && one.blocking);
  must(!isOpen || result !== null, 'W6 it continues although a blocking question is open');
  if (entry.status !== 'planning')
    return must(session === null || !isPlannerAtWork(world, entry), 'C4 planner outside of planning');
  must(state !== 'draft', 'W7 a draft is left alone');
  ownedWorkshop(world, entry, must);
}

/** Somebody has the next step and can take it. */
function ownedWorkshop(world: World, entry: PlanEntry, must: Must): void {
  const { owner, suggestions, deadline } = planWaitStatus(world, entry);
  const isStopped = world.frozen || world.paused || entry.paused === true;
  if (owner === 'user') must(suggestions.length > 0, 'C8 a person has the next step of the workshop, and no way');
  else if (owner === 'planner') {
    must(isPlannerAtWork(world, entry), 'C7 the planner has the next step and does not work');
    must(deadline !== null && deadline.leadsTo !== 'remind', 'C7 the planner has no deadline');
  } else must(isStopped, `C7 ${owner} has the next step of the workshop and does nothing`);
}

/** What the view offers to a person, and what the rules accept: see DECISIONS. */
export function missingDecisions(world: World, entry: PlanEntry, accepted: ReadonlySet<string>): readonly string[] {
  if (entry.status !== 'planning' || entry.workshop === undefined) return [];
  const offered = new Set<string>(planWaitStatus(world, entry).suggestions.map((one) => one.do));
  const empty = ['plan-approve', 'plan-continue', 'plan-settle', 'plan-redo', 'answer'].filter(
    (action) => offered.has(action) && !accepted.has(action),
  );
  const missing = ['plan-approve', 'plan-continue', 'plan-settle'].filter(
    (action) => accepted.has(action) && !offered.has(action),
  );
  return [
    ...empty.map((action) => `C8 "${action}" is offered, but refused`),
    ...missing.map((action) => `C8 "${action}" is accepted, but not offered`),
    // Whatever happens, a person can have it planned again.
    ...(accepted.has('plan-redo') ? [] : ['C8 planning cannot be redone']),
  ];
}
