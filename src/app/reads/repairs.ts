// What can be repaired: damage in files, and worktrees and agents that the journal does not know.
import { runEndings } from '../../core/journal/run-endings.ts';
import { startedSessions } from '../../core/journal/started-sessions.ts';
import { Failure } from '../../core/model/failure.ts';
import { suggest } from '../../core/model/suggestion.ts';
import type { World } from '../../core/model/world.ts';
import { orphanedSessions, orphanedTrees } from '../../core/views/orphans.ts';
import type { AppPorts, Check } from '../ports.ts';

export interface Repair {
  /** What the check-up calls it. */
  readonly name: string;
  readonly weight: 'note' | 'bad';
  /** What is wrong. */
  readonly sentence: string;
  /** What is done about it. */
  readonly repair: string;
  /** Does it, and returns undefined; or why it stays. */
  apply(): Promise<string | undefined>;
}

/** The check-up, with everything that can be repaired. */
export async function readCheckUp(ports: AppPorts): Promise<readonly Check[]> {
  const repairs = await findRepairs(ports);
  const repairable = repairs.map(
    ({ name, weight, sentence }): Check => ({ name, result: weight, sentence, try: [suggest('repair')] }),
  );
  const names = new Set(repairs.map(({ name }) => name));
  // What can be repaired is said once.
  const others = (await ports.checkUp()).filter(({ name }) => !names.has(name));
  return [...others, ...repairable];
}

/** Where the journal or the settings cannot be read, only what does not depend on them. */
export async function findRepairs(ports: AppPorts): Promise<readonly Repair[]> {
  const world = await worldIfReadable(ports);
  const unknown =
    world === undefined
      ? undefined
      : await unlessFailed(async () => [...(await ofSessions(ports, world)), ...(await ofTrees(ports, world))]);
  return [...(await ofFiles(ports)), ...(unknown ?? [])];
}

export async function worldIfReadable(ports: AppPorts): Promise<World | undefined> {
  return unlessFailed(() => ports.gateway.look());
}

const NAMES = {
  'git-lock': 'git lock',
  ignores: 'git ignores',
  'signals-folder': 'signals folder',
  terminals: 'tmux server',
} as const;

async function ofFiles(ports: AppPorts): Promise<readonly Repair[]> {
  const repairs = await ports.repairs();
  return (await repairs.find()).map((damage) => ({
    name: NAMES[damage.kind],
    weight: damage.weight,
    sentence: damage.sentence,
    repair: damage.repair,
    apply: () => repairs.apply(damage),
  }));
}

async function ofSessions(ports: AppPorts, world: World): Promise<readonly Repair[]> {
  const sessions = await unlessFailed(() => ports.sessions());
  const hosted = await unlessFailed(async () => sessions?.list());
  if (sessions === undefined || hosted === undefined) return [];
  return orphanedSessions(world, hosted).map((session) => ({
    name: 'orphaned session',
    weight: 'bad',
    sentence: `The agent of ${session} is running, but nothing waits for it: the journal has it as over, or not at all.`,
    repair: `Stop the agent of ${session}; its worktree and branch stay.`,
    async apply() {
      await sessions.stop(session);
      const isGone = !(await sessions.list()).some((one) => one.session === session && one.life.kind === 'running');
      return isGone ? undefined : `Its folder is gone, so cadre does not know its processes. End them by hand.`;
    },
  }));
}

async function ofTrees(ports: AppPorts, world: World): Promise<readonly Repair[]> {
  const cleanup = await ports.cleanup();
  const { trees } = await cleanup.survey();
  const records = await ports.journal.records();
  const history = { world, endings: runEndings(records), started: startedSessions(records) };
  return orphanedTrees(history, trees).map(({ tree, path }) => ({
    name: 'orphaned worktree',
    weight: 'note',
    sentence: `${path} belongs to no run and to no session that the journal knows.`,
    repair: `Pin what is in ${path} under refs/cadre/keep, and remove it.`,
    apply: () => cleanup.remove({ kind: 'worktree', tree }),
  }));
}

async function unlessFailed<Answer>(ask: () => Promise<Answer> | Answer): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
