// What the moves of a plan bring with them when cadre works on it, and how a person makes it do so.
import type { PlanEvent } from '../../../machines/plan.ts';
import { type Decision, refused } from '../../model/decision.ts';
import type { UnnumberedEffect } from '../../model/effect.ts';
import type { By } from '../../model/event.ts';
import type { JournalRecord } from '../../model/record.ts';
import type { Change, LandingFacts, PlanWork } from '../../model/run.ts';
import { mergingIn, openTasks } from '../../model/tasks.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import { cleanupEffects } from '../run/end.ts';
import { changesAsked, LEFT, noCycleLeft, waitForPerson, whyNotApproved, whyNoVerdict } from './review.ts';

export interface MoveExtras {
  readonly changes: readonly Change[];
  readonly effects: readonly UnnumberedEffect[];
}

interface Wish {
  readonly event: PlanEvent;
  readonly by: By;
  readonly feedback?: string;
  readonly landing?: LandingFacts;
}

const NOTHING: MoveExtras = { changes: [], effects: [] };

/** Nothing for a plan that is driven from outside; otherwise what goes into the record of the move, or why there is none. */
export function extrasForManagedPlan(
  world: World,
  entry: PlanEntry,
  wish: Wish,
  now: Date,
  signal?: NonNullable<JournalRecord['signal']>,
): MoveExtras | Decision {
  const { work, plan } = entry;
  if (work === undefined) return NOTHING;
  const only = (change: Partial<PlanWork>): MoveExtras => ({ changes: [{ of: 'plan', plan, change }], effects: [] });
  switch (wish.event) {
    case 'implement_start':
      return only({ reviewCycles: 0 });
    case 'implement_finished':
      return isFinished(entry)
        ? only(LEFT)
        : refused(
            'open-tasks',
            `${plan} is not finished: it has no task, or a task that is gone from its file is being merged.`,
          );
    case 'review_approved':
      return whyNoVerdict(world, entry, wish.by, wish.landing) ?? whyNotApproved(entry) ?? approved(world, entry, work);
    case 'review_changes_requested':
      return whyNoVerdict(world, entry, wish.by, wish.landing) ?? askForChanges(world, entry, work, wish, now, signal);
    case 'cancel':
      return only({ ...LEFT, going: false });
    case 'start_over':
      return startOver(entry, work);
    default:
      return NOTHING;
  }
}

/** Its branch lands, now or when cadre is thawed: what it landed as before, if it was done before, is past. */
function approved({ frozen }: World, { plan }: PlanEntry, { tip }: PlanWork): MoveExtras {
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
function askForChanges(
  world: World,
  entry: PlanEntry,
  work: PlanWork,
  { by, feedback }: Wish,
  now: Date,
  signal?: NonNullable<JournalRecord['signal']>,
): MoveExtras | Decision {
  if (by.who === 'agent' && noCycleLeft(world, work))
    return waitForPerson(world, entry, by, feedback ?? '', now, signal);
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
    .map((task): Change => ({ of: 'run', plan, task: task.id, change: null }));
  const fresh = { ...LEFT, going: false, generation: work.generation + 1, reviewCycles: 0, tip: null, landed: null };
  return {
    changes: [...ended, { of: 'plan', plan, change: fresh }],
    effects: [...unfinished, { do: 'renew-branch', plan, generation: work.generation }],
  };
}
