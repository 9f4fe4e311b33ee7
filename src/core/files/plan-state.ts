// plan-state.json: reading its text, finding the edits that the journal does not have yet, and writing it again.
import { type PlanState, readPlanState } from '../../machines/plan.ts';
import { type PlanFile, planFile } from '../../plan/name.ts';
import { type JsonProblem, readJson } from '../../text/json-text.ts';
import { showName } from '../../text/show.ts';
import type { Event, PlanFields } from '../model/event.ts';
import type { PlanEntry, World } from '../model/world.ts';
import { type PlanTexts, planTexts } from './plan-texts.ts';

/** Its path in the repository. */
export const PLAN_STATE_FILE = 'docs/plans/plan-state.json';

/** The newest format this program can write. A file of the first format has no version. */
const KNOWN_VERSION = 1;

export interface PlanInFile extends PlanFields {
  readonly status: PlanState;
}

export interface PlanStateFile {
  /** The whole document in its wrapped form, including unknown keys. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly plans: ReadonlyMap<PlanFile, PlanInFile>;
  /** Entries that are kept as they are because cadre does not understand them. */
  readonly oddities: readonly string[];
}

export type PlanStateRead =
  | { readonly kind: 'good'; readonly file: PlanStateFile }
  | { readonly kind: 'bad'; readonly code: JsonProblem | 'newer' | 'shape'; readonly why: string };

export const NO_PLAN_STATE: PlanStateFile = { document: {}, plans: new Map(), oddities: [] };

export function readPlanStateFile(text: string): PlanStateRead {
  const read = readJson(text);
  if (read.kind === 'bad') return read;
  const wrapped = wrap(read.value);
  if (wrapped === undefined) return { kind: 'bad', code: 'shape', why: 'it is not an object with "plans"' };
  if (typeof wrapped.version === 'number' && wrapped.version > KNOWN_VERSION)
    return { kind: 'bad', code: 'newer', why: `a newer cadre wrote it (version ${wrapped.version})` };
  return { kind: 'good', file: understand(wrapped) };
}

/** The edits that the journal does not have yet: unknown plans, changed descriptions, and statuses that differ. */
export function unrecordedEdits(world: World, file: PlanStateFile): readonly Event[] {
  const edits: Event[] = [];
  const { plans: _plans, topics, ...extra } = file.document;
  const document = { topics: topics ?? {}, extra };
  if (!same(document, world.document)) edits.push({ kind: 'import-document', ...document });
  for (const [plan, { status, ...fields }] of file.plans) {
    const known = world.plans.get(plan);
    if (known === undefined) edits.push({ kind: 'import', plan, status, fields });
    else {
      const { archived: _archived, ...described } = fields;
      if (!same(fieldsOf(known), described)) edits.push({ kind: 'describe', plan, fields });
      if (known.status !== status) edits.push({ kind: 'differ', plan, fileStatus: status });
    }
  }
  return edits;
}

/** What `projectPlanState` keeps between two projections. */
export function planStateTexts(): PlanTexts {
  return planTexts((entry) => keyed(entry.plan, writeEntry(entry), 2), BETWEEN);
}

const BETWEEN = ',\n';

/** The file for this world. Whatever else the present file contains is kept. */
export function projectPlanState(
  world: World,
  file: PlanStateFile,
  texts: PlanTexts = planStateTexts(),
): { readonly text: string; readonly file: PlanStateFile } {
  const { plans: inFile, topics, ...extra } = { ...world.document.extra, ...file.document };
  const unknown = Object.entries(inFile ?? {}).filter(([name]) => !world.plans.has(name as PlanFile));
  const head = { topics: topics ?? world.document.topics, ...extra };
  const plans = [...texts(world.plans.values()), ...unknown.map(([name, value]) => keyed(name, value, 2))];
  const top = Object.entries(head).map(([name, value]) => keyed(name, value, 1));
  return {
    text: documentOf(top, plans),
    file: { document: { ...head, plans: Object.fromEntries(unknown) }, plans: world.plans, oddities: file.oddities },
  };
}

/** One key and its value as JSON.stringify writes them at that depth. */
function keyed(name: string, value: unknown, depth: number): string {
  const indent = '  '.repeat(depth);
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return `${indent}${JSON.stringify(name)}: ${text.replaceAll('\n', `\n${indent}`)}`;
}

/** Joined once: with many plans, every copy of the text would take as long as all that is made of it. */
function documentOf(top: readonly string[], [first, ...others]: readonly string[]): string {
  const lines = first === undefined ? [...top, '  "plans": {}'] : [...top, `  "plans": {\n${first}`, ...others];
  lines[0] = `{\n${lines[0]}`;
  lines.push(`${lines.pop()}${first === undefined ? '' : '\n  }'}\n}\n`);
  return lines.join(BETWEEN);
}

function writeEntry(entry: PlanEntry): unknown {
  return {
    status: entry.status,
    description: entry.description,
    branch: entry.branch,
    topic: entry.topic,
    created_at: entry.createdAt,
    ...(entry.implemented === undefined ? {} : { implemented: entry.implemented }),
    ...(entry.archived === undefined ? {} : { archived: entry.archived }),
    ...entry.extra,
  };
}

/** The older flat form has the plans at the top level. Undefined for anything else. */
function wrap(value: unknown): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, 'plans')) return isObject(value.plans) ? value : undefined;
  const isPlan = ([key]: [string, unknown]): boolean => key.endsWith('.md');
  const entries = Object.entries(value);
  const rest = entries.filter((entry) => !isPlan(entry));
  return { ...Object.fromEntries(rest), plans: Object.fromEntries(entries.filter(isPlan)) };
}

function understand(document: Record<string, unknown>): PlanStateFile {
  const plans = new Map<PlanFile, PlanInFile>();
  const oddities: string[] = [];
  for (const [name, value] of Object.entries(document.plans as Record<string, unknown>)) {
    const plan = planFile(name);
    const raw = isObject(value) ? value : { status: value };
    const status = readPlanState(raw.status);
    if (plan === undefined) oddities.push(`"${showName(name)}" is not the name of a plan`);
    else if (status === undefined)
      oddities.push(`${plan} has the unknown status ${showName(JSON.stringify(raw.status) ?? 'none')}`);
    else plans.set(plan, { status, ...readFields(plan, raw) });
  }
  return { document, plans, oddities };
}

function readFields(plan: PlanFile, raw: Record<string, unknown>): PlanFields {
  const { status: _status, description, branch, topic, created_at, implemented, archived, ...extra } = raw;
  return {
    description: text(description),
    branch: text(branch) || `plan/${plan.slice(0, -3)}`,
    topic: text(topic),
    createdAt: text(created_at),
    ...(implemented === undefined ? {} : { implemented }),
    ...(typeof archived === 'string' ? { archived } : {}),
    extra,
  };
}

function fieldsOf({ description, branch, topic, createdAt, implemented, extra }: PlanEntry): PlanFields {
  return { description, branch, topic, createdAt, ...(implemented === undefined ? {} : { implemented }), extra };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Equal as JSON, ignoring the order of keys. */
function same(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
