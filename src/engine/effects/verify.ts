// Verifies a run's commit in the run's worktree.

import { verifyInputsIn } from '../../core/files/verify-inputs.ts';
import { type Commit, short } from '../../core/model/commit.ts';
import type { RunEffect } from '../../core/model/effect.ts';
import type { EffectResult } from '../../core/model/event.ts';
import type { Verified } from '../../core/model/run.ts';
import { type Tree, treeOfBranch } from '../../core/model/run-name.ts';
import type { World } from '../../core/model/world.ts';
import { showText } from '../../text/show.ts';
import { type RunPorts, withTail } from './ports.ts';
import { runVerify, undoLeftovers } from './run-verify.ts';
import { repairWorktree } from './worktree.ts';

type VerifyEffect = Extract<RunEffect, { do: 'verify' }>;

export async function verifyRun(ports: RunPorts, world: World, effect: VerifyEffect): Promise<EffectResult> {
  const tree = treeOfBranch(effect.plan, effect.branch);
  const missing = await repairWorktree(ports, world, effect);
  const before = missing ?? (await whyNotAt(ports, tree, effect.pin));
  if (before !== undefined) return { of: 'verify', failed: before };
  const incomplete = await whyIncomplete(ports, world, effect);
  if (incomplete !== undefined)
    return { of: 'verify', passed: false, text: incomplete, verified: await verifiedWith(ports, world, effect) };
  await restoreCommit(ports, tree, effect);
  const portBase = await ports.trees.portBaseOf(tree);
  const result = await runVerify(ports, world, { tree, portBase, name: effect.id });
  // An agent may have committed during verification.
  const after = await whyNotAt(ports, tree, effect.pin);
  if (after !== undefined) return { of: 'verify', failed: after };
  await undoLeftovers(ports, tree, effect.pin);
  switch (result.kind) {
    case 'passed':
      return { of: 'verify', passed: true, text: '', verified: await verifiedWith(ports, world, effect) };
    case 'failed':
      return {
        of: 'verify',
        passed: false,
        text: withTail(`Verification failed with exit code ${result.exitCode}.`, result.tail),
        verified: await verifiedWith(ports, world, effect),
      };
    case 'infrastructure':
      return { of: 'verify', failed: withTail(result.why, result.tail) };
  }
}

/** What is verified is the commit. The files may differ from it although git calls the worktree clean. */
async function restoreCommit(
  { trees, warn }: RunPorts,
  tree: Tree,
  { plan, task, pin }: Extract<RunEffect, { do: 'verify' }>,
): Promise<void> {
  const differing = await trees.differences(tree, pin);
  if (differing.length === 0) return;
  const answer = await trees.undo(tree, pin);
  const kept = answer.kind === 'undone' ? `, and what was there is pinned as ${answer.pinned.ref}` : '';
  warn({
    plan,
    task,
    text: `Before verification, ${differing.map(showText).join(', ')} differed from the commit ${short(pin)}. The files of the commit were restored${kept}.`,
  });
}

/** The verify command would find files in the worktree that are not merged. */
async function whyIncomplete({ trees }: RunPorts, world: World, effect: VerifyEffect): Promise<string | undefined> {
  const base = baseIn(world, effect);
  const [folder] = base === null ? [] : await trees.nestedIn(base, effect.pin);
  if (folder === undefined) return undefined;
  const name = showText(folder);
  return `${name} is a separate repository: the commit ${short(effect.pin)} has none of its files. Remove ${name}/.git and commit the files, or add it as a submodule.`;
}

function baseIn(world: World, { plan, task }: VerifyEffect): Commit | null {
  return world.plans.get(plan)?.tasks.find((one) => one.id === task)?.run?.base ?? null;
}

/** Why the worktree is not at this commit, if it is not. Files left by the verify command do not count. */
async function whyNotAt({ trees }: RunPorts, tree: Tree, pin: Commit): Promise<string | undefined> {
  const head = await trees.headOf(tree);
  if (head === undefined) return `The worktree ${trees.pathOf(tree)} or its branch is gone.`;
  if (head !== pin) return `The branch moved from ${short(pin)} to ${short(head)}, so ${short(pin)} was not verified.`;
  return undefined;
}

/** The command that ran, and what the run has changed of it. */
async function verifiedWith(ports: RunPorts, world: World, effect: VerifyEffect): Promise<Verified> {
  const found = ports.verifier.command(ports.settings.verify);
  if (found.kind !== 'command') return { command: null, rewrites: [] };
  const base = baseIn(world, effect);
  if (base === null) return { command: found.words, rewrites: [] };
  const changed = await ports.trees.changed(base, effect.pin);
  const text = changed.length === 0 ? undefined : await ports.trees.textAt(base, 'package.json');
  const before = (path: string): string | undefined => (path === 'package.json' ? text : undefined);
  return { command: found.words, rewrites: verifyInputsIn(found.words, changed, before) };
}
