// Rules for moving branches: recorded before a branch moves, and again when it has.
import { WORKING } from '../../../machines/plan.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED, record, refused } from '../../model/decision.ts';
import type { EventOfKind } from '../../model/event.ts';
import type { PlanWork } from '../../model/run.ts';
import { isPaused } from '../../model/stops.ts';
import type { PlanEntry, World } from '../../model/world.ts';

/** Refused when the effect should not move the branch after all. The caller then decides again. */
export function intendMove(world: World, { plan, move }: EventOfKind<'intend-move'>, now: Date): Decision {
  const entry = world.plans.get(plan);
  const why = entry?.work === undefined ? 'cadre does not build it' : whyNotMoved(world, entry, entry.work, move);
  if (why !== undefined) return refused('state', `The branch of ${plan} was not moved: ${why}.`);
  return accepted(
    record(
      { world, now, by: BY_ENGINE },
      { event: 'move_intended', plan, move },
      { changes: [{ of: 'plan', plan, change: { moving: move } }] },
    ),
  );
}

function whyNotMoved(
  world: World,
  entry: PlanEntry,
  { tip, moving, incident }: PlanWork,
  move: EventOfKind<'intend-move'>['move'],
): string | undefined {
  const effect = world.outbox.get(move.effect);
  if (effect === undefined) return 'the work that asks for it was cancelled';
  if (incident !== null) return `${incident.branch} is not where cadre left it`;
  // A branch that is created moves nothing, and a worktree that is being set up needs it.
  if (isPaused(world, entry) && move.from !== null) return 'it is paused';
  if (moving !== null && moving.effect !== move.effect && world.outbox.has(moving.effect))
    return 'another move is not finished';
  if (move.branch === 'base') return undefined;
  if (tip === null) return move.from === null || move.from === move.to ? undefined : 'it has no branch yet';
  if (move.from !== tip) return 'the branch has moved';
  // A reviewer must not find another commit than it was given.
  return effect.do === 'worktree' && entry.status !== WORKING ? `it is ${entry.status}` : undefined;
}

export function recordBranchMoved(
  world: World,
  { plan, tip }: Pick<EventOfKind<'branch-moved'>, 'plan' | 'tip'>,
  now: Date,
): Decision {
  const moving = world.plans.get(plan)?.work?.moving;
  if (moving?.branch !== 'plan' || moving.to !== tip) return IGNORED;
  return accepted(
    record(
      { world, now, by: BY_ENGINE },
      { event: 'branch_moved', plan },
      { changes: [{ of: 'plan', plan, change: afterMove(moving) }] },
    ),
  );
}

function afterMove({ to, base }: NonNullable<PlanWork['moving']>): Partial<PlanWork> {
  return { tip: to, moving: null, ...(base === undefined ? {} : { base }) };
}
