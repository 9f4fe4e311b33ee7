// Reads what a reviewer says, in JSON or in plain lines. A review that is understood only in part goes back with what is wrong;
// it is never lost, and never taken for an approval.
import { readStructure } from '../workshop/reading.ts';
import { type FoundJson, findJson, readJsonReview } from './json-review.ts';
import { readPlainReview } from './plain-review.ts';
import { isGrave, REVIEW_LIMITS, REVIEW_SHAPE, type ReviewDocument } from './review-document.ts';

/** What the signal with the document says: the work can stay as it is, or has to change. */
export type ReviewWord = 'approved' | 'changes';

export type ReadReview =
  | { readonly ok: true; readonly document: ReviewDocument }
  | { readonly ok: false; readonly violations: readonly string[] };

export function readReview(text: string, word: ReviewWord): ReadReview {
  const found = findJson(text);
  const read = found === undefined ? readPlain(cleaned(text), word) : readOne(found);
  if (!read.ok) return read;
  const document = tidy(read.document);
  const violations = [...checkIds(document), ...checkWord(document, word)];
  return violations.length === 0 ? { ok: true, document } : { ok: false, violations };
}

/** What is around the JSON is a remark, unless it is another review. */
function readOne(found: FoundJson): ReadReview {
  const { findings, verdicts } = readPlainReview(found.around).document;
  const isAnother = findJson(found.around) !== undefined || findings !== undefined || verdicts !== undefined;
  if (isAnother)
    return { ok: false, violations: ['there is more than one review in the text; expected one JSON object'] };
  return readJsonReview({ ...found, around: cleaned(found.around) });
}

/** Characters that no text may contain would be refused; in plain lines they are left out. */
function cleaned(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\x0b\x0c]/g, '\n')
    .replace(/[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]/gu, '');
}

/** A text without structure: what has to change is one important finding, and with an approval it is a remark. */
function readPlain(text: string, word: ReviewWord): ReadReview {
  const { document, remarks, violations } = readPlainReview(text);
  const remark = remarks.join('\n').trim();
  const isBare = document.findings === undefined && document.verdicts === undefined;
  if (word === 'changes' && isBare && violations.length === 0 && remark !== '')
    return inShape({ ...document, findings: [{ severity: 'important', problem: remark }] });
  const summary = remark === '' ? document : { ...document, summary: remark };
  const unclear = word === 'changes' && !asksForSomething(document) ? unattached(remarks) : [];
  if (violations.length > 0 || unclear.length > 0) return { ok: false, violations: [...violations, ...unclear] };
  return inShape(summary);
}

function inShape(document: ReviewDocument): ReadReview {
  return readStructure(document, REVIEW_SHAPE);
}

/** In a review that asks for changes, text beside its minor findings may be what has to change. */
function unattached(remarks: readonly string[]): readonly string[] {
  const first = remarks.find((line) => !/:\s*$|^\s*(?:#|$)/.test(line));
  if (first === undefined) return [];
  return [
    `"${first.trim().slice(0, 60)}" belongs to no finding; expected "- [important] path:line: what is wrong", or "review-approved" if nothing has to change`,
  ];
}

function tidy({
  summary,
  findings = [],
  verdicts = [],
  cannot_verify: unverified = [],
}: ReviewDocument): ReviewDocument {
  return {
    ...(summary === undefined ? {} : { summary: summary.trim().slice(0, REVIEW_LIMITS.text) }),
    ...(findings.length === 0 ? {} : { findings }),
    ...(verdicts.length === 0 ? {} : { verdicts }),
    ...(unverified.length === 0 ? {} : { cannot_verify: unverified }),
  };
}

function checkIds({ verdicts = [] }: ReviewDocument): readonly string[] {
  const seen = new Set<string>();
  return verdicts.flatMap(({ finding }, index) => {
    if (seen.has(finding))
      return [`verdicts[${index}].finding: ${finding} already has a verdict; expected one for each`];
    seen.add(finding);
    return [];
  });
}

/** The signal and the document have to say the same. */
function checkWord(document: ReviewDocument, word: ReviewWord): readonly string[] {
  if (word === 'changes') {
    const says = asksForSomething(document) || (document.findings ?? []).length > 0;
    return says
      ? []
      : [
          'the review asks for changes and names none; expected a finding, or "review-approved" if nothing has to change',
        ];
  }
  return [
    ...(document.findings ?? []).flatMap((finding, index) => {
      if (finding.contradicts_plan !== undefined)
        return [
          `findings[${index}]: an approval cannot contradict the plan; send "review-changes", and a person decides`,
        ];
      return isGrave(finding)
        ? [
            `findings[${index}]: an approval cannot have ${finding.severity === 'critical' ? 'a critical' : 'an important'} finding; send "review-changes", or make it minor`,
          ]
        : [];
    }),
    ...(document.verdicts ?? []).flatMap(({ finding, verdict }, index) =>
      verdict === 'addressed'
        ? []
        : [`verdicts[${index}]: an approval cannot leave ${finding} not addressed; send "review-changes"`],
    ),
  ];
}

/** Something that is more than a minor remark. */
function asksForSomething({ findings = [], verdicts = [] }: ReviewDocument): boolean {
  return (
    findings.some((finding) => isGrave(finding) || finding.contradicts_plan !== undefined) ||
    verdicts.some(({ verdict }) => verdict === 'not-addressed')
  );
}
