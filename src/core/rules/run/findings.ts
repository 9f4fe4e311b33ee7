// Makes findings out of what reviewers and people say, and text out of findings.
import type { ReviewStage } from '../../../machines/task-of-run.ts';
import { placedText } from '../../../reviews/plain-review.ts';
import { isGrave, type ReportedFinding, type ReviewDocument } from '../../../reviews/review-document.ts';
import type { Author } from '../../../signals/author.ts';
import { type Finding, judgedBy, nextFindingId, type WithFindings } from '../../model/review/finding.ts';
import type { WorktreeFacts } from '../../model/run.ts';

/** Where and when something is found. */
export interface Occasion {
  readonly of: WithFindings;
  readonly commit: string | null;
  readonly seq: number;
  readonly at: string;
}

/** The new findings of a review, and what it could not judge, which waits like a minor one. What a later review finds outside of the changes since the one before is deferred. */
export function reportedFindings(
  { of, ...when }: Occasion,
  foundBy: ReviewStage | 'plan',
  { findings = [], cannot_verify: unjudged = [] }: ReviewDocument,
  since: readonly string[] | undefined,
): readonly Finding[] {
  const open = unjudged.map(
    (text): ReportedFinding => ({ severity: 'minor', problem: `Could not be judged: ${text}` }),
  );
  return [...findings, ...open].map(({ contradicts_plan: contradicts, ...reported }, index) => ({
    id: nextFindingId(of, index),
    foundBy,
    ...reported,
    ...when,
    state: isDeferred(reported, contradicts, since) ? 'deferred' : 'open',
    ...(contradicts === undefined ? {} : { contradicts }),
  }));
}

/** What contradicts the plan is never put off: a person decides about it. */
function isDeferred(
  { severity, place }: Pick<ReportedFinding, 'severity' | 'place'>,
  contradicts: string | undefined,
  since: readonly string[] | undefined,
): boolean {
  if (contradicts !== undefined) return false;
  if (!isGrave({ severity })) return true;
  return since !== undefined && place !== undefined && !since.includes(fileOfPlace(place));
}

export function fileOfPlace(place: string): string {
  return place.replace(/:[0-9]+$/, '');
}

/** One demand for each paragraph of what a person wants changed. A paragraph may start with its place. */
export function demandedFindings({ of, ...when }: Occasion, text: string): readonly Finding[] {
  return paragraphs(text).map((paragraph, index) => {
    const { place, text: problem } = placedText(paragraph);
    return {
      id: nextFindingId(of, index),
      foundBy: 'person',
      severity: 'important',
      ...(place === undefined ? {} : { place }),
      problem,
      ...when,
      state: 'open',
      demand: true,
    };
  });
}

function paragraphs(text: string): readonly string[] {
  const found = text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*(?:\n[ \t]*)+/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  // More of them would only hide each other.
  return found.length <= MOST_DEMANDS ? found : [text.trim()];
}

const MOST_DEMANDS = 30;

/** What the verdicts of a review make of the findings that it judges. */
export function judged(
  of: WithFindings,
  stage: ReviewStage | 'plan',
  { verdicts = [] }: ReviewDocument,
  { pinned, changed = [] }: { readonly pinned: string | null; readonly changed?: WorktreeFacts['changed'] },
): readonly Finding[] {
  const said = new Map(verdicts.map((verdict) => [verdict.finding, verdict]));
  return judgedBy(stage, of).flatMap(({ claimed: _before, ...finding }) => {
    const verdict = said.get(finding.id);
    if (verdict === undefined) return [];
    const evidence = verdict.evidence === undefined ? {} : { evidence: verdict.evidence };
    if (verdict.verdict === 'not-addressed') return [{ ...finding, ...evidence, state: 'not-addressed' as const }];
    const isShown = finding.demand !== true || changed.includes(finding.id);
    if (isShown) return [{ ...finding, ...evidence, state: 'addressed' as const, decidedBy: reviewerOf(stage) }];
    return [{ ...finding, ...evidence, ...(pinned === null ? {} : { claimed: pinned }) }];
  });
}

export function reviewerOf(stage: ReviewStage | 'plan'): Author {
  return stage === 'plan' ? 'reviewer' : `${stage}-reviewer`;
}

/** Why the verdicts of a review do not cover what it has to judge; undefined where they do. */
export function verdictProblems(
  of: WithFindings,
  stage: ReviewStage | 'plan',
  { verdicts = [] }: ReviewDocument,
): readonly string[] {
  const given = new Set(verdicts.map(({ finding }) => finding));
  const known = new Set((of.findings ?? []).map(({ id }) => id));
  const missing = judgedBy(stage, of).filter(({ id }) => !given.has(id));
  const unknown = [...given].filter((id) => !known.has(id));
  return [
    ...(missing.length === 0
      ? []
      : [
          `no verdict on ${missing.map(({ id }) => id).join(', ')}; expected ADDRESSED or NOT ADDRESSED for each open finding`,
        ]),
    ...unknown.map((id) => `${id} is not a finding here`),
  ];
}

/** A finding that has no id yet. */
export function reportedText({ severity, place, problem, why, fix }: ReportedFinding): string {
  return [
    `[${severity}]${place === undefined ? '' : ` ${place}`}: ${problem}`,
    ...(why === undefined ? [] : [`Why: ${why}`]),
    ...(fix === undefined ? [] : [`Fix: ${fix}`]),
  ].join('\n');
}

/** Findings with their ids, for everyone who has to deal with them. */
export function findingsText(findings: readonly Finding[]): string {
  return findings.map(findingText).join('\n\n');
}

export function findingText({ id, severity, place, problem, why, fix, demand, contradicts }: Finding): string {
  return [
    `${id} [${demand ? 'demanded' : severity}]${place === undefined ? '' : ` ${place}`}: ${problem}`,
    ...(why === undefined ? [] : [`Why: ${why}`]),
    ...(fix === undefined ? [] : [`Fix: ${fix}`]),
    ...(contradicts === undefined ? [] : [`The plan says: ${contradicts}`]),
  ].join('\n');
}
