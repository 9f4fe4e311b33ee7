// A finding: something that a review or a person wants changed. It belongs to its task, or to its plan, and outlives the runs.
import type { ReviewStage } from '../../../machines/task-of-run.ts';
import { isGrave, type Severity } from '../../../reviews/review-document.ts';
import type { Author } from '../../../signals/author.ts';

export interface Finding {
  /** `f1`, `f2`, ...: unique in its task or plan, and never used again. */
  readonly id: string;
  /** `plan`: the review of the whole plan. */
  readonly foundBy: ReviewStage | 'plan' | 'person';
  readonly severity: Severity;
  /** A path, and a line after a colon. */
  readonly place?: string;
  readonly problem: string;
  readonly why?: string;
  readonly fix?: string;
  /** The commit in which it was found. */
  readonly commit: string | null;
  /**
   * `not-addressed`: still open after another review. `deferred`: minor, or outside of what a review was about, so it waits for
   * the review of the plan. `parked`: by a ruling. `overruled`: by a person.
   */
  readonly state: FindingState;
  /** A person wants it: only a person closes it, or a reviewer if the place has changed. */
  readonly demand?: true;
  /** The text of the plan that it contradicts. A person decides which of the two holds. */
  readonly contradicts?: string;
  /** A person has decided that. */
  readonly answered?: true;
  /** For a demand: the commit in which a reviewer calls it addressed although its place has not changed. */
  readonly claimed?: string;
  /** What the reviewer who closed it points to. */
  readonly evidence?: string;
  readonly decidedBy?: Author;
  readonly because?: string;
  /** It was closed when its task was marked done, and the review of the plan still sees it. */
  readonly listed?: true;
  /** The record in which it was found. */
  readonly seq: number;
  readonly at: string;
}

export type FindingState = 'open' | 'not-addressed' | 'addressed' | 'deferred' | 'parked' | 'overruled';

/** What has findings: a task or a plan. */
export interface WithFindings {
  readonly findings?: readonly Finding[];
}

export function isOpen({ state }: Finding): boolean {
  return state === 'open' || state === 'not-addressed';
}

/** It keeps the work from being merged. */
export function isBlocking(finding: Finding): boolean {
  return isOpen(finding) && (isGrave(finding) || finding.demand === true || isContradiction(finding));
}

/** A person has not decided yet whether the plan or the finding holds. */
export function isContradiction(finding: Finding): boolean {
  return isOpen(finding) && finding.contradicts !== undefined && finding.answered !== true;
}

export function openFindings({ findings = [] }: WithFindings): readonly Finding[] {
  return findings.filter(isOpen);
}

/**
 * What the reviewer of a stage has to give a verdict on. Demands are the spec reviewer's, wherever they were made; what
 * contradicts the plan is the person's.
 */
export function judgedBy(stage: Finding['foundBy'], of: WithFindings): readonly Finding[] {
  return openFindings(of).filter((finding) => {
    if (isContradiction(finding)) return false;
    return finding.demand ? stage !== 'quality' : finding.foundBy === stage;
  });
}

/** What keeps a run from passing a stage. Nothing may be left after the second one. */
export function blockersOfStage(stage: ReviewStage, of: WithFindings): readonly Finding[] {
  const blocking = openFindings(of).filter(isBlocking);
  if (stage === 'quality') return blocking;
  return blocking.filter((finding) => finding.foundBy !== 'quality' || finding.demand || isContradiction(finding));
}

/** What keeps a plan from being approved by an agent: what its own reviews found, and what a person demands of it. */
export function blockersOfPlan(of: WithFindings): readonly Finding[] {
  return openFindings(of).filter(isBlocking);
}

/** Whether the policy of check-ins may park it; what a person wants, only a person decides about. */
export function mayBeParked(finding: Finding): boolean {
  return isBlocking(finding) && finding.demand !== true && !isContradiction(finding);
}

/** The next free id. */
export function nextFindingId({ findings = [] }: WithFindings, offset = 0): string {
  const last = findings.reduce((most, { id }) => Math.max(most, Number(id.slice(1))), 0);
  return `f${last + 1 + offset}`;
}

/** What the review of the plan is shown: what was deferred or parked, and what was open when its task was marked done. */
export function isListed({ state, listed }: Finding): boolean {
  return state === 'deferred' || state === 'parked' || listed === true;
}
