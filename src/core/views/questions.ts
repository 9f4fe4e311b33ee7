// The open questions of all runs.
import { WORKING } from '../../machines/plan.ts';
import { answererOf } from '../model/run-status.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';
import { taskReference } from './actions.ts';

export interface OpenQuestion {
  /** What the answer refers to: `search#2`. */
  readonly id: string;
  readonly plan: string;
  readonly task: string;
  readonly name: string;
  readonly kind: 'ordinary' | 'check-in';
  readonly since: string;
  readonly text: string;
  /** Who is asked to answer; a person always may. */
  readonly answerer: 'human' | 'agent' | 'auto';
  /** Its plan is not being built at the moment, so it cannot be answered now. */
  readonly suspended: boolean;
  /** The words an answer starts with; empty where any answer will do. */
  readonly answers: readonly string[];
}

export const CHECK_IN_ANSWERS = ['CONTINUE', 'PIVOT', 'ESCALATE', 'ABANDON'] as const;

export function openQuestions(world: World): readonly OpenQuestion[] {
  return [...world.plans.values()].flatMap((entry) => entry.tasks.flatMap((task) => questionOf(world, entry, task)));
}

function questionOf({ policy }: World, entry: PlanEntry, task: TaskEntry): readonly OpenQuestion[] {
  const { run } = task;
  if (run?.state !== 'QUESTION' || run.question === null) return [];
  const { kind, text } = run.question;
  return [
    {
      id: taskReference(entry, task),
      plan: entry.plan,
      task: task.address,
      name: task.name,
      kind,
      since: run.since,
      text,
      answerer: answererOf(run, policy),
      suspended: entry.status !== WORKING,
      answers: kind === 'check-in' ? CHECK_IN_ANSWERS : [],
    },
  ];
}
