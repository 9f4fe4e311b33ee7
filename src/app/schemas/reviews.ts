// The schema of what reviewers hand in, for editors and other programs. cadre itself reads with src/reviews, which says the same.
import * as z from 'zod';
import {
  FINDING_ID,
  type FindingVerdict,
  PLACE,
  REVIEW_LIMITS,
  type ReportedFinding,
  type ReviewDocument,
  SEVERITIES,
  VERDICT_WORDS,
} from '../../reviews/review-document.ts';
import { PLAIN_TEXT } from '../../workshop/shape.ts';
import { view } from './views.ts';

const prose = z.string().max(REVIEW_LIMITS.text).regex(/\S/).regex(PLAIN_TEXT);

const finding = view<ReportedFinding>(
  'ReportedFinding',
  z.strictObject({
    severity: z.enum(SEVERITIES).describe('Minor findings never start another round.'),
    place: z.string().regex(PLACE).exactOptional().describe('A path, and a line after a colon.'),
    problem: prose.describe('What is wrong.'),
    why: prose.exactOptional().describe('Why it matters.'),
    fix: prose.exactOptional().describe('What would be right.'),
    contradicts_plan: prose
      .exactOptional()
      .describe('The text of the plan that the finding contradicts; a person decides which of them holds.'),
  }),
);

const verdict = view<FindingVerdict>(
  'FindingVerdict',
  z.strictObject({
    finding: z.string().regex(FINDING_ID).describe('The id of a finding that was open.'),
    verdict: z.enum(VERDICT_WORDS).describe('What was only attempted is not addressed.'),
    evidence: prose.exactOptional(),
  }),
);

export const reviewDocument = view<ReviewDocument>(
  'ReviewDocument',
  z.strictObject({
    summary: prose.exactOptional(),
    findings: z.array(finding).max(REVIEW_LIMITS.findings).exactOptional(),
    verdicts: z
      .array(verdict)
      .max(REVIEW_LIMITS.verdicts)
      .exactOptional()
      .describe('One for each finding that was open.'),
    cannot_verify: z
      .array(prose)
      .max(REVIEW_LIMITS.remarks)
      .exactOptional()
      .describe('What cannot be judged from the changes.'),
  }),
);
