// The open questions of all runs.
import { WORKING } from '../../machines/plan.ts';
import { answererOf } from '../model/run-status.ts';
import { isPlanning } from '../model/workshop/status.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';
import { taskReference } from './actions.ts';
import { questionReference } from './workshop/view.ts';

export interface OpenQuestion {
  /** What the answer refers to: `search#2`. */
  readonly id: string;
  readonly plan: string;
  /** The task that asks; null where the planner of a workshop does. */
  readonly task: string | null;
  /** The task's name, or the plan's description. */
  readonly name: string;
  readonly kind: 'ordinary' | 'check-in' | 'unchanged' | 'planning';
  readonly since: string;
  readonly text: string;
  /** Who is asked to answer; a person always may. */
  readonly answerer: 'human' | 'agent' | 'auto';
  /** Its plan is not being built at the moment, so it cannot be answered now. */
  readonly suspended: boolean;
  /** The words an answer starts with; empty where any answer will do. */
  readonly answers: readonly string[];
  /** Nothing continues without an answer. One that is not blocking can be skipped. */
  readonly blocking: boolean;
  /** Why it is asked; empty where that was not said. */
  readonly why: string;
  /** Answers that the planner suggests, the best one first. */
  readonly suggestions: readonly string[];
}

export const CHECK_IN_ANSWERS = ['CONTINUE', 'PIVOT', 'ESCALATE', 'ABANDON'] as const;

export function openQuestions(world: World): readonly OpenQuestion[] {
  const entries = [...world.plans.values()].filter(({ archived }) => archived === undefined);
  return entries.flatMap((entry) => [
    ...planningQuestions(entry),
    ...entry.tasks.flatMap((task) => questionOf(world, entry, task)),
  ]);
}

function planningQuestions(entry: PlanEntry): readonly OpenQuestion[] {
  const open = entry.workshop?.questions.filter(({ state }) => state === 'open') ?? [];
  return open.map((question) => ({
    id: questionReference(entry, question),
    plan: entry.plan,
    task: null,
    name: entry.description,
    kind: 'planning',
    since: question.at,
    text: question.text,
    answerer: 'human',
    suspended: !isPlanning(entry),
    answers: [],
    blocking: question.blocking,
    why: question.why,
    suggestions: question.suggestions,
  }));
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
      answerer: answererOf(run, policy, task),
      suspended: entry.status !== WORKING,
      answers: kind === 'check-in' ? CHECK_IN_ANSWERS : [],
      blocking: true,
      why: '',
      suggestions: [],
    },
  ];
}
