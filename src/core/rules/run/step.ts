// One step of a run: its moves, the move of its task, other changes, and effects, in one record.

import { step } from '../../../machines/machine.ts';
import { type RunEvent, runMachine } from '../../../machines/run.ts';
import { type TaskEvent, type TaskState, taskMachine } from '../../../machines/task.ts';
import { taskEventBetween, taskStateOf } from '../../../machines/task-of-run.ts';
import { slugOf } from '../../../plan/name.ts';
import { type Author, authorOf } from '../../../signals/author.ts';
import { accepted, type Decision, type DecisionContext, record, refused } from '../../model/decision.ts';
import { effectId, numbered, type UnnumberedEffect } from '../../model/effect.ts';
import { sameMachine } from '../../model/ids.ts';
import type { JournalRecord, Move, RunFactEvent } from '../../model/record.ts';
import type { Finding } from '../../model/review/finding.ts';
import type {
  PendingEffect,
  RecordChange,
  RunEntry,
  Said,
  TaskDecision,
  TaskMarks,
  Verified,
} from '../../model/run.ts';
import type { PlanEntry, TaskEntry } from '../../model/world.ts';

/** The context of rules for tasks. */
export interface TaskContext extends DecisionContext {
  readonly entry: PlanEntry;
  readonly task: TaskEntry;
}

export interface RunContext extends TaskContext {
  readonly run: RunEntry;
  /** The signal that asks for the decision, if one does. */
  readonly signal?: NonNullable<JournalRecord['signal']>;
}

export interface RunStep {
  /** The run's moves in order; the first is the record's event unless `name` is given. */
  readonly moves: readonly RunEvent[];
  readonly name?: RunFactEvent;
  readonly cause?: string;
  /** The effect whose result this step is. */
  readonly result?: string;
  readonly verified?: Verified | undefined;
  readonly change?: Partial<RunEntry>;
  /** What is decided about the task, beyond this run. */
  readonly decision?: TaskDecision;
  /** Findings of the task that are new or change. */
  readonly findings?: readonly Finding[];
  readonly marks?: TaskMarks;
  /** Changes of something other than the run. */
  readonly also?: readonly RecordChange[];
  /** The effect that the run waits for from now on. */
  readonly issue?: IssuedEffect;
  readonly effects?: readonly UnnumberedEffect[];
}

export type IssuedEffect = Extract<UnnumberedEffect, { do: PendingEffect['do'] }>;

export function recordStep(context: RunContext, { moves: events, ...what }: RunStep): Decision {
  const { world, now, by, entry, task, run, signal } = context;
  const moves: Move[] = [];
  let state = run.state;
  for (const event of events) {
    const result = step(runMachine, state, event);
    if (result.kind === 'refused') return refused('state', `${nameOf(context)} was not changed: ${result.why}`);
    moves.push({ machine: 'coder', ...runKey(context), event, from: state, to: result.to });
    state = result.to;
  }
  const seq = world.seq + 1;
  const issued: PendingEffect | null =
    what.issue === undefined ? null : { effect: effectId(seq, 0), do: what.issue.do, at: now.toISOString() };
  const change: Partial<RunEntry> = {
    ...(events.length === 0 ? {} : resetFor(state)),
    ...(events.length === 0 && issued === null ? {} : { issued }),
    ...(by.who === 'agent' && !run.started ? { started: true } : {}),
    ...(run.waitsNext && (events.length > 0 || issued !== null) ? { waitsNext: false } : {}),
    ...(what.verified === undefined ? {} : { verified: what.verified }),
    ...what.change,
  };
  moves.push(...taskMoveTo(context, taskStateOf({ ...run, ...change, state })));
  const name = what.name ?? events[0];
  if (name === undefined) throw new Error('A step of a run has a name.');
  const effects = numbered(seq, [...(what.issue === undefined ? [] : [what.issue]), ...(what.effects ?? [])]);
  const fact = {
    event: name,
    ...runKey(context),
    ...(what.cause === undefined ? {} : { cause: what.cause }),
    ...(what.result === undefined ? {} : { result: what.result }),
    ...(what.verified === undefined ? {} : { verified: what.verified }),
  };
  return accepted(
    record(context, fact, {
      moves,
      changes: [
        { of: 'run', plan: entry.plan, task: task.id, change },
        ...(what.decision === undefined
          ? []
          : [{ of: 'decision' as const, plan: entry.plan, task: task.id, decision: what.decision }]),
        ...(what.findings === undefined || what.findings.length === 0
          ? []
          : [{ of: 'findings' as const, plan: entry.plan, task: task.id, findings: what.findings }]),
        ...(what.marks === undefined
          ? []
          : [{ of: 'task' as const, plan: entry.plan, task: task.id, change: what.marks }]),
        ...(what.also ?? []),
      ],
      ...(effects.length === 0 ? {} : { effects }),
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}

/** Resets what belongs to the state that is left. A review always starts with the spec. */
function resetFor(to: RunEntry['state']): Partial<RunEntry> {
  return {
    stage: to === 'CODE_REVIEW' ? 'spec' : null,
    advised: false,
    ruled: false,
    ...(to === 'QUESTION' ? {} : { question: null }),
  };
}

/** The task follows its run, in the same record. */
function taskMoveTo(context: RunContext, to: TaskState): readonly Move[] {
  const from = context.task.state;
  if (from === to) return [];
  const event = taskEventBetween(from, to);
  if (event === undefined) throw new Error(`The run of ${nameOf(context)} cannot take its task from ${from} to ${to}.`);
  return [taskMove(context, event)];
}

export function taskMove({ entry, task }: Pick<RunContext, 'entry' | 'task'>, event: TaskEvent): Move {
  const result = step(taskMachine, task.state, event);
  if (result.kind === 'refused') throw new Error(`The run of ${nameOf({ entry, task })} moves its task: ${result.why}`);
  return { machine: 'task', plan: entry.plan, task: task.id, event, from: task.state, to: result.to };
}

export function runKey({ entry, task, run }: Pick<RunContext, 'entry' | 'task' | 'run'>) {
  return { plan: entry.plan, task: task.id, attempt: run.attempt };
}

interface Saying extends Said {
  readonly by: Author;
  readonly seq: number;
}

/** What the one who asks for the decision says about the run. */
export function sayingOf({ by, world }: RunContext, text: string): Saying {
  return { by: authorOf(by), text, seq: world.seq + 1 };
}

/** What every effect of a run contains. */
export function runEffectFields(context: Pick<RunContext, 'entry' | 'task' | 'run'>) {
  return { ...runKey(context), place: context.run.place, branch: context.run.branch, ...sameMachine(context.run) };
}

export function nameOf({ entry, task }: Pick<RunContext, 'entry' | 'task'>): string {
  return `${entry.plan}#${task.address}`;
}

/** The task as a person types it. */
export function referenceTo({ entry, task }: Pick<RunContext, 'entry' | 'task'>): string {
  return `${slugOf(entry.plan)}#${task.address}`;
}
