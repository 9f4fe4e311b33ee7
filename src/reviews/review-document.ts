// What a reviewer hands in: its findings, and its verdicts on the findings that were open.
import { listOf, nameShape, objectOf, optional, type Shape, textShape, wordShape } from '../workshop/shape.ts';

export interface ReviewDocument {
  /** What the reviewer says in general. */
  readonly summary?: string;
  readonly findings?: readonly ReportedFinding[];
  /** One for each finding that was open, in a review after the first. */
  readonly verdicts?: readonly FindingVerdict[];
  /** What cannot be judged from the changes. */
  readonly cannot_verify?: readonly string[];
}

export interface ReportedFinding {
  readonly severity: Severity;
  /** Where it is: a path, and a line after a colon. */
  readonly place?: string;
  readonly problem: string;
  readonly why?: string;
  readonly fix?: string;
  /** The plan's text that the finding contradicts. */
  readonly contradicts_plan?: string;
}

export interface FindingVerdict {
  /** The id of the finding: "f1". */
  readonly finding: string;
  readonly verdict: VerdictWord;
  readonly evidence?: string;
}

export const SEVERITIES = ['critical', 'important', 'minor'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const VERDICT_WORDS = ['addressed', 'not-addressed'] as const;
export type VerdictWord = (typeof VERDICT_WORDS)[number];

/** How long texts may be, in characters, and how many entries lists may have. */
export const REVIEW_LIMITS = { text: 20_000, place: 400, findings: 50, verdicts: 200, remarks: 50 } as const;

export const FINDING_ID = /^f[1-9][0-9]{0,5}$/;

/** A path without spaces at its ends, and a line. */
export const PLACE = /^[^\s:](?:[^\n:]*[^\s:])?(?::[1-9][0-9]{0,6})?$/;

const prose = textShape(REVIEW_LIMITS.text);

export const REVIEW_SHAPE: Shape<ReviewDocument> = objectOf<ReviewDocument>({
  summary: optional(prose),
  findings: optional(
    listOf(
      objectOf<ReportedFinding>({
        severity: wordShape(SEVERITIES),
        place: optional(nameShape(PLACE, 'a path and a line, such as "src/parse.ts:12"')),
        problem: prose,
        why: optional(prose),
        fix: optional(prose),
        contradicts_plan: optional(prose),
      }),
      0,
      REVIEW_LIMITS.findings,
    ),
  ),
  verdicts: optional(
    listOf(
      objectOf<FindingVerdict>({
        finding: nameShape(FINDING_ID, 'the id of a finding, such as "f1"'),
        verdict: wordShape(VERDICT_WORDS),
        evidence: optional(prose),
      }),
      0,
      REVIEW_LIMITS.verdicts,
    ),
  ),
  cannot_verify: optional(listOf(prose, 0, REVIEW_LIMITS.remarks)),
});

/** Critical and important findings have to be dealt with before the work is merged; minor ones never start another round. */
export function isGrave({ severity }: { readonly severity: Severity }): boolean {
  return severity !== 'minor';
}
