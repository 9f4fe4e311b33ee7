// Somebody changed the link between a run's worktree and the repository: its agent is stopped, its signals stay unread and
// none of its work is merged, until a person has the worktree restored.
import { BY_ENGINE, type Decision, IGNORED, refused, refusedFor } from '../../model/decision.ts';
import { effectId } from '../../model/effect.ts';
import type { EffectResult, EventOfKind } from '../../model/event.ts';
import { personsDecision, unknownPlan, unknownTask } from '../../model/refusals.ts';
import type { RunEntry, WorktreeIncident } from '../../model/run.ts';
import { isLive } from '../../model/run-status.ts';
import { isMoving, worktreeIncidentWords } from '../../model/stops.ts';
import { findTask } from '../../model/tasks.ts';
import type { World } from '../../model/world.ts';
import { nameOf, type RunContext, recordStep, runEffectFields } from './step.ts';

export function linkSeen(world: World, event: EventOfKind<'link-seen'>, now: Date): Decision {
  const entry = world.plans.get(event.plan);
  const task = entry?.tasks.find(({ id }) => id === event.task);
  const run = task?.run;
  if (entry === undefined || task === undefined || !isLive(run) || run.attempt !== event.attempt) return IGNORED;
  const context: RunContext = { world, now, by: BY_ENGINE, entry, task, run };
  const incident = run.incident ?? null;
  const { why } = event;
  if (why !== null) return incident === null ? beginIncident(context, why) : IGNORED;
  // One that was restored halfway has its link again, and is not what its branch has.
  if (incident === null || incident.problem !== undefined || isRestoring(world, incident)) return IGNORED;
  return recordStep(context, { moves: [], name: 'worktree_change_undone', change: { incident: null } });
}

/** What was issued for the run is withdrawn at no cost, apart from a merge that is moving the plan branch already. */
function beginIncident(context: RunContext, why: string): Decision {
  const { entry, run, now } = context;
  // While the worktree is being set up nothing in it counts yet; it is seen again.
  if (run.state === 'SETUP' || (run.issued !== null && isMoving(entry, run.issued.effect))) return IGNORED;
  const incident: WorktreeIncident = { why, at: now.toISOString() };
  return recordStep(context, {
    moves: [],
    name: 'worktree_changed',
    cause: why,
    change: { incident, ...withdrawn(run) },
    effects: [{ do: 'tell', text: `${nameOf(context)}: ${worktreeIncidentWords(incident)}` }],
  });
}

function withdrawn({ issued, counts }: RunEntry): Partial<RunEntry> {
  if (issued === null) return {};
  const isMerge = issued.do === 'merge';
  return {
    issued: null,
    ...(isMerge ? { counts: { ...counts, mergeAttempts: counts.mergeAttempts - 1 } } : {}),
  };
}

/** The result of the effect says whether the worktree is restored. */
function isRestoring({ outbox }: World, { restoring }: WorktreeIncident): boolean {
  return restoring !== undefined && outbox.has(restoring);
}

export function restoreRunWorktree(world: World, event: EventOfKind<'worktree-restore'>, now: Date): Decision {
  const { by } = event;
  if (by.who !== 'user') return refused('user-only', personsDecision('incident restore', by));
  const entry = world.plans.get(event.plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(event.plan));
  const task = findTask(entry, event.task);
  if (task === undefined) return refused('unknown-task', unknownTask(entry, event.task));
  const { run } = task;
  const incident = isLive(run) ? (run.incident ?? null) : null;
  if (run === undefined || incident === null)
    return refused(
      'state',
      `${nameOf({ entry, task })} has no incident: nobody has changed how its worktree is linked.`,
    );
  if (isRestoring(world, incident))
    return refused('state', `The worktree of ${nameOf({ entry, task })} is being restored.`);
  const context: RunContext = { world, now, by, entry, task, run };
  const { problem: _problem, ...rest } = incident;
  return recordStep(context, {
    moves: [],
    name: 'worktree_restoring',
    change: { incident: { ...rest, restoring: effectId(world.seq + 1, 0) } },
    effects: [{ do: 'relink', ...runEffectFields(context) }],
  });
}

/** The incident lasts until the worktree is restored. If that did not work, the person learns why. */
export function decideRelinked(
  world: World,
  effect: string,
  result: Extract<EffectResult, { of: 'relink' }>,
  now: Date,
): Decision {
  const context = runRestoredBy(world, effect, now);
  const incident = context?.run.incident ?? null;
  if (context === undefined || incident === null) return IGNORED;
  if (!('failed' in result))
    return recordStep(context, { moves: [], name: 'worktree_restored', change: { incident: null } });
  const { restoring: _restoring, ...rest } = incident;
  return recordStep(context, {
    moves: [],
    name: 'worktree_not_restored',
    cause: result.failed,
    change: { incident: { ...rest, problem: result.failed } },
  });
}

function runRestoredBy(world: World, effect: string, now: Date): RunContext | undefined {
  for (const entry of world.plans.values())
    for (const task of entry.tasks)
      if (isLive(task.run) && task.run.incident?.restoring === effect)
        return { world, now, by: BY_ENGINE, entry, task, run: task.run };
  return undefined;
}
