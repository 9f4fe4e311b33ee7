// What the moves of a managed plan bring with them: changes, effects, and reasons to refuse.

import type { PlanEvent } from '../../../machines/plan.ts';
import { type Author, authorOf } from '../../../signals/author.ts';
import { type Decision, refused } from '../../model/decision.ts';
import type { UnnumberedEffect } from '../../model/effect.ts';
import { type Finding, isListed, isOpen } from '../../model/review/finding.ts';
import type { PlanWork, RecordChange } from '../../model/run.ts';
import { mayIssue } from '../../model/stops.ts';
import { mergingIn, openTasks } from '../../model/tasks.ts';
import type { PlanEntry } from '../../model/world.ts';
import { cleanupEffects } from '../run/end.ts';
import type { ManagedContext, PlanContext } from './context.ts';
import { personsFindings } from './persons-findings.ts';
import { AFTER_REVIEW, changesRequested, noCycleLeft, waitForPerson, whyNotApproved, whyNoVerdict } from './review.ts';

export interface MoveExtras {
  readonly changes: readonly RecordChange[];
  readonly effects: readonly UnnumberedEffect[];
}

/** What is known about a requested move. */
interface MoveRequest {
  readonly event: PlanEvent;
  readonly feedback?: string;
  readonly feedbackBy?: Author;
  readonly along?: readonly RecordChange[];
}

type Extras = (context: ManagedContext, request: MoveRequest) => MoveExtras | Decision;

/** What else goes into the record of a move, or why the move is refused. Nothing for a plan that is driven from outside. */
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
      ? workChange(entry, AFTER_REVIEW)
      : refused(
          'open-tasks',
          `${entry.plan} is not finished: it has no tasks, or a task that was removed from its file is being merged.`,
        ),
  review_approved: (context) => whyNotApproved(context.entry) ?? approved(context),
  review_changes_requested: (context, request) => whyNoVerdict(context) ?? askForChanges(context, request),
  cancel: ({ entry }) => workChange(entry, { ...AFTER_REVIEW, going: false }),
  reopen: null,
  start_over: ({ entry, work }) => startOver(entry, work),
};

function workChange({ plan }: PlanEntry, change: Partial<PlanWork>): MoveExtras {
  return { changes: [{ of: 'plan', plan, change }], effects: [] };
}

/** Its branch lands, now or when something may be issued again. The result of an earlier landing is dropped. */
function approved(context: ManagedContext): MoveExtras {
  const { world, entry } = context;
  const { plan } = entry;
  const { tip } = context.work;
  const landsNow = mayIssue(world, entry);
  return {
    changes: [
      ...personsFindings(context, { approves: true }),
      { of: 'plan', plan, change: { ...AFTER_REVIEW, landed: null, lands: !landsNow } },
    ],
    effects: landsNow ? [{ do: 'land', plan, tip }] : [],
  };
}

/** It has tasks, none of them is open, and none is being merged. */
export function isFinished(entry: PlanEntry): boolean {
  return entry.tasks.some((task) => !task.stale) && openTasks(entry).length === 0 && mergingIn(entry) === undefined;
}

/** The limit of review cycles is checked before the move, and only for agents. */
function askForChanges(context: ManagedContext, request: MoveRequest): MoveExtras | Decision {
  const { world, entry, work, by } = context;
  const { feedback, feedbackBy, along = [] } = request;
  const author = feedbackBy ?? authorOf(by);
  if (by.who === 'agent' && noCycleLeft(world, work)) return waitForPerson(context, feedback ?? '', author, along);
  const asked = changesRequested(entry, work, feedback, author);
  if ('records' in asked) return asked;
  const demands = feedbackBy === undefined ? personsFindings(context, { demands: feedback ?? '' }) : [];
  return { changes: [...demands, ...asked.changes], effects: [] };
}

/** A new generation: all runs end, and a new plan branch is started. */
function startOver(entry: PlanEntry, work: PlanWork): MoveExtras {
  const { plan } = entry;
  const unfinished = entry.tasks.flatMap((task) =>
    task.run === undefined || task.run.state === 'DONE' ? [] : cleanupEffects({ entry, task, run: task.run }, 'remove'),
  );
  const ended = entry.tasks
    .filter((task) => task.run !== undefined)
    .map((task): RecordChange => ({ of: 'run', plan, task: task.id, change: null }));
  const fresh = {
    ...AFTER_REVIEW,
    going: false,
    generation: work.generation + 1,
    reviewCycles: 0,
    looked: null,
    tip: null,
    moving: null,
    incident: null,
    landed: null,
  };
  return {
    changes: [...ended, ...overruled(entry), { of: 'plan', plan, change: fresh }],
    effects: [...unfinished, { do: 'renew-branch', plan, generation: work.generation }],
  };
}

/** What was open in the generation that ends is settled with it; the record says so. */
function overruled(entry: PlanEntry): readonly RecordChange[] {
  const { plan, tasks } = entry;
  const owners = [{ task: null, of: entry }, ...tasks.map((task) => ({ task: task.id, of: task }))];
  return owners.flatMap(({ task, of }): readonly RecordChange[] => {
    const findings = (of.findings ?? [])
      .filter((finding) => isOpen(finding) || isListed(finding))
      .map(({ claimed: _claimed, listed: _listed, ...finding }): Finding => {
        return { ...finding, state: 'overruled', decidedBy: 'person', because: 'The plan was started over.' };
      });
    return findings.length === 0 ? [] : [{ of: 'findings', plan, task, findings }];
  });
}
