// How a commit is checked: with the project's own command, in a run's worktree or in one for merged trees.

import { type Commit, short } from '../../core/model/commit.ts';
import { MERGED_TREE, type Tree } from '../../core/model/run-name.ts';
import type { World } from '../../core/model/world.ts';
import type { Check } from '../../core/ports/merging.ts';
import type { Verified } from '../../core/ports/verifier.ts';
import { GRACE } from '../../core/settings/default-policy.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { RunHands } from './ports.ts';

/** A merged tree is made in a worktree of its own, so that nobody's work is in the way. */
export function checkOf(hands: RunHands, world: World, plan: PlanFile): Check {
  // One worktree of a plan's merged trees, so one of them at a time.
  return (merged) => hands.turns.run(plan, () => checkMerged(hands, world, plan, merged));
}

async function checkMerged(hands: RunHands, world: World, plan: PlanFile, merged: Commit): Promise<Verified> {
  const tree: Tree = { plan, name: MERGED_TREE };
  const made = await hands.trees.detach(tree, merged, {
    setup: hands.settings.setup,
    patience: patience(world, 'worktree'),
    stop: hands.stop,
  });
  if (made.kind === 'failed') return { kind: 'infrastructure', why: made.why, tail: made.tail };
  return checked(hands, world, tree, made.ports, short(merged));
}

export async function checked(
  hands: RunHands,
  world: World,
  tree: Tree,
  ports: number,
  name: string,
): Promise<Verified> {
  const command = hands.verifier.command(hands.settings.verify);
  if (command.kind !== 'command') return { kind: 'passed' };
  const { stop } = hands;
  return hands.verifier.verify({
    tree,
    ports,
    name,
    command: command.words,
    patience: patience(world, 'verify'),
    stop,
  });
}

export function patience(world: World, what: 'worktree' | 'verify'): number {
  return Math.max(world.policy.deadlines[what] - GRACE, 1);
}

/** Takes away what a check has changed or left in a worktree that was clean before it: that is nobody's work. */
export async function tidyUp({ trees }: RunHands, tree: Tree, commit: Commit): Promise<readonly string[]> {
  const look = await trees.look(tree);
  if (look.kind === 'gone' || (look.dirtyCount === 0 && look.head === commit)) return [];
  const answer = await trees.undo(tree, commit);
  return answer.kind === 'undone' ? answer.changed : [];
}
