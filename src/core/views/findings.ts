// Findings as surfaces and prompts show them.
import type { FindingToCheck } from '../../agents/prompts/review-document.ts';
import type { ReviewStage } from '../../machines/task-of-run.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { Severity } from '../../reviews/review-document.ts';
import { type Author, authorWords } from '../../signals/author.ts';
import { oneLine } from '../../text/one-line.ts';
import {
  blockersOfStage,
  type Finding,
  type FindingState,
  isBlocking,
  isContradiction,
  isListed,
  judgedBy,
  type WithFindings,
} from '../model/review/finding.ts';
import type { RunEntry } from '../model/run.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';
import { findingText } from '../rules/run/findings.ts';

export interface FindingView {
  readonly plan: string;
  /** The address of its task; null for what was found in the review of the whole plan. */
  readonly task: string | null;
  readonly id: string;
  readonly severity: Severity;
  readonly state: FindingState;
  /** Its task is not merged while it is open. */
  readonly blocking: boolean;
  /** A person demands it. */
  readonly demand: boolean;
  readonly place: string | null;
  readonly problem: string;
  readonly why: string | null;
  readonly fix: string | null;
  /** The text of the plan that it contradicts. */
  readonly contradicts: string | null;
  /** A person has not decided yet which of the two holds. */
  readonly undecided: boolean;
  readonly foundBy: Author;
  readonly commit: string | null;
  readonly evidence: string | null;
  readonly decidedBy: Author | null;
  readonly because: string | null;
  /** The review of the plan sees it. */
  readonly listed: boolean;
  readonly at: string;
}

/** Of all plans, of one, or of one task; those that are open first. */
export function findingsIn(world: Pick<World, 'plans'>, of: { plan?: PlanFile; task?: string } = {}): FindingView[] {
  const entries = [...world.plans.values()].filter(({ plan }) => of.plan === undefined || plan === of.plan);
  const found = entries.flatMap((entry) => [
    ...(of.task === undefined ? (entry.findings ?? []).map((finding) => viewFinding(entry, null, finding)) : []),
    ...entry.tasks
      .filter(({ id }) => of.task === undefined || id === of.task)
      .flatMap((task) => (task.findings ?? []).map((finding) => viewFinding(entry, task, finding))),
  ]);
  return [...found.filter(({ blocking }) => blocking), ...found.filter(({ blocking }) => !blocking)];
}

/** Open, or still to be seen by the review of the plan. */
export function isUnsettled({ state, listed }: FindingView): boolean {
  return state === 'open' || state === 'not-addressed' || listed;
}

export function viewFinding(entry: PlanEntry, task: TaskEntry | null, finding: Finding): FindingView {
  return {
    plan: entry.plan,
    task: task?.address ?? null,
    id: finding.id,
    severity: finding.severity,
    state: finding.state,
    blocking: isBlocking(finding),
    demand: finding.demand === true,
    place: finding.place ?? null,
    problem: finding.problem,
    why: finding.why ?? null,
    fix: finding.fix ?? null,
    contradicts: finding.contradicts ?? null,
    undecided: isContradiction(finding),
    foundBy: FINDERS[finding.foundBy],
    commit: finding.commit,
    evidence: finding.evidence ?? null,
    decidedBy: finding.decidedBy ?? null,
    because: finding.because ?? null,
    listed: isListed(finding),
    at: finding.at,
  };
}

const FINDERS: { readonly [finder in Finding['foundBy']]: Author } = {
  spec: 'spec-reviewer',
  quality: 'quality-reviewer',
  plan: 'reviewer',
  person: 'person',
};

/** What a reviewer gives verdicts on, as its prompt shows it. */
export function findingsToCheck(of: WithFindings, stage: ReviewStage | 'plan'): readonly FindingToCheck[] {
  return judgedBy(stage, of).map(({ id, severity, place, problem, foundBy, demand }) => ({
    id,
    severity,
    place: place ?? null,
    problem,
    by: foundBy === 'person' ? 'the person who runs this plan' : authorWords(FINDERS[foundBy]),
    isDemand: demand === true,
  }));
}

/** The list as text; empty where there is nothing on it. */
export function listText(entry: PlanEntry): string {
  const lines = listedFindings(entry).map(({ task, id, severity, state, place, problem, because }) => {
    const where = place === null ? '' : ` ${place}:`;
    const why = because === null ? '' : ` (${because})`;
    return `- ${task === null ? 'plan' : `task ${task}`} ${id} [${severity}, ${state}]${where} ${problem}${why}`;
  });
  return [...lines, ...entry.tasks.flatMap(concernLines)].join('\n');
}

/** What the implementer of a merged task was not sure about, or left out. */
function concernLines({ address, run }: TaskEntry): readonly string[] {
  if (run?.state !== 'DONE' || run.report == null) return [];
  const { concerns = [], left_out: leftOut = [] } = run.report;
  return [
    ...concerns.map((text) => `- task ${address} [concern of its implementer] ${oneLine(text)}`),
    ...leftOut.map((text) => `- task ${address} [left out by its implementer] ${oneLine(text)}`),
  ];
}

/** What the review of a plan is shown: what its tasks left to it. */
export function listedFindings(entry: PlanEntry): readonly FindingView[] {
  return [
    ...(entry.findings ?? []).filter(isListed).map((finding) => viewFinding(entry, null, finding)),
    ...entry.tasks.flatMap((task) =>
      (task.findings ?? []).filter(isListed).map((one) => viewFinding(entry, task, one)),
    ),
  ];
}

/** What somebody who decides about the findings of a run has to know. */
export function rulingText(task: TaskEntry, run: RunEntry): string {
  const blockers = blockersOfStage(run.stage ?? 'spec', task);
  return [
    `No review rounds are left, and these findings are open. For each one that is contestable or harmless, write a line "PARK <id>" with the reason: it stays as it is, and the review of the whole plan sees it. A person decides about all others.`,
    ...blockers.map(findingText),
  ].join('\n\n');
}
