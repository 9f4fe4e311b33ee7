// Files of plans with tasks in them, and what cadre makes of them: in status, in the journal and in state.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../src/plan/plan.ts';
import { logOf } from './plans.ts';
import { eventually, type Repo } from './repo.ts';

/** A plan with these tasks, numbered from one. Each has a text of its own, and the plan lets a linter find nothing. */
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

/** Each task as its address and name, the stale ones marked. */
export function tasksOf(repo: Repo, plan: string): readonly string[] {
  return statusOf(repo, plan).tasks.map(({ task, name, stale }) => `${task} ${name}${stale ? ' (stale)' : ''}`);
}

export interface PlanRead {
  readonly seq: number;
  readonly at: string;
  readonly tasks: readonly { readonly id: string; readonly address: string; readonly name: string }[];
  readonly stale: readonly { readonly id: string; readonly address: string }[];
}

/** The records of the journal in which the plan's file was taken in, oldest first. */
export function readsOf(repo: Repo, plan: string): readonly PlanRead[] {
  return (logOf(repo, plan) as readonly unknown[] as readonly (PlanRead & { event: string; details: PlanRead })[])
    .filter(({ event }) => event === 'plan_read')
    .map(({ seq, at, details }) => ({ seq, at, tasks: details.tasks, stale: details.stale }));
}

/** What the last reading of the file has found, each task as its id and name. */
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

/** The plan in state.json; nothing while there is none. */
export function inOverview(repo: Repo, plan: string): OverviewPlan | undefined {
  try {
    return JSON.parse(readFileSync(join(repo.home, 'state.json'), 'utf8')).plans[join(repo.plans, plan)];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Waits until state.json, which is written last, has exactly these tasks besides stale ones. */
export async function takenIn(repo: Repo, plan: string, ...names: readonly string[]): Promise<void> {
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
