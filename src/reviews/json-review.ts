// A review in JSON: found between other text, and brought into the shape that is checked.
import { readJsonDocument } from '../workshop/json-document.ts';
import { readStructure } from '../workshop/reading.ts';
import { REVIEW_SHAPE, type ReviewDocument, SEVERITIES } from './review-document.ts';
import { keyOf, severityOf, verdictOf } from './synonyms.ts';

export interface FoundJson {
  readonly json: string;
  /** What is before and after it. */
  readonly around: string;
}

/** The JSON of a review: the whole text, what is in a fence, or an object that has the keys of a review. */
export function findJson(text: string): FoundJson | undefined {
  const whole = text.replace(/^\ufeff/, '');
  if (/^\s*[{[]/.test(whole) && !isPlain(whole)) return splitOff(whole, whole.search(/\S/));
  const fence = FENCE.exec(whole);
  if (fence !== null && /^\s*[{[]/.test(fence[2] ?? ''))
    return {
      json: fence[2] ?? '',
      around: `${whole.slice(0, fence.index)}\n${whole.slice(fence.index + fence[0].length)}`.trim(),
    };
  const start = whole.search(OBJECT);
  if (start !== -1) return splitOff(whole, start);
  return FRAGMENT.test(whole) ? { json: whole, around: '' } : undefined;
}

/** "[important] src/a.ts: ..." also starts with a bracket. */
function isPlain(text: string): boolean {
  return /^\s*\[[A-Za-z]/.test(text);
}

const FENCE = /(?:^|\n)[ \t]*(?:`{3,}|~{3,})[ \t]*(json[c5]?)?[ \t]*\r?\n([\s\S]*?)\r?\n[ \t]*(?:`{3,}|~{3,})/i;
const OBJECT = /\{\s*"(?:summary|findings|issues|verdicts|cannot_verify|severity)"\s*:/;

/** A piece of a review whose start is missing: it is not prose either. */
const FRAGMENT = /"(?:severity|verdicts?|findings|issues)"\s*:/;

/** The object that starts there, up to the bracket that closes it, or up to the end where none does. */
function splitOff(text: string, start: number): FoundJson {
  const end = endOfValue(text, start);
  return { json: text.slice(start, end), around: `${text.slice(0, start)}\n${text.slice(end)}`.trim() };
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (isText && char === '\\') at++;
    else if (char === '"') isText = !isText;
    else if (isText) continue;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

export type ReadJson =
  | { readonly ok: true; readonly document: ReviewDocument }
  | { readonly ok: false; readonly violations: readonly string[] };

export function readJsonReview({ json, around }: FoundJson): ReadJson {
  const read = readJsonDocument(json);
  if (!read.ok) return { ok: false, violations: [read.violation] };
  const value = inShape(read.value);
  const checked = readStructure(value, REVIEW_SHAPE);
  if (!checked.ok || around === '') return checked;
  const summary = [checked.document.summary, around].filter((one) => one !== undefined).join('\n\n');
  return { ok: true, document: { ...checked.document, summary } };
}

/** Renames keys and words as far as it is clear what they mean. Everything else stays, and is checked. */
function inShape(value: unknown): unknown {
  const document = Array.isArray(value) ? { findings: value } : value;
  if (!isObject(document)) return document;
  const named = renamed(document);
  if (typeof named.severity === 'string') return { findings: [findingIn(document)] };
  return withoutEmpty({
    ...named,
    ...('findings' in named ? { findings: eachOf(named.findings, findingIn) } : {}),
    ...('verdicts' in named ? { verdicts: eachOf(verdictList(named.verdicts), verdictIn) } : {}),
    ...(typeof named.cannot_verify === 'string' ? { cannot_verify: [named.cannot_verify] } : {}),
  });
}

function findingIn(value: unknown): unknown {
  if (typeof value === 'string') return { severity: 'important', problem: value };
  if (!isObject(value)) return value;
  const { line, ...named } = withoutEmpty(renamed(value));
  const place = typeof named.place === 'string' ? placeOf(named.place, line) : undefined;
  const severity = typeof named.severity === 'string' ? severityOf(named.severity) : undefined;
  const isUnplaced = place === undefined && line !== undefined;
  const { contradicts_plan: contradicts } = named;
  return {
    ...named,
    ...(place === undefined ? {} : { place }),
    ...(isUnplaced ? { line } : {}),
    // Some say only that it does.
    ...(contradicts === true ? { contradicts_plan: NOT_QUOTED } : {}),
    ...(severity === undefined || SEVERITIES.some((one) => one === named.severity) ? {} : { severity }),
  };
}

const NOT_QUOTED = 'The reviewer says that it contradicts the plan, and does not quote the text.';

/** Also `{"f1": "addressed"}`. */
function verdictList(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.entries(value).map(([finding, verdict]) =>
    isObject(verdict) ? { finding, ...verdict } : { finding, verdict },
  );
}

function verdictIn(value: unknown): unknown {
  if (!isObject(value)) return value;
  const named = withoutEmpty(renamed(value));
  const finding = typeof named.finding === 'string' ? { finding: named.finding.trim().toLowerCase() } : {};
  const said = typeof named.verdict === 'string' ? verdictOf(named.verdict) : undefined;
  return { ...named, ...finding, ...(said === undefined ? {} : { verdict: said.verdict }) };
}

/** With one line, whichever way it was written: "a.ts#L3", "a.ts:3:7", "a.ts:3-9". */
export function placeOf(path: string, line?: unknown): string {
  const [, file = '', from] = PLACE_PARTS.exec(path.trim().replace(/^[`"'(]+|[`"',)]+$/g, '')) ?? [];
  const given = typeof line === 'number' || typeof line === 'string' ? /^[1-9][0-9]*/.exec(`${line}`)?.[0] : undefined;
  const number = from ?? given;
  return number === undefined ? file : `${file}:${number}`;
}

const PLACE_PARTS = /^(.*?)(?:(?::|#L)([1-9][0-9]{0,6})(?:[:-]L?[0-9]+)*)?$/s;

function eachOf(value: unknown, how: (entry: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(how) : value;
}

function renamed(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) {
    const known = keyOf(key);
    // Where two keys mean the same, the second one keeps its name and is reported.
    Object.defineProperty(result, Object.hasOwn(result, known) ? key : known, {
      value: one,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return result;
}

/** A key with null or an empty text says nothing. */
function withoutEmpty(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([key, one]) =>
        key === 'problem' || (one !== null && one !== '' && !(key === 'contradicts_plan' && one === false)),
    ),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
