// A plan can be cancelled at any moment of a run, and no process of it is left: neither the agent's, nor one that the agent
// or a command of the engine has started.
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { World } from '../../src/core/model/world.ts';
import type { PlanFile } from '../../src/plan/name.ts';
import { cwdOf, livePids, textOf } from '../support/hosts.ts';
import { type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

/** How often a plan is cancelled, and how many plans are built at once. */
const [TIMES, AT_ONCE] = [32, 8];

/** What a run goes through, in order. Each plan is cancelled a little after its run has come this far. */
const STATES = ['SETUP', 'CODING', 'TESTING', 'CODE_REVIEW spec', 'CODE_REVIEW quality'];

/** The longest time between that and the cancel, in milliseconds: about as long as a run stays in one state. */
const AFTER = 300;

/** Every agent leaves processes in every way it can, and takes a little time. */
const AGENT = `fork forever
  daemon
  run env -i setsid -f sleep 1000
  ignore-sigterm
  sleep 150
  role implementer
  append work.txt more
  commit work
  signal implement-finished
  hang
  role spec-reviewer
  signal review-approved
  hang
  role quality-reviewer
  signal review-approved
  hang`;

/** A command of the project that leaves a process behind. */
const COMMAND = 'sleep 1000 & sleep 0.2\n';

function plan(number: number): PlanFile {
  return `plan-${number}.md` as PlanFile;
}

test(`leaves no process, at ${TIMES} random moments`, async () => {
  const repo = planRepo({
    settings: { verify: ['sh', 'verify.sh'], setup: ['sh', 'setup.sh'], max_parallel: AT_ONCE },
    files: { 'verify.sh': COMMAND, 'setup.sh': COMMAND },
  });
  const seen: string[] = [];
  const cancel = async (number: number): Promise<void> => {
    repo.writePlan(plan(number), tasksOf([AGENT]));
    const ran = repo.start('run', plan(number), '--json');
    await repo.until((world) => progressOf(world, number) >= number % STATES.length);
    await moment(AFTER * Math.random());
    expect(await repo.start('cancel', plan(number))).toMatchObject({ code: 0 });
    await ran;
    seen.push(stateOf(repo.world(), number));
    await repo.until((world) => !hasWork(world, number));
    await repo.until(() => processesOf(repo, number).length === 0, 60_000).catch(() => undefined);
    expect(processesOf(repo, number), `${plan(number)}, cancelled in ${seen.at(-1)}`).toEqual([]);
  };
  for (let first = 0; first < TIMES; first += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => cancel(first + index)));
  // Otherwise the moments say nothing about a run.
  expect(new Set(seen).size, seen.join()).toBeGreaterThan(3);
});

/** The state of the run, or that of the plan if it has none. */
function stateOf(world: World, number: number): string {
  const entry = world.plans.get(plan(number));
  const { state, stage } = entry?.tasks[0]?.run ?? { state: entry?.status ?? 'not registered', stage: null };
  return stage === null ? state : `${state} ${stage}`;
}

/** How far the run has come: the place of its state in STATES, -1 before the first, and beyond the last after it. */
function progressOf(world: World, number: number): number {
  const state = stateOf(world, number);
  if (['not registered', 'ready', 'implementing', 'WAITING'].includes(state)) return -1;
  return STATES.includes(state) ? STATES.indexOf(state) : STATES.length;
}

/** Whether the engine has still to do something for the plan. */
function hasWork(world: World, number: number): boolean {
  return [...world.outbox.values()].some((effect) => {
    const about = 'session' in effect ? world.sessions.get(effect.session) : effect;
    return about !== undefined && 'plan' in about && about.plan === plan(number);
  });
}

/** The processes that run in a worktree of the plan, or were started with the environment of one of its sessions. */
function processesOf(repo: PlanRepo, number: number): readonly string[] {
  const worktrees = join(repo.state(), 'worktrees', `plan-${number}/`);
  const own = [...repo.world().sessions.values()].filter((session) => session.plan === plan(number));
  const marks = own.map(({ id }) => `CADRE_SESSION_FOLDER=${join(repo.state(), 'sessions', id)}`);
  const belongs = (pid: number): boolean => {
    const environment = textOf(`/proc/${pid}/environ`).split('\0');
    return (
      `${cwdOf(pid)}/`.startsWith(worktrees) ||
      environment.some((entry) => marks.includes(entry) || entry.includes(worktrees))
    );
  };
  return livePids()
    .filter(belongs)
    .map((pid) => `${pid} ${textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`);
}
