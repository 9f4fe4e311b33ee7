// `cadre run`: a person lets cadre work on a plan by itself. And where the plan's branch is, as the engine sees it.
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
    const changes = [...(entry.work?.going ? [] : [going]), ...triedAgain(entry)];
    return changes.length === 0 ? IGNORED : accepted(record({ world, now, by }, { event: 'run', plan }, { changes }));
  }
  const wish = { plan, event: 'implement_start', by, ...(fileProblem === undefined ? {} : { fileProblem }) } as const;
  const started = movePlan(world, wish, now);
  const [line] = started.records;
  if (started.kind !== 'accepted' || line === undefined) return started;
  return accepted({ ...line, changes: [...(line.changes ?? []), going] });
}

/** Whoever comes back to it may have put right what was in the way; the engine says it again where that is not so. */
function triedAgain({ plan, tasks }: PlanEntry): readonly RecordChange[] {
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

/** Where the tasks of a plan may be launched by the engine. */
export function isGoing(entry: { readonly status: PlanState; readonly work?: { readonly going: boolean } }): boolean {
  return entry.status === WORKING && entry.work?.going === true;
}
