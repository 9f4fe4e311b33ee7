// Worktrees and agents that the journal does not know: a restored backup, a journal that was moved away, a killed cadre.
import { planFile } from '../../plan/name.ts';
import type { RunEnding } from '../journal/run-endings.ts';
import type { StartedSession } from '../journal/started-sessions.ts';
import { type PlaceId, placeId, type SessionId } from '../model/ids.ts';
import { ADHOC, branchOfRun, parseRunName, type Tree, treeName } from '../model/run-name.ts';
import type { World } from '../model/world.ts';
import type { LeftTree } from '../ports/cleanup.ts';
import type { HostedSession } from '../ports/host.ts';
import { isUp } from './garbage/situation.ts';

export interface KnownHistory {
  readonly world: World;
  /** By branch. */
  readonly endings: ReadonlyMap<string, RunEnding>;
  readonly started: ReadonlyMap<PlaceId, StartedSession>;
}

export interface OrphanedTree {
  readonly tree: Tree;
  readonly path: string;
}

/** A worktree that is known and no longer needed is no orphan: `cadre gc` removes it when it is old. */
export function orphanedTrees(history: KnownHistory, trees: readonly LeftTree[]): readonly OrphanedTree[] {
  return trees.flatMap((left) => {
    const [plan, name] = [planFile(`${left.plan}.md`), treeName(left.part)];
    if (plan === undefined || name === undefined || isKnown(history, { plan, name }, left)) return [];
    return [{ tree: { plan, name }, path: left.path }];
  });
}

function isKnown({ world, endings, started }: KnownHistory, { plan }: Tree, left: LeftTree): boolean {
  if (left.plan === ADHOC) return started.has(placeId(left.part) as PlaceId);
  const run = parseRunName(left.part);
  if (run === undefined) return world.plans.has(plan);
  const branch = branchOfRun(plan, run);
  const isCurrent = world.plans.get(plan)?.tasks.some((task) => task.run?.branch === branch) ?? false;
  const isWanted = [...world.outbox.values()].some((effect) => 'branch' in effect && effect.branch === branch);
  return isCurrent || isWanted || endings.has(branch);
}

/** Agents that run although nobody wants them to, and that nothing in the outbox is about to stop. */
export function orphanedSessions({ sessions, outbox }: World, hosted: readonly HostedSession[]): readonly SessionId[] {
  const pending = new Set([...outbox.values()].flatMap((effect) => ('session' in effect ? [effect.session] : [])));
  return hosted
    .filter(({ life }) => life.kind === 'running')
    .map(({ session }) => session)
    .filter((session) => {
      const entry = sessions.get(session);
      return !pending.has(session) && (entry === undefined || !isUp(entry));
    });
}
