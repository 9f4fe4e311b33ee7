// What every prompt about a plan or a task is made from: what the plan says, the brief of the task, and the worktree.
import type { Assignment, KeptText, PlanSays } from '../../../agents/prompts/assignment.ts';
import { briefText } from '../../../agents/prompts/brief.ts';
import { introductionOf } from '../../../plan/introduction.ts';
import { parse } from '../../../plan/parse.ts';
import type { PlanEntry, TaskEntry } from '../../model/world.ts';
import { rewritesIn } from '../run.ts';
import { briefOf } from './brief.ts';

/** Keeps a text whole in a file of the run, so that a prompt can be short; returns where. */
export type Keep = (name: string, text: string) => string;

/** The names of the brief's file and of those that it names. Unlike others they are the same in every turn. */
export const BRIEF_FILES: readonly string[] = ['brief', 'about', 'decisions', 'earlier-decisions', 'open-findings'];

/** Writes the brief of a task again, as it is now. */
export function keepBrief(subject: Omit<PromptSubject, 'site'>, keep: Keep): void {
  const { plan, task, texts, planText } = subject;
  if (task !== undefined) keep('brief', briefText(briefOf({ plan, task, texts, says: saysOf(planText, keep) }, keep)));
}

export interface PromptSubject {
  readonly plan: PlanEntry;
  /** Undefined where the prompt is about the plan as a whole. */
  readonly task: TaskEntry | undefined;
  /** The texts that the plan's tasks were launched with, by their ids. */
  readonly texts: ReadonlyMap<string, string>;
  /** The text of the plan file as it is now; undefined where it cannot be read. */
  readonly planText: string | undefined;
  readonly site: Pick<Assignment, 'worktree' | 'branch' | 'base' | 'verify' | 'cadre'>;
}

export function assignmentOf({ plan, task, texts, planText, site }: PromptSubject, keep: Keep): Assignment {
  const title = planText === undefined ? null : introductionOf(planText).title;
  const says = saysOf(planText, keep);
  const brief = task === undefined ? undefined : briefOf({ plan, task, texts, says }, keep);
  return {
    ...site,
    plan: plan.plan,
    title: title ?? (plan.description === '' ? null : plan.description),
    says,
    brief: brief === undefined ? null : { ...brief, path: keep('brief', briefText(brief)) },
    into: plan.branch,
    rewrites: rewritesIn(task === undefined ? plan.tasks : [task]),
  };
}

export const NOTHING_SAID: PlanSays = {
  all: null,
  goal: null,
  architecture: null,
  techStack: null,
  constraints: null,
};

/** What the plan says besides its tasks. */
function saysOf(planText: string | undefined, keep: Keep): PlanSays {
  if (planText === undefined) return NOTHING_SAID;
  const { goal, architecture, techStack, constraints } = parse(planText).plan;
  return { all: keptIn('about', introductionOf(planText).text, keep), goal, architecture, techStack, constraints };
}

export function keptIn(name: string, text: string, keep: Keep): KeptText | null {
  return text === '' ? null : { text, path: keep(name, text) };
}
