// The prompt of the planner of a workshop at the start of its turn.
import type { Assignment } from '../../../agents/prompts/assignment.ts';
import type { Prompt } from '../../../agents/prompts/prompt.ts';
import { type AskingState, planInWorkshop } from '../../../agents/prompts/workshop.ts';
import { reviewWorkshopPlan } from '../../../agents/prompts/workshop-review.ts';
import { projectPlan } from '../../../workshop/project-plan.ts';
import { transcriptText } from '../../files/planning-folder.ts';
import type { WorkshopEntry } from '../../model/workshop/entry.ts';
import type { PlanEntry } from '../../model/world.ts';
import { type Keep, NOTHING_SAID } from '../prompts/assignment.ts';
import { summaryOf } from './repository-summary.ts';

export interface PlannersTurn {
  readonly plan: PlanEntry;
  readonly site: Pick<Assignment, 'worktree' | 'branch' | 'base' | 'verify' | 'cadre'>;
  /** The files in the commit that the planner reads. */
  readonly files: readonly string[];
}

export function workshopPrompt({ plan, site, files }: PlannersTurn, keep: Keep): Prompt {
  const { workshop } = plan;
  if (workshop === undefined || !isAsking(workshop.state))
    throw new Error(`${plan.plan} has no workshop that asks for a document.`);
  const kept = (name: string, text: string) => ({ text, path: keep(name, text) });
  const feedback = feedbackIn(workshop);
  const answers = answersIn(workshop);
  const before = workshop.versions.findLast((one) => one !== null) ?? null;
  return planInWorkshop(assignmentOf(plan, site), {
    state: workshop.state,
    round: workshop.round,
    brief: kept('brief', workshop.brief),
    repository: summaryOf(files),
    proposals:
      workshop.last === null ? null : kept('proposals', `${JSON.stringify(workshop.last.proposals, null, 2)}\n`),
    transcript: kept('transcript', transcriptText(workshop)),
    answers: answers === '' ? null : kept('answers', answers),
    feedback: feedback === '' ? null : { by: 'the person who runs this plan', ...kept('feedback', feedback) },
    before: before === null ? null : kept('plan-before', projectPlan(before)),
    violations: workshop.violations,
  });
}

/** The prompt of the architect that reviews the plan. */
export function workshopReviewPrompt({ plan, site }: Omit<PlannersTurn, 'files'>, keep: Keep): Prompt {
  const { workshop } = plan;
  if (workshop === undefined || workshop.document === null) throw new Error(`${plan.plan} has no plan to review.`);
  const kept = (name: string, text: string) => ({ text, path: keep(name, text) });
  const feedback = feedbackIn(workshop);
  const answers = answersIn(workshop);
  return reviewWorkshopPlan(assignmentOf(plan, site), {
    brief: kept('brief', workshop.brief),
    answers: answers === '' ? null : kept('answers', answers),
    feedback: feedback === '' ? null : kept('feedback', feedback),
    written: kept('plan', projectPlan(workshop.document)),
  });
}

function assignmentOf(plan: PlanEntry, site: PlannersTurn['site']): Assignment {
  return {
    ...site,
    plan: plan.plan,
    title: plan.description === '' ? null : plan.description,
    says: NOTHING_SAID,
    brief: null,
    into: plan.branch,
    rewrites: [],
  };
}

function isAsking(state: WorkshopEntry['state']): state is AskingState {
  return state !== 'draft' && state !== 'review_ready';
}

/** What the person said each time that the planning was redone, newest last. */
function feedbackIn({ transcript }: WorkshopEntry): string {
  return transcript
    .filter(({ kind }) => kind === 'feedback')
    .map(({ content }) => content)
    .join('\n\n');
}

function answersIn({ questions }: WorkshopEntry): string {
  return questions
    .flatMap(({ id, text, state, answer }) => {
      if (state === 'answered') return [`${id}: ${text}\nAnswer: ${answer ?? ''}`];
      return state === 'skipped'
        ? [`${id}: ${text}\nAnswer: none; decide this yourself, and write it down as an assumption.`]
        : [];
    })
    .join('\n\n');
}
