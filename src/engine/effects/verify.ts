// The verification of a run's commit, in the run's own worktree.

import { type Commit, short } from '../../core/model/commit.ts';
import type { RunEffect } from '../../core/model/effect.ts';
import type { EffectResult } from '../../core/model/event.ts';
import { type Tree, treeOfBranch } from '../../core/model/run-name.ts';
import type { World } from '../../core/model/world.ts';
import { type RunPorts, withTail } from './ports.ts';
import { runVerify, undoLeftovers } from './run-verify.ts';
import { repairWorktree } from './worktree.ts';

export async function verifyRun(
  ports: RunPorts,
  world: World,
  effect: Extract<RunEffect, { do: 'verify' }>,
): Promise<EffectResult> {
  const tree = treeOfBranch(effect.plan, effect.branch);
  const gone = await repairWorktree(ports, world, effect);
  const before = gone ?? (await otherThan(ports, tree, effect.pin));
  if (before !== undefined) return { of: 'verify', failed: before };
  const portBase = await ports.trees.portBaseOf(tree);
  const result = await runVerify(ports, world, { tree, portBase, name: effect.id });
  // What was verified is what was there all the time.
  const after = await otherThan(ports, tree, effect.pin);
  if (after !== undefined) return { of: 'verify', failed: after };
  await undoLeftovers(ports, tree, effect.pin);
  switch (result.kind) {
    case 'passed':
      return { of: 'verify', passed: true, text: '' };
    case 'failed':
      return {
        of: 'verify',
        passed: false,
        text: withTail(`The verification ended with exit code ${result.exitCode}.`, result.tail),
      };
    case 'infrastructure':
      return { of: 'verify', failed: withTail(result.why, result.tail) };
  }
}

/** Why the worktree is not at this very commit, or nothing. Files that the verification itself leaves are no change of it. */
async function otherThan({ trees }: RunPorts, tree: Tree, pin: Commit): Promise<string | undefined> {
  const head = await trees.headOf(tree);
  if (head === undefined) return `The worktree ${trees.pathOf(tree)} is gone, or its branch is.`;
  if (head !== pin)
    return `The branch has moved from ${short(pin)} to ${short(head)} while ${short(pin)} was to be verified.`;
  return undefined;
}
