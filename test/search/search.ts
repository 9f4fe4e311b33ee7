// The exhaustive search: every world that can be reached by any event from a registered plan. Breadth first, so that
// the path to every violation is a shortest one.
import { hash } from 'node:crypto';
import { fold } from '../../src/core/journal/fold.ts';
import type { JournalRecord } from '../../src/core/model/record.ts';
import type { RunEntry } from '../../src/core/model/run.ts';
import { isLive } from '../../src/core/model/run-status.ts';
import { EMPTY_WORLD, type World } from '../../src/core/model/world.ts';
import { decide, decideAll } from '../../src/core/rules/decide.ts';
import { react } from '../../src/core/rules/react.ts';
import { taskWaitStatus } from '../../src/core/views/why.ts';
import { NOW, PLAN, register } from '../support/world.ts';
import { canonical } from './canonical.ts';
import { FORGED, type Happening, happenings } from './environment.ts';
import { findingsAfter, isEscalatedFirst } from './findings.ts';
import { afterRecord, forgetSettled, type Ghost, NO_GHOST } from './ghost.ts';
import { Graph } from './graph.ts';
import { brokenBy, brokenIn } from './invariants.ts';
import type { Model } from './models.ts';
import { alike, identical, type State } from './sameness.ts';
import { DECISIONS } from './workshop.ts';
import { missingDecisions } from './workshop-invariants.ts';

export interface Violation {
  readonly what: string;
  /** The path to it, as the labels of what happened. */
  readonly trace: readonly string[];
}

export interface SearchReport {
  readonly model: string;
  readonly states: number;
  readonly transitions: number;
  readonly refused: number;
  readonly violations: readonly Violation[];
  /** Processor time, since others may be using the machine too. */
  readonly seconds: number;
}

/** A state before it is reduced to what can still matter: some invariants can be checked only then. */
interface Arrival extends State {
  readonly raw: World;
}

export interface Limits {
  /** The number of violations after which it stops. */
  readonly violations: number;
  readonly states: number;
}

export interface SearchStep {
  readonly happening: Happening;
  readonly to: State;
}

/** Called with every world that is searched, and every step from it. */
export type Watch = (from: State, steps: readonly SearchStep[]) => void;

export function search(model: Model, { violations: enough, states: most }: Limits, watch?: Watch): SearchReport {
  const started = process.cpuUsage().user;
  const sameness = model.alike ? alike(!model.sequential) : identical;
  const graph = new Graph();
  const violations: Violation[] = [];
  const ids = new Map<string, number>();
  const queue: (State | undefined)[] = [];
  let refused = 0;
  const report = (id: number, what: string, label?: string): void => {
    if (!violations.some((one) => one.what === what))
      violations.push({ what, trace: [...graph.traceTo(id), ...(label === undefined ? [] : [label])] });
  };
  const enter = ({ raw, ...state }: Arrival, from: number, happening: Happening | undefined): void => {
    const key = hash('md5', sameness(state), 'base64');
    const known = ids.get(key);
    const id = known ?? queue.push(state) - 1;
    if (known === undefined) {
      ids.set(key, id);
      isEscalated ||= isEscalatedFirst(raw);
      graph.add(id, from, happening?.label ?? '', goalOf(state.world));
      for (const what of brokenIn(raw, state.ghost)) report(id, what);
    }
    if (happening !== undefined && id !== from) graph.connect(from, id, happening.actor);
    if (happening === undefined) return;
    if (id === from && happening.actor !== 'user') report(from, 'C10 a cycle without a person', happening.label);
    if (id === from && CHANGING.has(happening.event.kind))
      report(from, 'C18 accepted, but nothing changed', happening.label);
    const { event } = happening;
    const task = event.kind === 'act' && event.act === 'revert' ? event.task : undefined;
    const reverted = raw.plans.get(PLAN)?.tasks.find((one) => one.id === task);
    if (reverted !== undefined && reverted.state !== 'planned') report(from, 'C20 a revert is undone', happening.label);
  };
  let isEscalated = model.policy.budgets.escalateAfter === undefined || !model.findings;
  const first = initial(model);
  enter({ world: canonical(first, model.findings, model.planFindings), raw: first, ghost: NO_GHOST }, -1, undefined);
  for (let id = 0; id < queue.length && violations.length < enough && queue.length < most; id++) {
    const state = queue[id];
    queue[id] = undefined;
    if (state === undefined) continue;
    const accepted = new Set<string>();
    const decided = new Set<string>();
    const steps: SearchStep[] = [];
    for (const happening of happenings(model, state.world, state.ghost)) {
      const next = after(model, state, happening, (what) => report(id, what, happening.label));
      if (next === undefined) refused++;
      else {
        enter(next, id, happening);
        steps.push({ happening, to: next });
        if (happening.event.kind === 'act') accepted.add(`${happening.event.task} ${happening.event.act}`);
        const decision = DECISIONS.find(({ label }) => label === happening.label)?.offered;
        if (decision !== undefined) decided.add(decision);
      }
    }
    watch?.(state, steps);
    if (model.only === undefined)
      for (const what of missingActions(model, state.world, accepted, decided)) report(id, what);
  }
  const isWhole = violations.length < enough && queue.length < most;
  // If only some things may happen, an unreachable goal proves nothing, unless those are enough.
  if (isWhole && (model.only === undefined || model.planFindings))
    for (const { id, what } of graph.problems()) report(id, what);
  if (isWhole && !isEscalated) report(0, 'C34 no other agent gets the work before a person is asked');
  if (queue.length >= most) report(0, `more than ${most} states`);
  return {
    model: model.name,
    states: queue.length,
    transitions: graph.edges,
    refused,
    violations,
    seconds: (process.cpuUsage().user - started) / 1e6,
  };
}

export function initial(model: Model): World {
  const [file] = model.files;
  const events = [register(PLAN), ...(file === undefined || model.workshop ? [] : [file.read])];
  return decideAll({ ...EMPTY_WORLD, policy: model.policy }, events, NOW).world;
}

function goalOf(world: World): 'done' | 'cancelled' | null {
  const status = world.plans.get(PLAN)?.status;
  return status === 'done' || status === 'cancelled' ? status : null;
}

/** What a person does that must have consequences. */
const CHANGING: ReadonlySet<string> = new Set([
  'act',
  'workshop-answer',
  'workshop-continue',
  'workshop-settle',
  'workshop-approve',
]);

/** Observations may be ignored, and are never refused. */
const REPORTS: ReadonlySet<string> = new Set(['result', 'overdue', 'silent', 'session-news']);

/** The settled world after it has happened, reduced to what can still matter; undefined when it is refused or ignored. */
export function after(
  model: Model,
  state: State,
  happening: Happening,
  report: (what: string) => void,
  reduce: (world: World) => World = (raw) => canonical(raw, model.findings, model.planFindings),
): Arrival | undefined {
  if (happening.lands !== undefined)
    return {
      ...state,
      raw: state.world,
      ghost: { ...state.ghost, landed: new Set([...state.ghost.landed, happening.lands]) },
    };
  if (happening.ghost !== undefined)
    return { ...state, raw: state.world, ghost: { ...state.ghost, ...happening.ghost } };
  let { world, ghost } = state;
  const write = (line: JournalRecord): void => {
    const next = fold(world, [line]);
    const seen = ghost;
    ghost = afterRecord(ghost, line);
    for (const what of brokenBy({ model, before: world, line, after: next, seen, ghost })) report(what);
    world = next;
  };
  try {
    const decision = decide(world, happening.event, happening.now);
    if (decision.kind === 'refused' && REPORTS.has(happening.event.kind)) report('C7 an observation is refused');
    // The record of a refused signal changes nothing, unless it has extras.
    if (decision.kind === 'ignored' || (decision.kind === 'refused' && decision.extras === undefined)) return undefined;
    if (happening.label.startsWith(FORGED)) report('C11 what was said in the name of another session counts');
    const plan = state.world.plans.get(PLAN);
    for (const line of decision.records) write(line);
    const settled = world.plans.get(PLAN);
    if (plan !== undefined && settled !== undefined && decision.kind === 'accepted')
      findingsAfter(happening.event, decision.records[0], plan, settled, (holds, what) => void (holds || report(what)));
    if (!pinsWhatIsThere(happening, decision.records))
      report('C5 the pinned commit is not the one that was seen, or not everything was committed');
    for (let count = 0; ; count++) {
      const line = react(world, happening.now);
      if (line === undefined) break;
      if (count > 200) {
        report('C10 the reactions never end');
        break;
      }
      write(line);
    }
  } catch (error) {
    report(`the rules contradict each other: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
  const unsettled = (world.plans.get(PLAN)?.tasks ?? []).filter((task) => isUnsettled(task.id, task.run, ghost));
  return {
    world: reduce(world),
    raw: world,
    ghost: forgetSettled(ghost, new Set(unsettled.map((task) => task.id))),
  };
}

/** The pinned commit is the one that was seen when the work was reported as finished, and nothing was uncommitted. */
function pinsWhatIsThere({ event }: Happening, lines: readonly JournalRecord[]): boolean {
  const seen = event.kind === 'signal' ? event.signal.worktree : 'worktree' in event ? event.worktree : undefined;
  const pins = lines.some((line) => line.moves.some((move) => PINNING.has(move.event)));
  const pinned = lines.flatMap((line) =>
    (line.changes ?? []).map((one) => (one.of === 'run' ? one.change?.pinned : null)),
  );
  return !pins || (pinned.includes(seen?.head) && seen?.clean === true && seen.commits > 0);
}

const PINNING: ReadonlySet<string> = new Set(['code_complete', 'fix_done', 'escalate']);

/** It is live, or its merge is on the branch although it is not done. */
function isUnsettled(task: string, run: RunEntry | undefined, ghost: Ghost): boolean {
  if (run?.state === 'DONE') return false;
  return isLive(run) || ghost.landed.has(task);
}

/** What the view offers to a person and what the rules accept from a person are the same. */
function missingActions(
  model: Model,
  world: World,
  accepted: ReadonlySet<string>,
  decided: ReadonlySet<string>,
): readonly string[] {
  const entry = world.plans.get(PLAN);
  if (entry === undefined) return [];
  if (model.workshop) return missingDecisions(world, entry, decided);
  return entry.tasks.flatMap((task) => {
    const offered = new Set(taskWaitStatus(world, entry, task).waysOut.map((way) => `${task.id} ${way}`));
    const mine = [...accepted].filter((one) => one.startsWith(`${task.id} `));
    const missing = mine.filter((one) => !offered.has(one)).map((one) => `C8 "${one}" is accepted, but not offered`);
    const empty = [...offered].filter((one) => !accepted.has(one)).map((one) => `C8 "${one}" is offered, but refused`);
    return [...missing, ...empty];
  });
}
