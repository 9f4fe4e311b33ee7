// A review in plain lines: "- [important] src/a.ts:12: text" is a finding, "f1: ADDRESSED evidence" a verdict.
import { placeOf } from './json-review.ts';
import { PLACE, type ReportedFinding, type ReviewDocument } from './review-document.ts';
import { SEVERITY_PATTERN, severityOf, verdictOf } from './synonyms.ts';

export interface PlainReview {
  readonly document: ReviewDocument;
  /** The lines that are part of no finding and no verdict. */
  readonly remarks: readonly string[];
  readonly violations: readonly string[];
}

export function readPlainReview(text: string): PlainReview {
  const findings: Draft[] = [];
  const verdicts: { finding: string; verdict: 'addressed' | 'not-addressed'; evidence: string[] }[] = [];
  const unverified: string[] = [];
  const remarks: string[] = [];
  const violations: string[] = [];
  let open: string[] | undefined;
  for (const [index, line] of text.replace(/\r\n?/g, '\n').split('\n').entries()) {
    const verdict = VERDICT_LINE.exec(line);
    const finding = findingOf(line);
    const cannot = CANNOT.exec(line)?.[1];
    if (verdict !== null) {
      const said = verdictOf(verdict[2] ?? '');
      if (said === undefined)
        violations.push(`line ${index + 1}: no verdict on ${verdict[1]}; expected ADDRESSED or NOT ADDRESSED after it`);
      else {
        const evidence = [withoutMarks(said.rest)];
        verdicts.push({ finding: (verdict[1] ?? '').toLowerCase(), verdict: said.verdict, evidence });
        open = evidence;
      }
    } else if (finding !== undefined) {
      findings.push(finding);
      open = finding.lines;
    } else if (cannot !== undefined) {
      unverified.push(cannot.trim());
      open = undefined;
    } else if (line.trim() === '') {
      // An indented line after a blank one still belongs to the finding before it.
      (open ?? remarks).push('');
    } else if (open !== undefined && (open.at(-1) !== '' || /^\s/.test(line))) open.push(line.trim());
    else {
      open = undefined;
      remarks.push(line);
    }
  }
  return {
    document: {
      ...(findings.length === 0 ? {} : { findings: findings.map(finished) }),
      ...(verdicts.length === 0
        ? {}
        : {
            verdicts: verdicts.map(({ evidence, ...rest }) => {
              const joined = evidence.join('\n').trim();
              return joined === '' ? rest : { ...rest, evidence: joined };
            }),
          }),
      ...(unverified.length === 0 ? {} : { cannot_verify: unverified }),
    },
    remarks,
    violations,
  };
}

const BULLET = '\\s*(?:[-*+•]|\\d{1,3}[.)])?\\s*';

const VERDICT_LINE = new RegExp(
  `^${BULLET}[*_\`[(]*(f[1-9][0-9]{0,5})[*_\`\\])]*\\s*[:=\\u2013\\u2014-]*\\s+(\\S.*)$`,
  'i',
);

/** In brackets or bold anywhere at the start; as a bare word only before a colon. */
const FINDING_LINE = new RegExp(
  `^${BULLET}(?:(?:\\[|\\(|\\*\\*|__|\`)+\\s*(${SEVERITY_PATTERN})\\s*:?\\s*(?:\\]|\\)|\\*\\*|__|\`)+\\s*[:\\u2013\\u2014-]?|(${SEVERITY_PATTERN})\\s*(?::|\\s[\\u2013\\u2014-]\\s))\\s*(\\S.*)$`,
  'i',
);

const CANNOT = new RegExp(`^${BULLET}[*_]*cannot[ -]verify[*_]*\\s*:[*_]*\\s*(\\S.*)$`, 'i');

interface Draft {
  readonly severity: ReportedFinding['severity'];
  readonly place?: string;
  readonly lines: string[];
}

function findingOf(line: string): Draft | undefined {
  const [, inBrackets, bareWord, rest = ''] = FINDING_LINE.exec(line) ?? [];
  const severity = severityOf(inBrackets ?? bareWord ?? '');
  if (severity === undefined) return undefined;
  const { text, ...where } = placedText(rest.trim());
  return { severity, ...where, lines: [text] };
}

/** A text that may start with the place that it is about. */
export function placedText(whole: string): { readonly place?: string; readonly text: string } {
  const [, inTicks, bare, text = ''] = PLACED.exec(whole) ?? [];
  const place = inTicks ?? bare;
  const found = place === undefined ? undefined : placeOf(place);
  return found !== undefined && looksLikePlace(found) ? { place: found, text: text.trim() } : { text: whole };
}

/** A path that is followed by a colon or a dash. */
const PLACED = /^(?:`([^`\n]{1,400})`|([^\s`][^\s]{0,399}?))\s*(?::|\s[\u2013\u2014-])\s+(\S.*)$/s;

function looksLikePlace(place: string): boolean {
  return PLACE.test(place) && /[/.:]/.test(place) && !/^https?$/i.test(place);
}

/** Lines that start with "why:", "fix:" or "contradicts plan:" are what they say; all others are about the problem. */
function finished({ severity, place, lines }: Draft): ReportedFinding {
  const parts: Record<'problem' | 'why' | 'fix' | 'contradicts_plan', string[]> = {
    problem: [],
    why: [],
    fix: [],
    contradicts_plan: [],
  };
  let into = parts.problem;
  for (const line of lines) {
    const [, word, text] = PART.exec(line) ?? [];
    const part = word === undefined ? undefined : parts[partOf(word)];
    into = part ?? into;
    into.push(part === undefined ? line : (text ?? ''));
  }
  const problem = joined(parts.problem);
  const [why, fix, contradicts] = [joined(parts.why), joined(parts.fix), joined(parts.contradicts_plan)];
  return {
    severity,
    ...(place === undefined ? {} : { place }),
    problem: problem === '' ? joined([...parts.why, ...parts.fix, ...parts.contradicts_plan]) : problem,
    ...(why === '' ? {} : { why }),
    ...(fix === '' ? {} : { fix }),
    ...(contradicts === '' ? {} : { contradicts_plan: contradicts }),
  };
}

const PART = /^[-*]?\s*[*_]*(why|fix|contradicts(?:[ _-]the)?[ _-]plan)[*_]*\s*:[*_]*\s*(.*)$/i;

function partOf(word: string): 'why' | 'fix' | 'contradicts_plan' {
  const lower = word.toLowerCase();
  return lower === 'why' || lower === 'fix' ? lower : 'contradicts_plan';
}

function joined(lines: readonly string[]): string {
  return lines.join('\n').trim();
}

function withoutMarks(text: string): string {
  return text.replace(/^[\s*_`\])"]*(?:[:.,;\u2013\u2014-]+\s*)?/, '');
}
