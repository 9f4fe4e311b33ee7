// Runs the project's verify command on a commit, in a run's worktree or in the plan's worktree for merged trees.

import { type Commit, short } from '../../core/model/commit.ts';
import { MERGED_TREE, type Tree } from '../../core/model/run-name.ts';
import type { World } from '../../core/model/world.ts';
import type { VerifyMerged } from '../../core/ports/merging.ts';
import type { VerifyOutcome, VerifyRequest } from '../../core/ports/verifier.ts';
import { GRACE } from '../../core/settings/default-policy.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { RunPorts } from './ports.ts';

/** Verifies merged trees in a separate worktree, apart from anyone's work. */
export function verifierOfMerges(ports: RunPorts, world: World, plan: PlanFile): VerifyMerged {
  // A plan has one worktree for them, so they take turns.
  return (merged) => ports.queue.run(plan, () => verifyMerged(ports, world, plan, merged));
}

async function verifyMerged(ports: RunPorts, world: World, plan: PlanFile, merged: Commit): Promise<VerifyOutcome> {
  const tree: Tree = { plan, name: MERGED_TREE };
  const setup = await ports.trees.detach(tree, merged, {
    setup: ports.settings.setup,
    patience: timeLimit(world, 'worktree'),
    stop: ports.stop,
  });
  if (setup.kind === 'failed') return { kind: 'infrastructure', why: setup.why, tail: setup.tail };
  return runVerify(ports, world, { tree, portBase: setup.portBase, name: short(merged) });
}

export async function runVerify(
  ports: RunPorts,
  world: World,
  what: Pick<VerifyRequest, 'tree' | 'portBase' | 'name'>,
): Promise<VerifyOutcome> {
  const command = ports.verifier.command(ports.settings.verify);
  if (command.kind !== 'command') return { kind: 'passed' };
  const { stop } = ports;
  return ports.verifier.verify({ ...what, command: command.words, patience: timeLimit(world, 'verify'), stop });
}

export function timeLimit(world: World, what: 'worktree' | 'verify'): number {
  return Math.max(world.policy.deadlines[what] - GRACE, 1);
}

/** Undoes what the verify command changed or left in a worktree that was clean before. Returns these files. */
export async function undoLeftovers({ trees }: RunPorts, tree: Tree, commit: Commit): Promise<readonly string[]> {
  const look = await trees.look(tree);
  if (look.kind === 'gone' || (look.dirtyCount === 0 && look.head === commit)) return [];
  const answer = await trees.undo(tree, commit);
  return answer.kind === 'undone' ? answer.changed : [];
}
