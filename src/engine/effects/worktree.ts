// Worktrees of runs: sets them up, repairs, undoes and removes them.

import { looksUnprepared, preparationWords } from '../../core/files/unprepared.ts';
import { type Commit, short } from '../../core/model/commit.ts';
import type { Effect, RunEffect } from '../../core/model/effect.ts';
import type { EffectResult } from '../../core/model/event.ts';
import { Failure } from '../../core/model/failure.ts';
import { MERGED_TREE, REVIEW_TREE, treeOfBranch } from '../../core/model/run-name.ts';
import { addressOf } from '../../core/model/tasks.ts';
import type { World } from '../../core/model/world.ts';
import type { TreeLook } from '../../core/ports/worktrees.ts';
import type { PlanFile } from '../../plan/name.ts';
import { preparePlanBranch } from './branch-moves.ts';
import { isCutShort, type RunPorts, whyOf, withTail } from './ports.ts';
import { runVerify, timeLimit, undoLeftovers } from './run-verify.ts';

type Of<Kind extends RunEffect['do']> = Extract<RunEffect, { do: Kind }>;

export async function setUpWorktree(ports: RunPorts, world: World, effect: Of<'worktree'>): Promise<EffectResult> {
  const { trees, settings } = ports;
  const { plan, task } = effect;
  const tree = treeOfBranch(effect.plan, effect.branch);
  for (const other of world.outbox.values())
    if (other.do === 'renew-branch' && other.plan === effect.plan) await renewPlanBranch(ports, other);
  const start = await tipOrFailure(ports, effect);
  if ('failed' in start) return { of: 'worktree', failed: start.failed };
  try {
    const setup = await trees.setUp(tree, start.tip, {
      setup: settings.setup,
      patience: timeLimit(world, 'worktree'),
      stop: ports.stop,
      isFirst: true,
    });
    if (setup.kind === 'failed') return { of: 'worktree', failed: withTail(setup.why, setup.tail) };
    for (const text of setup.notes) ports.warn({ plan, task, text });
    if (isVerifiedMerge(world, effect.plan, setup.base)) return { of: 'worktree', base: setup.base };
    const before = await trees.look(tree);
    const baseline = await runVerify(ports, world, { tree, portBase: setup.portBase, name: 'baseline' });
    const left = isClean(before) ? await undoLeftovers(ports, tree, setup.base) : [];
    if (left.length > 0)
      ports.warn({
        plan,
        task,
        text: `The verify command changed or left ${left.join(', ')}. This was undone; add files that it creates on purpose to .gitignore.`,
      });
    if (baseline.kind === 'infrastructure')
      return {
        of: 'worktree',
        failed: withTail(
          `Verification does not work in the new worktree: ${baseline.why} ${preparationWords(settings.setup)}`,
          baseline.tail,
        ),
      };
    if (baseline.kind === 'failed')
      ports.warn({
        plan,
        task,
        text: redBase(ports.verifier.outputOf(tree, 'baseline'), baseline.tail, settings.setup),
      });
    return { of: 'worktree', base: setup.base };
  } catch (error) {
    return { of: 'worktree', failed: whyOf(error) };
  }
}

function redBase(output: string, tail: string, setup: RunPorts['settings']['setup']): string {
  const missing = looksUnprepared(tail)
    ? ` Something that it needs seems to be missing in the new worktree. ${preparationWords(setup)}`
    : '';
  return `Verification already fails on the base commit.${missing} Its output: ${output}`;
}

/** Without a commit to start from the launch has failed. What a person or another attempt can settle is held up. */
async function tipOrFailure(
  ports: RunPorts,
  effect: Of<'worktree'>,
): Promise<{ readonly tip: Commit } | { readonly failed: string }> {
  try {
    return { tip: await preparePlanBranch(ports, effect) };
  } catch (error) {
    if (error instanceof Failure && (error.kind === 'usage' || error.code === 'git-failed'))
      return { failed: error.message };
    throw error;
  }
}

/** Verification may need untracked files that the setup command left. */
function isClean(look: TreeLook): boolean {
  return look.kind === 'present' && look.dirtyCount === 0;
}

/** A merge of one of the plan's runs was verified when it was merged. */
function isVerifiedMerge(world: World, plan: PlanFile, commit: Commit): boolean {
  const entry = world.plans.get(plan);
  return entry?.work?.tip === commit && entry.tasks.some(({ run }) => run?.state === 'DONE');
}

/**
 * Creates a run's worktree again from its branch if someone removed it, or its branch if someone deleted that, so that the run
 * can continue. Returns why that is not possible, if it is not.
 */
export async function repairWorktree(
  ports: RunPorts,
  world: World,
  { plan, task, branch }: Pick<RunEffect, 'plan' | 'task' | 'branch'>,
): Promise<string | undefined> {
  const { trees, settings, warn, stop } = ports;
  const tree = treeOfBranch(plan, branch);
  const known = world.plans.get(plan)?.tasks.find(({ id }) => id === task);
  // Before its first setup there is nothing to repair.
  if (known?.run == null || known.run.base === null || known.run.branch !== branch) return undefined;
  const { head, base } = known.run;
  try {
    const isPresent = trees.exists(tree);
    if (isPresent && (await trees.headOf(tree)) !== undefined) return undefined;
    const request = { setup: settings.setup, patience: timeLimit(world, 'worktree'), stop };
    const setup = await trees.setUp(tree, base, { ...request, ...(head === null ? {} : { head }) });
    if (setup.kind === 'failed') return withTail(setup.why, setup.tail);
    const now = await trees.headOf(tree);
    if (now === undefined) return `${setup.path} is not on a branch with a commit.`;
    warn({ plan, task, text: isPresent ? branchIsBack(branch, now) : worktreeIsBack(setup.path, branch) });
    return undefined;
  } catch (error) {
    return whyOf(error);
  }
}

function branchIsBack(branch: string, at: Commit): string {
  return `Someone deleted ${branch}. It was created again at the last commit of its worktree, ${short(at)}.`;
}

function worktreeIsBack(path: string, branch: string): string {
  return `Someone removed its worktree ${path}. It was created again from ${branch}; uncommitted work is lost.`;
}

/** No run may start before this: it would start from the branch of the previous generation. */
export async function renewPlanBranch(
  { trees }: RunPorts,
  effect: Extract<Effect, { do: 'renew-branch' }>,
): Promise<void> {
  const answer = await trees.renewBranch(effect.plan, effect.generation);
  if (answer.kind === 'occupied') throw new Failure('person', 'occupied', answer.why);
}

export async function releaseWorktree({ trees, warn }: RunPorts, world: World, effect: Of<'keep'>): Promise<void> {
  const tree = treeOfBranch(effect.plan, effect.branch);
  // The run is over, so nobody is asked about a link that somebody changed.
  if (trees.integrity(tree) !== undefined) await trees.relink(tree);
  if (effect.worktree === 'leave') {
    await trees.pin(tree, `${effect.plan}#${addressOf(world, effect.plan, effect.task)} was left.`);
    return;
  }
  const answer = await trees.remove(tree);
  if (answer.kind === 'stays') warn({ plan: effect.plan, task: effect.task, text: answer.why });
}

/** If that is not possible, the result says why, and a person can try again. */
export async function relinkRunWorktree(
  { trees, warn }: RunPorts,
  { plan, task, branch }: Of<'relink'>,
): Promise<EffectResult> {
  try {
    const { kept } = await trees.relink(treeOfBranch(plan, branch));
    if (kept.length > 0)
      warn({ plan, task, text: `Its worktree was restored. What was in it is kept: ${kept.join(', ')}.` });
    return { of: 'relink' };
  } catch (error) {
    if (isCutShort(error)) throw error;
    return { of: 'relink', failed: whyOf(error) };
  }
}

/** A finished plan no longer needs them. The plan lands even if one of them cannot be removed. */
export async function removeReviewTrees({ trees, warn }: RunPorts, plan: PlanFile): Promise<void> {
  for (const name of [REVIEW_TREE, MERGED_TREE]) {
    try {
      const answer = await trees.remove({ plan, name });
      if (answer.kind === 'stays') warn({ plan, text: answer.why });
    } catch (error) {
      warn({ plan, text: whyOf(error) });
    }
  }
}

export async function undoReviewerChanges({ trees, warn }: RunPorts, effect: Of<'undo'>): Promise<void> {
  const { plan, task } = effect;
  const answer = await trees.undo(treeOfBranch(plan, effect.branch), effect.pin);
  if (answer.kind === 'undone')
    warn({
      plan,
      task,
      text: `A reviewer changed ${answer.changed.join(', ')}. The changes were undone, and pinned as ${answer.pinned.ref}.`,
    });
}
