// Plans in the state that a test needs, and what happened to them.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, type Repo } from './repo.ts';

/** As after a clone: the files, and a plan-state.json with the state of each. The first step imports them. */
export function bringPlans(repo: Repo, states: Readonly<Record<string, string>>, text?: string): void {
  const plans = Object.fromEntries(Object.entries(states).map(([plan, status]) => [plan, { status }]));
  for (const plan of Object.keys(states)) repo.writePlan(plan, text);
  writeFileSync(join(repo.plans, 'plan-state.json'), `${JSON.stringify({ topics: {}, plans }, null, 2)}\n`);
}

export async function reachesStatus(repo: Repo, plan: string, status: string): Promise<void> {
  await eventually(
    () => (existsSync(join(repo.plans, 'plan-state.json')) ? repo.status(plan) : undefined),
    (seen) => seen === status,
  );
}

/** The fields of a record that tests use. */
export interface LogRecord {
  readonly seq: number;
  readonly by: string;
  readonly role: string | null;
  readonly session: string | null;
  readonly plan: string | null;
  readonly event: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly signal: { readonly id: string; readonly name: string; readonly body?: string } | null;
  readonly details: { readonly feedback?: string };
}

export function logOf(repo: Repo, ...plan: readonly string[]): readonly LogRecord[] {
  return ndjson(repo.cadre('log', ...plan, '--json').stdout) as readonly LogRecord[];
}

/** What happened to a plan, except that its file was read, whose time depends on the file system. */
export function happenedTo(repo: Repo, plan: string): readonly LogRecord[] {
  return logOf(repo, plan).filter((record) => record.event !== 'plan_read');
}

export function ndjson(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

export interface QuarantinedJson {
  readonly id: string;
  readonly code: string;
  readonly why: string;
  readonly name: string;
  readonly plan: string | null;
  readonly file: string;
}

export function quarantined(repo: Repo): readonly QuarantinedJson[] {
  const answer: { readonly quarantined: readonly QuarantinedJson[] } = repo.json('quarantine', 'list');
  return answer.quarantined;
}

/** The names in a folder, without dotfiles; none if the folder is missing. */
export function visibleIn(folder: string): readonly Buffer[] {
  try {
    return readdirSync(folder, { encoding: 'buffer' }).filter((name) => name[0] !== '.'.charCodeAt(0));
  } catch {
    return [];
  }
}

export async function everythingTakenFrom(folder: string): Promise<void> {
  await eventually(
    () => visibleIn(folder).length,
    (count) => count === 0,
  );
}

/** The inbox of a session, in which its messages wait until they are taken. */
export function boxOf(repo: Repo, session: string): string {
  return join(repo.state(), 'inbox', session, 'new');
}
