// What every prompt about a plan or a task is made from: what the plan says, the task, and what was decided about it since.
import type { AssignedTask, Assignment, KeptText } from '../../agents/prompts/assignment.ts';
import { introductionOf } from '../../plan/introduction.ts';
import { type Author, asAuthor, authorWords } from '../../signals/author.ts';
import type { TaskDecision } from '../model/run.ts';
import { openDemands } from '../model/tasks.ts';
import type { PlanEntry, TaskEntry } from '../model/world.ts';
import { rewritesIn } from './run.ts';

/** Keeps a text whole in a file of the run, so that a prompt can be short; returns where. */
export type Keep = (name: string, text: string) => string;

export interface Subject {
  readonly plan: PlanEntry;
  /** Undefined where the prompt is about the plan as a whole. */
  readonly task: TaskEntry | undefined;
  /** The texts that the plan's tasks were launched with, by their ids. */
  readonly texts: ReadonlyMap<string, string>;
  /** The text of the plan file as it is now; undefined where it cannot be read. */
  readonly planText: string | undefined;
  readonly site: Pick<Assignment, 'worktree' | 'branch' | 'base' | 'verify' | 'cadre'>;
}

export function assignmentOf({ plan, task, texts, planText, site }: Subject, keep: Keep): Assignment {
  const { title, text } = planText === undefined ? NO_INTRODUCTION : introductionOf(planText);
  return {
    ...site,
    plan: plan.plan,
    title: title ?? (plan.description === '' ? null : plan.description),
    about: kept('about', text, keep),
    task: task === undefined ? null : assigned(task, texts),
    decisions: kept('decisions', task === undefined ? '' : decisionsText(task), keep),
    into: plan.branch,
    rewrites: rewritesIn(task === undefined ? plan.tasks : [task]),
  };
}

const NO_INTRODUCTION = { title: null, text: '' };

function kept(name: string, text: string, keep: Keep): KeptText | null {
  return text === '' ? null : { text, path: keep(name, text) };
}

/** A task that a review asked for was written by who asked for it. */
function assigned({ id, address, name, feedback, feedbackBy }: TaskEntry, texts: Subject['texts']): AssignedTask {
  const author = feedback === undefined ? null : promptWords(feedbackBy ?? 'reviewer');
  return { address, name, text: texts.get(id) ?? '', author };
}

/** The answer that the implementer has just been given is told apart from these: see `replyTo` in turn-prompt.ts. */
function decisionsText(task: TaskEntry): string {
  const demands = new Set(openDemands(task));
  const counting = (task.decisions ?? []).filter((one) => one.kind !== 'demand' || demands.has(one));
  return counting
    .filter(({ seq }) => seq !== task.run?.entered)
    .map(decisionText)
    .join('\n\n');
}

function decisionText(decision: TaskDecision): string {
  const who = promptWords(asAuthor(decision.by));
  const subject = who.charAt(0).toUpperCase() + who.slice(1);
  switch (decision.kind) {
    case 'demand':
      return `${subject} demanded:\n${decision.text.trim()}`;
    case 'pivot':
      return `${subject} changed the task:\n${decision.text.trim()}`;
    case 'answer':
      return `The implementer asked:\n${decision.question?.trim() ?? ''}\n\n${subject} answered:\n${decision.text.trim()}`;
  }
}

/** The author in a sentence for an agent. */
export function promptWords(author: Author): string {
  if (author === 'person') return 'the person who runs this plan';
  return author === 'engine' ? 'cadre' : authorWords(author);
}
