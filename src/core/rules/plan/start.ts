// Rules for `cadre run`, by which a person lets cadre build a plan, and for the tip of the plan branch.
import { type PlanState, WORKING } from '../../../machines/plan.ts';
import { slugOf } from '../../../plan/name.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED, record, refused, refusedFor } from '../../model/decision.ts';
import type { EventOfKind } from '../../model/event.ts';
import { speakerName, unknownPlan } from '../../model/refusals.ts';
import type { RecordChange } from '../../model/run.ts';
import { type Suggestion, suggest } from '../../model/suggestion.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import { movePlan } from './move.ts';

export function startPlan(world: World, event: EventOfKind<'run'>, now: Date): Decision {
  const { plan, by, fileProblem } = event;
  if (by.who !== 'user') return refused('source', `Only a person lets cadre build a plan; ${speakerName(by)} cannot.`);
  const entry = world.plans.get(plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(plan));
  const instead = INSTEAD[entry.status];
  if (instead !== null)
    return refused('state', `${plan} is ${entry.status}, so it cannot be run.`, instead(slugOf(plan)));
  const going: RecordChange = { of: 'plan', plan, change: { going: true } };
  if (entry.status !== 'ready') {
    const changes = [...(entry.work?.going ? [] : [going]), ...retries(entry)];
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

/** The person may have removed what was in the way; if not, the engine reports it again. */
function retries({ plan, tasks }: PlanEntry): readonly RecordChange[] {
  return tasks.flatMap(({ id, run }): readonly RecordChange[] => {
    if (run?.issued?.heldUp === undefined) return [];
    const { heldUp: _heldUp, ...issued } = run.issued;
    return [{ of: 'run', plan, task: id, change: { issued } }];
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

export function recordBranchTip(world: World, { plan, tip }: EventOfKind<'tip'>, now: Date): Decision {
  const entry = world.plans.get(plan);
  if (entry?.work === undefined || entry.work.tip === tip) return IGNORED;
  const change: RecordChange = { of: 'plan', plan, change: { tip } };
  return accepted(record({ world, now, by: BY_ENGINE }, { event: 'tip_seen', plan }, { changes: [change] }));
}

/** Whether the engine may launch the plan's tasks. */
export function isGoing(entry: { readonly status: PlanState; readonly work?: { readonly going: boolean } }): boolean {
  return entry.status === WORKING && entry.work?.going === true;
}
