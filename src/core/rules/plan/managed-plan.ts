// What the moves of a plan bring with them when cadre works on it, and how a person makes it do so.

import type { PlanEvent } from '../../../machines/plan.ts';
import { type Decision, refused } from '../../model/decision.ts';
import type { UnnumberedEffect } from '../../model/effect.ts';
import type { LandingFacts, PlanWork, RecordChange } from '../../model/run.ts';
import { mergingIn, openTasks } from '../../model/tasks.ts';
import type { PlanEntry } from '../../model/world.ts';
import { cleanupEffects } from '../run/end.ts';
import type { ManagedContext, PlanContext } from './context.ts';
import { changesAsked, LEFT, noCycleLeft, waitForPerson, whyNotApproved, whyNoVerdict } from './review.ts';

export interface MoveExtras {
  readonly changes: readonly RecordChange[];
  readonly effects: readonly UnnumberedEffect[];
}

/** What a move is asked for with. */
interface MoveRequest {
  readonly event: PlanEvent;
  readonly feedback?: string;
  readonly landing?: LandingFacts;
}

type Extras = (context: ManagedContext, request: MoveRequest) => MoveExtras | Decision;

/** Nothing for a plan that is driven from outside; otherwise what goes into the record of the move, or why there is none. */
export function extrasForManagedPlan(context: PlanContext, request: MoveRequest): MoveExtras | Decision {
  const { work } = context.entry;
  return (work === undefined ? undefined : EXTRAS[request.event]?.({ ...context, work }, request)) ?? NOTHING;
}

const NOTHING: MoveExtras = { changes: [], effects: [] };

const EXTRAS: { readonly [event in PlanEvent]: Extras | null } = {
  plan_start: null,
  planner_finished: null,
  implement_start: ({ entry }) => workChange(entry, { reviewCycles: 0 }),
  implement_finished: ({ entry }) =>
    isFinished(entry)
      ? workChange(entry, LEFT)
      : refused(
          'open-tasks',
          `${entry.plan} is not finished: it has no tasks, or a task that was removed from its file is being merged.`,
        ),
  review_approved: (context, { landing }) =>
    whyNoVerdict(context, landing) ?? whyNotApproved(context.entry) ?? approved(context),
  review_changes_requested: (context, { landing, feedback }) =>
    whyNoVerdict(context, landing) ?? askForChanges(context, feedback),
  cancel: ({ entry }) => workChange(entry, { ...LEFT, going: false }),
  reopen: null,
  start_over: ({ entry, work }) => startOver(entry, work),
};

function workChange({ plan }: PlanEntry, change: Partial<PlanWork>): MoveExtras {
  return { changes: [{ of: 'plan', plan, change }], effects: [] };
}

/** Its branch lands, now or when cadre is thawed: what it landed as before, if it was done before, is past. */
function approved({ world: { frozen }, entry: { plan }, work: { tip } }: ManagedContext): MoveExtras {
  return {
    changes: [{ of: 'plan', plan, change: { ...LEFT, landed: null, lands: frozen } }],
    effects: frozen ? [] : [{ do: 'land', plan, tip }],
  };
}

/** Something was built, nothing of it is open, and nothing is under way to the plan's branch. */
export function isFinished(entry: PlanEntry): boolean {
  return entry.tasks.some((task) => !task.stale) && openTasks(entry).length === 0 && mergingIn(entry) === undefined;
}

/** The limit is looked at before the move, and binds agents only. */
function askForChanges(context: ManagedContext, feedback: string | undefined): MoveExtras | Decision {
  const { world, entry, work, by } = context;
  if (by.who === 'agent' && noCycleLeft(world, work)) return waitForPerson(context, feedback ?? '');
  const asked = changesAsked(entry, work, feedback);
  return 'records' in asked ? asked : { ...asked, effects: [] };
}

/** A new generation: the runs are ended, and the branch is begun anew. */
function startOver(entry: PlanEntry, work: PlanWork): MoveExtras {
  const { plan } = entry;
  const unfinished = entry.tasks.flatMap((task) =>
    task.run === undefined || task.run.state === 'DONE' ? [] : cleanupEffects({ entry, task, run: task.run }, 'remove'),
  );
  const ended = entry.tasks
    .filter((task) => task.run !== undefined)
    .map((task): RecordChange => ({ of: 'run', plan, task: task.id, change: null }));
  const fresh = { ...LEFT, going: false, generation: work.generation + 1, reviewCycles: 0, tip: null, landed: null };
  return {
    changes: [...ended, { of: 'plan', plan, change: fresh }],
    effects: [...unfinished, { do: 'renew-branch', plan, generation: work.generation }],
  };
}
