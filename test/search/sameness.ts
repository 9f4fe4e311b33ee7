// Which worlds of a search count as one. Two worlds are the same when everything that can happen to one can happen to
// the other and leads to worlds that are the same again; test/search/search.test.ts checks that, world by world.

import type { RunEntry } from '../../src/core/model/run.ts';
import { sessionHealth } from '../../src/core/model/run-status.ts';
import type { PlanEntry, TaskEntry, World } from '../../src/core/model/world.ts';
import { PLAN } from '../support/world.ts';
import { essence, mayCodeAgain } from './canonical.ts';
import { evidenceOf, type Ghost, ghostEssence } from './ghost.ts';

export interface State {
  readonly world: World;
  readonly ghost: Ghost;
}

/** The key of a world: everything that is kept of it, or only what can still matter. */
export type Sameness = (state: State) => string;

export const identical: Sameness = ({ world, ghost }) => essence(world) + ghostEssence(ghost);

/** Only what can still matter. Tasks of a parallel phase are interchangeable. */
export function alike(isParallel: boolean): Sameness {
  return (state) => {
    const entry = state.world.plans.get(PLAN);
    if (entry === undefined) return '';
    const ofFile = entry.tasks.filter((task) => task.feedback === undefined);
    // Every file of a model has a task, so it never matters whether a task that a review asked for was done.
    const fixes = entry.tasks.filter((task) => task.feedback !== undefined && task.state !== 'done');
    const parts = ofFile.map((task) => taskPart(state, entry, task, !isParallel));
    if (isParallel) parts.sort();
    return [planPart(state, entry), ...parts, ...fixes.map((task) => taskPart(state, entry, task, false))].join('\n');
  };
}

/** States in which what is reset by implementing the plan again does not matter. */
const SUSPENDED: readonly string[] = ['planning', 'ready', 'cancelled'];

function planPart({ world, ghost }: State, { status, paused, work }: PlanEntry): string {
  const reviewCycles = SUSPENDED.includes(status) ? 0 : work?.reviewCycles;
  const its = work?.session ? world.sessions.get(work.session.id) : undefined;
  const session = work?.session ? [work.session, its?.ended === undefined, its?.interrupted] : null;
  // The task whose effect moves it says so itself.
  const moving = work?.moving ? { ...work.moving, effect: '' } : null;
  return JSON.stringify([
    ghost.branch,
    ghost.base,
    ghost.link,
    world.outbox.has('e-set'),
    world.outbox.has('e-link'),
    world.frozen,
    world.paused,
    paused,
    status,
    work === undefined ? null : { ...work, reviewCycles, session, moving },
  ]);
}

function taskPart({ world, ghost }: State, entry: PlanEntry, task: TaskEntry, isNamed: boolean): string {
  const { id, address, phase, state, stale, run } = task;
  const held = task.held && !SUSPENDED.includes(entry.status);
  const isLanded = ghost.landed.has(id);
  const name = isNamed ? [id, address, phase] : [];
  return JSON.stringify([
    ...name,
    state,
    stale,
    held,
    isLanded,
    task.findings,
    run === undefined ? null : runPart(world, id, run, ghost),
    run?.issued != null && run.issued.effect === entry.work?.moving?.effect,
  ]);
}

/** States in which the pinned commit matters; in all others the next step pins another. */
const ABOUT_A_COMMIT: readonly string[] = ['TESTING', 'CODE_REVIEW', 'AWAIT_MERGE'];

function runPart(world: World, task: string, run: RunEntry, ghost: Ghost): unknown {
  if (run.state === 'ERROR') return run.state;
  const { base: _base, head: _head, place: _place, branch: _branch, clock: _clock, since: _since, ...rest } = run;
  const isPinned = ABOUT_A_COMMIT.includes(run.state);
  const seen = evidenceOf(ghost, task);
  const named = (commit: string | null): string | null => (commit === run.pinned ? 'pinned' : commit);
  const effect = run.issued === null ? undefined : world.outbox.get(run.issued.effect);
  return {
    ...rest,
    issued:
      run.issued === null
        ? null
        : [
            run.issued.do,
            effect?.do,
            effect && 'pin' in effect ? named(effect.pin) : '',
            run.issued.heldUp !== undefined,
          ],
    // Whatever is asked for is about the pinned commit.
    asked: run.asked != null,
    pinned: isPinned ? named(run.pinned) : null,
    override: run.override === null ? null : named(run.override),
    unverified: run.state === 'CODE_REVIEW' && run.unverified,
    started: run.started || !mayCodeAgain(run),
    session: sessionPart(world, run),
    seen: isPinned
      ? [seen.approvedPlan, named(seen.pin), seen.spec, seen.quality, seen.verified || seen.overridden]
      : [seen.approvedPlan, seen.overridden],
  };
}

/** A session of an earlier state no longer counts, unless it may still withdraw its question. */
function sessionPart(world: World, run: RunEntry): unknown {
  const { session } = run;
  if (session === null) return null;
  const present = sessionHealth(run, world.sessions);
  if (present !== 'none') return [session.role, present, session.trouble];
  return run.question?.origin === 'PLANNING' ? session.role : null;
}
