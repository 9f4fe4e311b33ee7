// Launching a task: one record creates the run, gives it the task, and issues the effect for its worktree.

import { step } from '../../../machines/machine.ts';
import { WORKING } from '../../../machines/plan.ts';
import { runMachine } from '../../../machines/run.ts';
import { taskMachine } from '../../../machines/task.ts';
import { slugOf } from '../../../plan/name.ts';
import { accepted, type Decision, record, refused } from '../../model/decision.ts';
import { effectId, numbered } from '../../model/effect.ts';
import { machineForNew, runPlaceFor } from '../../model/ids.ts';
import type { RecordChange, RunEntry } from '../../model/run.ts';
import { branchOfRun } from '../../model/run-name.ts';
import { branchStopOf } from '../../model/stops.ts';
import { suggest } from '../../model/suggestion.ts';
import { blockersOf, listed } from '../../model/tasks.ts';
import { cleanupEffects } from './end.ts';
import { nameOf, runEffectFields, type TaskContext, taskMove } from './step.ts';

export function launch(context: TaskContext): Decision {
  const { task } = context;
  if (task.state !== taskMachine.initial)
    return refused('state', `${nameOf(context)} is ${task.state}, so it cannot be launched.`);
  return whyNotLaunched(context) ?? startRun(context);
}

/** After an ERROR: one record reverts the task and starts another run, under the same conditions as a launch. */
export function launchAgain(context: TaskContext): Decision {
  return whyNotLaunched(context) ?? startRun(context);
}

function whyNotLaunched(context: TaskContext): Decision | undefined {
  const { world, entry, task, by } = context;
  const name = nameOf(context);
  if (entry.status !== WORKING)
    return refused(
      'state',
      `${name} cannot be launched: its plan is ${entry.status}, not ${WORKING}.`,
      ...(entry.status === 'ready' ? [suggest('run', slugOf(entry.plan))] : []),
    );
  const stop = branchStopOf(world, entry);
  if (stop !== undefined) return refused(stop.code, `${name} is not launched, because ${stop.why}.`, stop.end);
  if (task.stale) return refused('stale', `${name} is no longer in the plan file, so it cannot be launched.`);
  if (task.held && by.who !== 'user')
    return refused('source', `${name} is held, so only a person can launch it again.`);
  const blockedBy = blockersOf(entry, task);
  if (blockedBy.length > 0)
    return refused('blocked', `${name} waits for ${listed(blockedBy)}, which must be done first.`);
  return undefined;
}

function startRun(context: TaskContext): Decision {
  const { world, entry, task } = context;
  const run = freshRun(context);
  const { attempt } = run;
  const before = task.run === undefined ? [] : cleanupEffects({ ...context, run: task.run }, 'remove');
  const received = step(runMachine, run.state, 'receive_task');
  if (received.kind === 'refused') throw new Error(received.why);
  const planned = { ...task, state: taskMachine.initial };
  const changes: RecordChange[] = [
    { of: 'run', plan: entry.plan, task: task.id, change: run },
    { of: 'task', plan: entry.plan, task: task.id, change: { attempts: attempt } },
    ...(entry.work === undefined ? [{ of: 'plan' as const, plan: entry.plan, change: {} }] : []),
  ];
  return accepted(
    record(
      context,
      { event: 'launch', plan: entry.plan, task: task.id },
      {
        moves: [
          ...(task.state === taskMachine.initial ? [] : [taskMove(context, 'revert')]),
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
        effects: numbered(world.seq + 1, [{ do: 'worktree', ...runEffectFields({ ...context, run }) }, ...before]),
      },
    ),
  );
}

export function freshRun({ world, now, entry, task }: TaskContext): RunEntry {
  const seq = world.seq + 1;
  const attempt = task.attempts + 1;
  const at = now.toISOString();
  return {
    attempt,
    state: runMachine.initial,
    since: at,
    entered: seq,
    stage: null,
    place: runPlaceFor(seq),
    ...machineForNew(world.policy),
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
