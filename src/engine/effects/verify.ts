// Verifies a run's commit in the run's worktree.

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
  const missing = await repairWorktree(ports, world, effect);
  const before = missing ?? (await whyNotAt(ports, tree, effect.pin));
  if (before !== undefined) return { of: 'verify', failed: before };
  const portBase = await ports.trees.portBaseOf(tree);
  const result = await runVerify(ports, world, { tree, portBase, name: effect.id });
  // An agent may have committed during verification.
  const after = await whyNotAt(ports, tree, effect.pin);
  if (after !== undefined) return { of: 'verify', failed: after };
  await undoLeftovers(ports, tree, effect.pin);
  switch (result.kind) {
    case 'passed':
      return { of: 'verify', passed: true, text: '' };
    case 'failed':
      return {
        of: 'verify',
        passed: false,
        text: withTail(`Verification failed with exit code ${result.exitCode}.`, result.tail),
      };
    case 'infrastructure':
      return { of: 'verify', failed: withTail(result.why, result.tail) };
  }
}

/** Why the worktree is not at this commit, if it is not. Files left by the verify command do not count. */
async function whyNotAt({ trees }: RunPorts, tree: Tree, pin: Commit): Promise<string | undefined> {
  const head = await trees.headOf(tree);
  if (head === undefined) return `The worktree ${trees.pathOf(tree)} or its branch is gone.`;
  if (head !== pin) return `The branch moved from ${short(pin)} to ${short(head)}, so ${short(pin)} was not verified.`;
  return undefined;
}
