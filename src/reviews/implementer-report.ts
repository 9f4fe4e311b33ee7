// What an implementer reports when it has finished: a JSON document, or plain text, which is taken for a summary.
import { readJsonDocument } from '../workshop/json-document.ts';
import { type Read, readStructure } from '../workshop/reading.ts';
import { listOf, objectOf, optional, type Shape, textShape, wordShape } from '../workshop/shape.ts';
import { findJson } from './json-review.ts';

export interface ImplementerReport {
  readonly status: ReportStatus;
  readonly summary: string;
  readonly commands?: readonly ReportedCommand[];
  readonly files?: readonly string[];
  /** What was asked for and is not done. */
  readonly left_out?: readonly string[];
  readonly concerns?: readonly string[];
}

export interface ReportedCommand {
  readonly run: string;
  readonly result: string;
}

/** With the last two the work is not finished: the implementer has to ask. */
export const REPORT_STATUSES = ['done', 'done-with-concerns', 'needs-context', 'blocked'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

/** How long texts may be, in characters, and how many entries lists may have. */
export const REPORT_LIMITS = { text: 20_000, path: 400, list: 200 } as const;

const prose = textShape(REPORT_LIMITS.text);
const remarks = optional(listOf(prose, 0, REPORT_LIMITS.list));

export const REPORT_SHAPE: Shape<ImplementerReport> = objectOf<ImplementerReport>({
  status: wordShape(REPORT_STATUSES),
  summary: prose,
  commands: optional(listOf(objectOf<ReportedCommand>({ run: prose, result: prose }), 0, REPORT_LIMITS.list)),
  files: optional(listOf(textShape(REPORT_LIMITS.path, 'a path'), 0, REPORT_LIMITS.list)),
  left_out: remarks,
  concerns: remarks,
});

/** Undefined where nothing is reported. */
export function readImplementerReport(text: string): Read<ImplementerReport> | undefined {
  if (text.trim() === '') return undefined;
  const json = jsonIn(text);
  if (json === undefined) return readStructure(fromProse(text), REPORT_SHAPE);
  const read = readJsonDocument(json);
  return read.ok ? readStructure(inShape(read.value), REPORT_SHAPE) : { ok: false, violations: [read.violation] };
}

/** The work is not finished, although the signal says so. */
export function isUnfinished({ status }: ImplementerReport): boolean {
  return status === 'needs-context' || status === 'blocked';
}

/** For people and reviewers to read. */
export function reportText(report: ImplementerReport): string {
  const { status, summary, commands = [], files = [], left_out = [], concerns = [] } = report;
  return [
    `Status: ${status}\n${summary.trim()}`,
    listed(
      'Commands',
      commands.map(({ run, result }) => `${run}: ${result}`),
    ),
    listed('Files', files),
    listed('Left out', left_out),
    listed('Concerns', concerns),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function listed(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${title}:`, ...lines.map((line) => `- ${line.trim()}`)].join('\n');
}

/** Undefined for prose. */
function jsonIn(text: string): string | undefined {
  const start = text.search(/\{\s*"(?:status|summary)"\s*:/i);
  return findJson(text)?.json ?? (start === -1 ? undefined : text.slice(start));
}

/** "BLOCKED: ..." in a plain text is a status as well. */
function fromProse(text: string): unknown {
  const clean = text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/g, '');
  const [, word = ''] =
    /^\s*(?:status\s*:\s*)?[*_`"]*([a-z]+(?:[ _-][a-z]+){0,2})[*_`"]*\s*(?:[:.\n-]|$)/i.exec(clean) ?? [];
  return { status: statusOf(word) ?? 'done', summary: clean.trim().slice(0, REPORT_LIMITS.text) };
}

function statusOf(word: string): ReportStatus | undefined {
  const bare = word
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
  return REPORT_STATUSES.find((status) => status === bare) ?? ALSO.get(bare);
}

const ALSO: ReadonlyMap<string, ReportStatus> = new Map([
  ['finished', 'done'],
  ['complete', 'done'],
  ['completed', 'done'],
  ['success', 'done'],
  ['concerns', 'done-with-concerns'],
  ['needs-info', 'needs-context'],
  ['needs-input', 'needs-context'],
  ['stuck', 'blocked'],
]);

/** Renames keys and words as far as it is clear what they mean. Everything else stays, and is checked. */
function inShape(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const named = Object.fromEntries(
    Object.entries(value)
      .map(([key, one]) => [KEYS.get(key.toLowerCase().replace(/[\s_-]+/g, '')) ?? key, one] as const)
      .filter(([, one]) => one !== null && one !== ''),
  );
  const status = typeof named.status === 'string' ? statusOf(named.status) : undefined;
  return {
    ...named,
    ...(status === undefined ? {} : { status }),
    ...asList(named, 'files'),
    ...asList(named, 'left_out'),
    ...asList(named, 'concerns'),
    ...(Array.isArray(named.commands) ? { commands: named.commands.map(commandIn) } : {}),
  };
}

const KEYS: ReadonlyMap<string, keyof ImplementerReport> = new Map([
  ['status', 'status'],
  ['summary', 'summary'],
  ['commands', 'commands'],
  ['tests', 'commands'],
  ['files', 'files'],
  ['fileschanged', 'files'],
  ['changedfiles', 'files'],
  ['leftout', 'left_out'],
  ['omitted', 'left_out'],
  ['concerns', 'concerns'],
]);

/** One text where a list is expected. */
function asList(named: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  return typeof named[key] === 'string' ? { [key]: [named[key]] } : {};
}

function commandIn(value: unknown): unknown {
  return typeof value === 'string' ? { run: value, result: 'not reported' } : value;
}
