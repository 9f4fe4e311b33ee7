// Rules for `cadre run`, by which a person lets cadre build a plan.
import { type PlanState, WORKING } from '../../../machines/plan.ts';
import { slugOf } from '../../../plan/name.ts';
import { accepted, type Decision, IGNORED, record, refused, refusedFor } from '../../model/decision.ts';
import type { EventOfKind } from '../../model/event.ts';
import { hasNotLanded } from '../../model/plan-owner.ts';
import { archivedPlan, speakerName, unknownPlan } from '../../model/refusals.ts';
import type { RecordChange } from '../../model/run.ts';
import { type Suggestion, suggest } from '../../model/suggestion.ts';
import { isPlanning } from '../../model/workshop/status.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import { movePlan } from './move.ts';

export function startPlan(world: World, event: EventOfKind<'run'>, now: Date): Decision {
  const { plan, by, fileProblem } = event;
  if (by.who !== 'user') return refused('source', `Only a person may have a plan built; ${speakerName(by)} cannot.`);
  const entry = world.plans.get(plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(plan));
  if (entry.archived !== undefined) return refusedFor('state', archivedPlan(entry));
  if (entry.status === 'done' && hasNotLanded(entry))
    return refused('state', `${plan} is done, and has not landed.`, suggest('land', slugOf(plan)));
  const instead = isPlanning(entry) ? askWhy : INSTEAD[entry.status];
  if (instead !== null)
    return refused('state', `${plan} is ${entry.status}, so it cannot be run.`, instead(slugOf(plan)));
  const going: RecordChange = { of: 'plan', plan, change: { going: true } };
  if (entry.status !== 'ready') {
    const changes = [...(entry.work?.going ? [] : [going]), ...retries(entry, now)];
    return changes.length === 0 ? IGNORED : accepted(record({ world, now, by }, { event: 'run', plan }, { changes }));
  }
  const request = {
    plan,
    event: 'implement_start',
    by,
    ...(fileProblem === undefined ? {} : { fileProblem }),
  } as const;
  const started = movePlan(world, request, now);
  const [line] = started.records;
  if (started.kind !== 'accepted' || line === undefined) return started;
  return accepted({ ...line, changes: [...(line.changes ?? []), going] });
}

/** The person may have removed what was in the way; if not, the engine reports it again. Its time starts again. */
function retries({ plan, tasks }: PlanEntry, now: Date): readonly RecordChange[] {
  return tasks.flatMap(({ id, run }): readonly RecordChange[] => {
    if (run?.issued?.heldUp === undefined) return [];
    const { heldUp: _heldUp, asleep: _asleep, ...issued } = run.issued;
    return [{ of: 'run', plan, task: id, change: { issued: { ...issued, at: now.toISOString() } } }];
  });
}

const INSTEAD: { readonly [status in PlanState]: ((plan: string) => Suggestion) | null } = {
  ready: null,
  planning: (plan) => suggest('move', plan, 'planner_finished'),
  implementing: null,
  reviewing: null,
  done: (plan) => suggest('start-over', plan),
  cancelled: (plan) => suggest('reopen', plan),
};

/** What a workshop waits for depends on how far it is. */
function askWhy(plan: string): Suggestion {
  return suggest('why', plan);
}

/** Whether the engine may launch the plan's tasks. */
export function isGoing(entry: { readonly status: PlanState; readonly work?: { readonly going: boolean } }): boolean {
  return entry.status === WORKING && entry.work?.going === true;
}
