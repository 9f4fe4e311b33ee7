// Plan files with tasks, and how they show up in status, in the journal and in state.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../src/plan/plan.ts';
import { logOf } from './plans.ts';
import { eventually, type Repo } from './repo.ts';

/** A plan with these tasks, numbered from one, each with its own text. The linter finds nothing to complain about. */
export function planOf(...names: readonly string[]): string {
  return `# Shed\n\n**Goal:** a dry place\n${names.map((name, index) => taskOf(index + 1, name)).join('')}`;
}

export function taskOf(number: number, name: string): string {
  return [
    '',
    `### Task ${number}: ${name}`,
    '',
    '**Files:**',
    '',
    `- Create: \`src/${name.toLowerCase()}.txt\``,
    '',
    `**Step 1: ${name} for an hour**`,
    '',
    `Run: \`make ${name.toLowerCase()}\``,
    '',
    'Expected: it is there',
    '',
  ].join('\n');
}

export interface TaskJson {
  readonly task: string;
  readonly name: string;
  readonly state: string;
  readonly stale: boolean;
  readonly changed: boolean;
  readonly blockedBy: readonly string[];
}

export interface PlanJson {
  readonly plan: string;
  readonly status: string;
  readonly tasks: readonly TaskJson[];
  readonly file: { readonly state: string; readonly problems: readonly Problem[] };
}

export function statusOf(repo: Repo, plan: string): PlanJson {
  const { plans }: { readonly plans: readonly PlanJson[] } = repo.json('status', plan);
  const [only] = plans;
  if (only === undefined || plans.length > 1) throw new Error(`status ${plan} answered with ${plans.length} plans`);
  return only;
}

/** The address and name of each task; stale tasks are marked. */
export function tasksOf(repo: Repo, plan: string): readonly string[] {
  return statusOf(repo, plan).tasks.map(({ task, name, stale }) => `${task} ${name}${stale ? ' (stale)' : ''}`);
}

export interface PlanRead {
  readonly seq: number;
  readonly at: string;
  readonly tasks: readonly { readonly id: string; readonly address: string; readonly name: string }[];
  readonly stale: readonly { readonly id: string; readonly address: string }[];
}

/** The journal records of reading the plan file, oldest first. */
export function readsOf(repo: Repo, plan: string): readonly PlanRead[] {
  return (logOf(repo, plan) as readonly unknown[] as readonly (PlanRead & { event: string; details: PlanRead })[])
    .filter(({ event }) => event === 'plan_read')
    .map(({ seq, at, details }) => ({ seq, at, tasks: details.tasks, stale: details.stale }));
}

/** The id and name of each task when the file was last read. */
export function lastRead(repo: Repo, plan: string): readonly string[] {
  return (
    readsOf(repo, plan)
      .at(-1)
      ?.tasks.map(({ id, name }) => `${id} ${name}`) ?? []
  );
}

interface OverviewPlan {
  readonly active: boolean;
  readonly tasks: Readonly<Record<string, { readonly instance_title: string; readonly stale?: boolean }>>;
}

/** The plan in state.json; undefined if it is not there yet. */
export function inOverview(repo: Repo, plan: string): OverviewPlan | undefined {
  try {
    return JSON.parse(readFileSync(join(repo.home, 'state.json'), 'utf8')).plans[join(repo.plans, plan)];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Waits until state.json, which is written last, has exactly these tasks, not counting stale ones. */
export async function tasksRead(repo: Repo, plan: string, ...names: readonly string[]): Promise<void> {
  await eventually(
    () => present(inOverview(repo, plan)),
    (seen) => JSON.stringify(seen) === JSON.stringify([...names].sort()),
  );
}

function present(plan: OverviewPlan | undefined): readonly string[] {
  return Object.values(plan?.tasks ?? {})
    .filter((task) => task.stale !== true)
    .map((task) => task.instance_title.replace(/^Task .+?: /, ''))
    .sort();
}
