// Launching a task: its run is created and handed the task in one record, and its worktree is issued with it.

import { step } from '../../../machines/machine.ts';
import { WORKING } from '../../../machines/plan.ts';
import { runMachine } from '../../../machines/run.ts';
import { taskMachine } from '../../../machines/task.ts';
import { accepted, type Decision, record, refused } from '../../model/decision.ts';
import { effectId, numbered } from '../../model/effect.ts';
import type { By } from '../../model/event.ts';
import { machineForNew, runPlaceFor } from '../../model/ids.ts';
import type { Change, RunEntry } from '../../model/run.ts';
import { branchOfRun } from '../../model/run-name.ts';
import { blockersOf, listed } from '../../model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../../model/world.ts';
import type { Policy } from '../../settings/policy.ts';
import { cleanupEffects } from './end.ts';
import { nameOf, ofRun, taskMove } from './step.ts';

export function launch(world: World, entry: PlanEntry, task: TaskEntry, by: By, now: Date): Decision {
  if (task.state !== taskMachine.initial)
    return refused('state', `${nameOf({ entry, task })} is ${task.state}, so it cannot be launched.`);
  return whyNotLaunched(world, entry, task, by) ?? begin(world, entry, task, by, now);
}

/** After an ERROR: the run is taken back and another begun, in one record, under the same conditions. */
export function launchAgain(world: World, entry: PlanEntry, task: TaskEntry, by: By, now: Date): Decision {
  return whyNotLaunched(world, entry, task, by) ?? begin(world, entry, task, by, now);
}

function whyNotLaunched(world: World, entry: PlanEntry, task: TaskEntry, by: By): Decision | undefined {
  const name = nameOf({ entry, task });
  if (entry.status !== WORKING)
    return refused(
      'state',
      `${name} cannot be launched: its plan is ${entry.status}, not ${WORKING}. "cadre run" starts a plan that is ready.`,
    );
  if (world.frozen)
    return refused('frozen', `${name} is not launched, because cadre is frozen. "cadre thaw" lets it go on.`);
  if (task.stale) return refused('stale', `${name} is not in the plan's file any more, so it is not launched.`);
  if (task.held && by.who !== 'user')
    return refused('source', `${name} was taken back by a person, so only a person launches it again.`);
  const blockedBy = blockersOf(entry, task);
  if (blockedBy.length > 0)
    return refused('blocked', `${name} waits for ${listed(blockedBy)}, which must be done first.`);
  return undefined;
}

function begin(world: World, entry: PlanEntry, task: TaskEntry, by: By, now: Date): Decision {
  const seq = world.seq + 1;
  const attempt = task.attempts + 1;
  const run = freshRun(world.policy, entry, task, attempt, seq, now);
  const scene = { entry, task, run };
  const before = task.run === undefined ? [] : cleanupEffects({ ...scene, run: task.run }, 'remove');
  const received = step(runMachine, run.state, 'receive_task');
  if (received.kind === 'refused') throw new Error(received.why);
  const planned = { ...task, state: taskMachine.initial };
  const changes: Change[] = [
    { of: 'run', plan: entry.plan, task: task.id, change: run },
    { of: 'task', plan: entry.plan, task: task.id, change: { attempts: attempt } },
    ...(entry.work === undefined ? [{ of: 'plan' as const, plan: entry.plan, change: {} }] : []),
  ];
  return accepted(
    record(
      world,
      now,
      by,
      { event: 'launch', plan: entry.plan, task: task.id },
      {
        moves: [
          ...(task.state === taskMachine.initial ? [] : [taskMove(scene, 'revert')]),
          taskMove({ entry, task: planned }, 'launch'),
          {
            machine: 'coder',
            plan: entry.plan,
            task: task.id,
            attempt,
            event: 'receive_task',
            from: run.state,
            to: received.to,
          },
        ],
        changes,
        effects: numbered(seq, [{ do: 'worktree', ...ofRun(scene) }, ...before]),
      },
    ),
  );
}

function freshRun(
  policy: Policy,
  entry: PlanEntry,
  task: TaskEntry,
  attempt: number,
  seq: number,
  now: Date,
): RunEntry {
  const at = now.toISOString();
  return {
    attempt,
    state: runMachine.initial,
    since: at,
    entered: seq,
    stage: null,
    place: runPlaceFor(seq),
    ...machineForNew(policy),
    branch: branchOfRun(entry.plan, { task: task.id, attempt }),
    base: null,
    head: null,
    pinned: null,
    unverified: false,
    advised: false,
    override: null,
    question: null,
    fixing: null,
    said: null,
    plan: null,
    counts: { coding: 0, fixing: 0, checkins: 0, turns: 0, mergeAttempts: 0, relaunches: 0 },
    session: null,
    issued: { effect: effectId(seq, 0), do: 'worktree', at },
    started: false,
    usedUp: null,
    failed: null,
    clock: { spent: 0, at },
  };
}
