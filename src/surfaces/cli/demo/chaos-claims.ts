// What must hold of a demo in which programs were killed, compared with one in which none was.
import type { Counts } from '../../../core/model/run.ts';
import type { Playground, ProcessKind } from '../playground.ts';
import type { Demo } from './build.ts';
import type { Kill } from './chaos.ts';
import { CLAIMS_IN_CHAOS, type DemoClaim, type DemoOutcome } from './claims.ts';
import { PLAN_BRANCH } from './more-measures.ts';
import { PLAN } from './plan.ts';

/** What a finished demo leaves behind. */
export interface Traces {
  /** Of the plan branch. */
  readonly tree: string;
  readonly branches: string;
  readonly worktrees: string;
  /** What each run spent. The two tasks that conflict may change places, so the list is sorted. */
  readonly counts: readonly string[];
}

export async function readTraces({ playground }: Demo): Promise<Traces> {
  const { app, folder } = playground;
  const git = async (...words: readonly string[]) => (await playground.run(['git', ...words], app.root)).text;
  const world = await app.world();
  const counts = world.plans.get(PLAN)?.tasks.map(({ run }) => shownCounts(run?.counts)) ?? [];
  return {
    tree: await git('rev-parse', `${PLAN_BRANCH}^{tree}`),
    branches: await git('for-each-ref', '--format=%(refname)', 'refs/heads'),
    worktrees: (await git('worktree', 'list', '--porcelain'))
      .split('\n')
      .filter((line) => line.startsWith('worktree '))
      .map((line) => line.replace(folder, '').replace(/-[0-9a-f]{12}\//, '/'))
      .join('\n'),
    counts: [...counts].sort(),
  };
}

/** Restarts of agents are what chaos causes; everything else must be as without it. */
function shownCounts(counts: Counts | undefined): string {
  return JSON.stringify({ ...counts, relaunches: undefined });
}

export interface ChaosOutcome extends DemoOutcome {
  readonly kills: readonly Kill[];
  readonly calm: Traces;
  readonly traces: Traces;
  readonly left: readonly string[];
  readonly missing: readonly string[];
}

export const CHAOS_CLAIMS: readonly DemoClaim<ChaosOutcome>[] = [
  {
    claim: 'At least 10 programs were killed: the engine, "cadre run", git and agents, each at least once.',
    holds: ({ kills }) => kills.length >= 10 && KINDS.every((kind) => kills.some((kill) => kill.kind === kind)),
  },
  ...CLAIMS_IN_CHAOS,
  {
    claim: 'The files on the plan branch are the same as without the kills.',
    holds: ({ calm, traces }) => traces.tree === calm.tree,
  },
  {
    claim:
      'No step was done twice: each effect once, and as many turns, verifications and merges as without the kills.',
    holds: ({ calm, traces, records }) =>
      traces.counts.join() === calm.counts.join() && hasNoRepetition(records.flatMap(doneEffect)),
  },
  {
    claim: 'No work was lost: every commit that was sent to verification is in the repository.',
    holds: ({ missing }) => missing.length === 0,
  },
  {
    claim: 'Nothing was left behind: the same branches and worktrees, no lock file, no signal, no agent.',
    holds: ({ calm, traces, left }) =>
      traces.branches === calm.branches && traces.worktrees === calm.worktrees && left.length === 0,
  },
];

const KINDS: readonly ProcessKind[] = ['engine', 'cadre run', 'git', 'agent'];

function doneEffect(record: DemoOutcome['records'][number]): readonly string[] {
  return record.event === 'effect_done' ? [record.effect] : [];
}

function hasNoRepetition(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

/** Lock files, waiting signals, unfinished effects, and agents that still run. */
export async function readLeft({ playground }: Demo): Promise<readonly string[]> {
  const { app, folder } = playground;
  const found = await Promise.all([
    linesOf(playground, ['find', `${app.root}/.git`, '-name', '*.lock']),
    linesOf(playground, ['find', `${folder}/home`, '-path', '*/inbox/*', '-type', 'f']),
  ]);
  const pending = [...(await app.world()).outbox.values()].map((effect) => `pending effect ${effect.id} ${effect.do}`);
  const agents = playground.processes().filter(({ kind }) => kind === 'agent');
  return [...found.flat(), ...pending, ...agents.map(({ command }) => `running: ${command}`)];
}

/** The commits that the journal sent to verification and that are no longer there. */
export async function readMissing({ playground, records }: Demo): Promise<readonly string[]> {
  const pins = records.flatMap((record) =>
    (record.effects ?? []).flatMap((effect) => (effect.do === 'verify' ? [effect.pin] : [])),
  );
  const checks = [...new Set(pins)].map(async (pin) => {
    const { exitCode } = await playground.run(['git', 'cat-file', '-e', pin], playground.app.root);
    return exitCode === 0 ? [] : [pin];
  });
  return (await Promise.all(checks)).flat();
}

async function linesOf(playground: Playground, argv: readonly string[]): Promise<readonly string[]> {
  const { text } = await playground.run(argv, playground.app.root);
  return text.split('\n').filter((line) => line !== '');
}
