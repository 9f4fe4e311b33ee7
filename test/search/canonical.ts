// Reduces a world to what can still matter: numbers, times, texts and names become the same in worlds that will
// behave the same. The result is small, so that very many worlds can be searched.
import type { Effect } from '../../src/core/model/effect.ts';
import type { PlaceId, SessionId } from '../../src/core/model/ids.ts';
import type { Counts, Incident, PlanWork, RunEntry, RunSession } from '../../src/core/model/run.ts';
import { isHeard, isLive, sessionHealthOf } from '../../src/core/model/run-status.ts';
import type { PlanSession, SessionEntry } from '../../src/core/model/session.ts';
import type { PlanEntry, TaskEntry, World } from '../../src/core/model/world.ts';
import type { PlanFile } from '../../src/plan/name.ts';
import { canonicalFindings, canonicalList, canonicalLooked, canonicalPlanFindings } from './findings.ts';
import { canonicalWorkshop, workshopEssence } from './workshop.ts';

/** Every canonical world has this sequence number; everything that is kept has a smaller one. */
const SEQ = 1_000;
const SAME = '2026-01-02T03:04:05.000Z';
export const START_COMMIT = 'b0';
export const TIP = 't0';
/** Of the plan branch it matters only whether the reviewer was given its present tip. */
export const OTHER_TIP = 't1';
/** A commit that cadre did not make. */
export const FOREIGN = 'x';
/** Where a merge is about to move the plan branch. */
export const NEXT_TIP = 't2';

/** `withFindings`: otherwise tasks forget at once what reviews found, and nothing follows from it. */
export function canonical(world: World, withFindings = false, withPlanFindings = false): World {
  const plans = new Map<PlanFile, PlanEntry>();
  const sessions = new Map<SessionId, SessionEntry>();
  const outbox = new Map<string, Effect>();
  for (const entry of world.plans.values())
    plans.set(entry.plan, canonicalPlan(entry, { world, sessions, outbox, withFindings, withPlanFindings }));
  return { ...world, seq: SEQ, plans, sessions, outbox, taken: new Set(), refused: new Map() };
}

interface Kept {
  readonly world: World;
  readonly sessions: Map<SessionId, SessionEntry>;
  readonly outbox: Map<string, Effect>;
  readonly withFindings: boolean;
  readonly withPlanFindings: boolean;
}

function canonicalPlan(entry: PlanEntry, kept: Kept): PlanEntry {
  const { world, sessions } = kept;
  const ranks = mergeRanks(entry);
  const { feedback: _feedback, implemented: _implemented, difference: _difference, findings: _found, ...rest } = entry;
  const findings = kept.withPlanFindings ? canonicalPlanFindings(entry) : [];
  return {
    ...rest,
    ...(findings.length === 0 ? {} : { findings }),
    since: SAME,
    entered: 1,
    ...(entry.file === undefined ? {} : { file: '' }),
    ...(entry.work === undefined ? {} : { work: canonicalWork(entry, entry.work, kept) }),
    ...(entry.workshop === undefined
      ? {}
      : { workshop: canonicalWorkshop(world, entry.workshop, plainSession, sessions) }),
    tasks: renamed(entry.tasks).map((task, index) => canonicalTask(task, index, ranks.get(task.id) ?? 0, kept)),
  };
}

/** Of the times at which runs started to wait for their merge only the order is kept. */
function mergeRanks(entry: PlanEntry): ReadonlyMap<string, number> {
  const waiting = entry.tasks.filter((task) => task.run?.state === 'AWAIT_MERGE');
  const sorted = waiting.toSorted((one, other) => (one.run?.entered ?? 0) - (other.run?.entered ?? 0));
  return new Map(sorted.map((task, index) => [task.id, index + 1]));
}

/** Of the tasks that reviews asked for, at most one that is done is kept. */
function renamed(tasks: readonly TaskEntry[]): readonly TaskEntry[] {
  const fixes = tasks.filter((task) => task.feedback !== undefined);
  const open = fixes.filter((task) => task.state !== 'done');
  const [done] = fixes.filter((task) => task.state === 'done');
  const others = tasks.filter((task) => task.feedback === undefined);
  const kept = [...(done === undefined ? [] : [done]), ...open];
  return [...others, ...kept.map((task, index) => ({ ...task, id: `R${index + 1}`, address: `R${index + 1}` }))];
}

function canonicalTask(task: TaskEntry, index: number, rank: number, kept: Kept): TaskEntry {
  const {
    launched: _launched,
    lastVerify: _lastVerify,
    markedDone: _markedDone,
    notStarted: _why,
    findings: _findings,
    run: ended,
    ...rest
  } = task;
  // How a task came to be done is checked before it is forgotten.
  const run = ended?.state === 'DONE' ? undefined : ended;
  const attempts = run === undefined ? 0 : 1;
  const findings = kept.withFindings ? canonicalFindings(task) : [];
  return {
    ...rest,
    ...(findings.length === 0 ? {} : { findings }),
    since: SAME,
    entered: 2,
    verifyAttempts: 0,
    attempts,
    ...(task.feedback === undefined ? {} : { feedback: 'f' }),
    ...(run === undefined ? {} : { run: canonicalRun({ run, task: task.id, index, entered: 10 + rank }, kept) }),
  };
}

/** A run, with its names and numbers in the canonical world. */
interface Renamed {
  readonly run: RunEntry;
  readonly task: string;
  readonly index: number;
  readonly entered: number;
}

function canonicalRun(renamed: Renamed, kept: Kept): RunEntry {
  const { looked: _looked, rounds: _rounds, ruled, report: _report, ...run } = renamed.run;
  const bare = { ...renamed, run };
  if (!isLive(run)) return endedRun(bare);
  if (!kept.withFindings) return liveRun(bare, kept);
  const { rounds = {}, asked } = renamed.run;
  const live = liveRun(bare, kept);
  const looked = canonicalLooked(renamed.run);
  return {
    ...live,
    // There are more turns than a run can use.
    counts: { ...live.counts, turns: 0 },
    ...(asked?.asFindings ? { asked: null, fixing: null } : {}),
    ...(Object.keys(looked).length === 0 ? {} : { looked }),
    ...(Object.keys(rounds).length === 0 ? {} : { rounds: Object.fromEntries(Object.entries(rounds).toSorted()) }),
    ...(ruled ? { ruled } : {}),
    ...(renamed.run.unchanged ? { unchanged: renamed.run.unchanged } : {}),
  };
}

const NO_COUNTS: Counts = { coding: 0, fixing: 0, checkins: 0, turns: 0, mergeAttempts: 0, relaunches: 0 };

function endedRun({ run, index }: Renamed): RunEntry {
  return {
    ...common(run, index, 10),
    ...{
      counts: NO_COUNTS,
      session: null,
      issued: null,
      pinned: null,
      unverified: false,
      override: null,
      started: true,
    },
  };
}

function liveRun(renamed: Renamed, kept: Kept): RunEntry {
  const { run, index, entered } = renamed;
  const session = run.session === null ? null : keepSession(renamed, run.session, kept);
  return {
    ...common(run, index, entered),
    counts: countsThatMatter(run),
    session,
    issued: keepIssued(run, index, kept),
    ...keepLink(run, kept),
    override: run.override !== null && run.override === run.pinned ? run.override : null,
  };
}

function common(
  { waitsNext, unchanged = 0, incident: _incident, report: _report, ...run }: RunEntry,
  index: number,
  entered: number,
): RunEntry {
  const isDemanded = mustChange(run);
  return {
    ...run,
    ...(waitsNext ? { waitsNext } : {}),
    ...(isDemanded && unchanged > 0 ? { unchanged } : {}),
    attempt: 1,
    since: SAME,
    entered,
    place: `r${index}` as PlaceId,
    branch: `x${index}`,
    base: run.base === null ? null : START_COMMIT,
    head: run.base === null ? null : START_COMMIT,
    question: run.question === null ? null : { ...run.question, text: '' },
    fixing: isDemanded ? { reason: 'code_review_changes', text: '' } : null,
    said: null,
    asked: isDemanded ? { by: 'person', text: '', commit: run.pinned } : null,
    plan: null,
    usedUp: null,
    abandoned: null,
    failed: null,
    clock: { spent: 0, at: SAME },
  };
}

/** Somebody asked for changes of the pinned commit, so the fix has to be another one. */
export function mustChange({ state, question, fixing, asked, pinned }: RunEntry): boolean {
  const isFixed = state === 'FIXING' || question?.origin === 'FIXING';
  return isFixed && fixing?.reason === 'code_review_changes' && asked?.commit === pinned;
}

/** Coding turns no longer matter once there is something to test. */
function countsThatMatter(run: RunEntry): Counts {
  return mayCodeAgain(run) ? run.counts : { ...run.counts, coding: 0 };
}

export function mayCodeAgain({ state, question }: RunEntry): boolean {
  return state === 'QUESTION' ? question?.origin !== 'FIXING' : BEFORE_TESTING.includes(state);
}

const BEFORE_TESTING: readonly string[] = ['SETUP', 'PLANNING', 'PLAN_REVIEW', 'CODING'];

function keepIssued({ issued }: RunEntry, index: number, { world, outbox }: Kept): RunEntry['issued'] {
  if (issued === null) return null;
  const id = `e${index}`;
  const effect = world.outbox.get(issued.effect);
  // An effect that is missing in the outbox will never be performed, and the search has to notice that.
  if (effect !== undefined) outbox.set(id, { ...effect, id } as Effect);
  const waits = issued.heldUp === undefined ? {} : { heldUp: { ...issued.heldUp, since: SAME } };
  return { effect: id, do: issued.do, at: SAME, ...waits };
}

/** Of the incident of a worktree it matters whether it is being restored, or could not be. Without one the field is missing. */
function keepLink({ incident }: RunEntry, { world, outbox }: Kept): Pick<RunEntry, 'incident'> {
  if (incident == null) return {};
  const effect = world.outbox.get(incident.restoring ?? '');
  if (effect !== undefined) outbox.set('e-link', { ...effect, id: 'e-link' } as Effect);
  const restoring = effect === undefined ? {} : { restoring: 'e-link' };
  const problem = incident.problem === undefined ? {} : { problem: 'p' };
  return { incident: { why: 'w', at: SAME, ...restoring, ...problem } };
}

function keepSession(
  { run, task, index, entered }: Renamed,
  session: RunSession,
  { world, sessions }: Kept,
): RunSession | null {
  const entry = world.sessions.get(session.id);
  if (entry === undefined || !isHeard(entry)) return null;
  const isOfState = session.entered === run.entered;
  // One that was interrupted in an earlier state is not heard, unless it may still withdraw its question.
  if (entry.interrupted && !isOfState && run.question?.origin !== 'PLANNING') return null;
  const id = `s${index}` as SessionId;
  const isLost = sessionHealthOf(session, session.entered, world.sessions) === 'lost';
  sessions.set(id, {
    ...plainSession(entry, isLost && isOfState),
    id,
    place: `r${index}` as PlaceId,
    task,
    attempt: 1,
  });
  return {
    ...session,
    id,
    entered: isOfState ? entered : 0,
    at: SAME,
    head: START_COMMIT,
    trouble: isOfState && !isLost ? session.trouble : null,
  };
}

function canonicalWork(entry: PlanEntry, work: PlanWork, kept: Kept): PlanWork {
  const { world, sessions } = kept;
  let session: PlanSession | null = null;
  const found = work.session === null ? undefined : world.sessions.get(work.session.id);
  if (work.session !== null && found && isHeard(found) && work.session.entered === entry.entered) {
    const id = 's-plan' as SessionId;
    const isLost = sessionHealthOf(work.session, entry.entered, world.sessions) === 'lost';
    sessions.set(id, { ...plainSession(found, isLost), id, place: 'p' as PlaceId });
    const tip = work.session.tip === work.tip ? tipOf(work) : OTHER_TIP;
    const { list: _list, ...bare } = work.session;
    const list = kept.withPlanFindings ? canonicalList(entry, work.session) : {};
    session = { ...bare, ...list, id, entered: 1, at: SAME, tip, trouble: isLost ? null : work.session.trouble };
  }
  const { reviewCycles } = world.policy.budgets;
  const { looked, ...others } = work;
  return {
    ...others,
    ...(kept.withPlanFindings && looked != null ? { looked: TIP } : {}),
    session,
    tip: tipOf(work),
    base: work.base === null ? null : { branch: 'main', commit: START_COMMIT },
    moving: canonicalMove(entry, work),
    incident: canonicalIncident(work, kept),
    generation: 1,
    reviewCycles: Math.min(work.reviewCycles, reviewCycles),
    waiting: work.waiting === null ? null : { text: 'f', at: SAME },
    landed: null,
  };
}

/** The effect that moves the branch has the name that its run gives it. */
function canonicalMove(entry: PlanEntry, { moving }: PlanWork): PlanWork['moving'] {
  if (moving === null) return null;
  const index = renamed(entry.tasks).findIndex(({ run }) => run?.issued?.effect === moving.effect);
  const effect = index === -1 ? 'none' : `e${index}`;
  const { branch } = moving;
  if (moving.from !== null) return { effect, branch, from: TIP, to: NEXT_TIP };
  return { effect, branch, from: null, to: TIP, base: { branch: 'main', commit: START_COMMIT } };
}

function canonicalIncident({ incident }: PlanWork, { world, outbox }: Kept): Incident | null {
  if (incident === null) return null;
  const { of, branch, expected, found, restoring, problem } = incident;
  const effect = world.outbox.get(restoring ?? '');
  if (effect !== undefined) outbox.set('e-set', { ...effect, id: 'e-set', to: TIP } as Effect);
  return {
    of,
    branch,
    expected: expected === null ? null : of === 'base' ? START_COMMIT : TIP,
    found: found === null ? null : FOREIGN,
    at: SAME,
    ...(effect === undefined ? {} : { restoring: 'e-set' }),
    ...(problem === undefined ? {} : { problem: '' }),
  };
}

function tipOf({ tip }: PlanWork): string | null {
  return tip === null ? null : TIP;
}

function plainSession(entry: SessionEntry, isLost: boolean): SessionEntry {
  const { up: _up, failure: _failure, ended: _ended, lastSent: _lastSent, followedBy: _followedBy, ...rest } = entry;
  const plain = { ...rest, title: '', branch: '', from: '', since: SAME };
  return isLost ? { ...plain, ended: { life: { kind: 'gone' }, at: SAME } } : plain;
}

/** What distinguishes canonical worlds: everything except what is the same in all worlds of a search. */
export function essence(world: World): string {
  return JSON.stringify([...world.plans.values()].map(planEssence)) + sessionEssence(world) + outboxEssence(world);
}

function planEssence({ status, paused, work, tasks, workshop, file, findings }: PlanEntry): unknown {
  return [status, paused, work, tasks.map(taskEssence), workshopEssence(workshop), file, findings];
}

function taskEssence({ id, address, phase, state, stale, held, run, feedback, findings }: TaskEntry): unknown {
  if (run === undefined) return [id, address, phase, state, stale, held, feedback, findings];
  const { base: _base, head: _head, place: _place, branch: _branch, clock: _clock, since: _since, ...rest } = run;
  return [id, address, phase, state, stale, held, feedback, rest, run.base === null, findings];
}

function sessionEssence(world: World): string {
  let text = '';
  for (const { id, role, ended, task, interrupted } of world.sessions.values())
    text += `|${id} ${role} ${task} ${ended === undefined} ${interrupted}`;
  return text;
}

function outboxEssence(world: World): string {
  let text = `|${world.frozen} ${world.paused}`;
  for (const effect of world.outbox.values()) text += `|${effect.id} ${effect.do} ${'pin' in effect ? effect.pin : ''}`;
  return text;
}
