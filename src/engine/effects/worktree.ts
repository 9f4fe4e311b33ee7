// Worktrees of runs: made ready, mended, put back and given back.

import type { Commit } from '../../core/model/commit.ts';
import type { Effect, RunEffect } from '../../core/model/effect.ts';
import type { EffectResult } from '../../core/model/event.ts';
import { Failure } from '../../core/model/failure.ts';
import { MERGED_TREE, REVIEW_TREE, treeOfBranch } from '../../core/model/run-name.ts';
import type { World } from '../../core/model/world.ts';
import type { BaseRequest } from '../../core/ports/merging.ts';
import type { TreeLook } from '../../core/ports/worktrees.ts';
import type { PlanFile } from '../../plan/name.ts';
import { type RunPorts, whyOf, withTail } from './ports.ts';
import { runVerify, timeLimit, undoLeftovers, verifierOfMerges } from './run-verify.ts';

type Of<Kind extends RunEffect['do']> = Extract<RunEffect, { do: Kind }>;

export async function setUpWorktree(ports: RunPorts, world: World, effect: Of<'worktree'>): Promise<EffectResult> {
  const { trees, settings, notify } = ports;
  const tree = treeOfBranch(effect.plan, effect.branch);
  for (const other of world.outbox.values())
    if (other.do === 'renew-branch' && other.plan === effect.plan) await renewPlanBranch(ports, other);
  try {
    const { branch, base } = await trees.planBranch(effect.plan, settings.baseBranch);
    if (settings.syncBase) await syncBase(ports, world, effect.plan, { planBranch: branch, base });
    const made = await trees.setUp(tree, branch, {
      setup: settings.setup,
      patience: timeLimit(world, 'worktree'),
      stop: ports.stop,
    });
    if (made.kind === 'failed') return { of: 'worktree', failed: withTail(made.why, made.tail) };
    for (const note of made.notes) notify.warn(note);
    if (isMerge(world, effect.plan, made.base)) return { of: 'worktree', base: made.base };
    const before = await trees.look(tree);
    const baseline = await runVerify(ports, world, { tree, portBase: made.portBase, name: 'baseline' });
    const left = isClean(before) ? await undoLeftovers(ports, tree, made.base) : [];
    if (left.length > 0)
      notify.warn(
        `${effect.plan}#${effect.task}: the verification changes or leaves ${left.join(', ')}. That is undone after it; what it makes on purpose belongs into .gitignore.`,
      );
    if (baseline.kind === 'infrastructure')
      return {
        of: 'worktree',
        failed: withTail(`The verify command cannot be run here: ${baseline.why}`, baseline.tail),
      };
    if (baseline.kind === 'failed')
      notify.warn(
        `${effect.plan}#${effect.task}: the verification fails already, before anything was done. Its output: ${ports.verifier.outputOf(tree, 'baseline')}`,
      );
    return { of: 'worktree', base: made.base };
  } catch (error) {
    return { of: 'worktree', failed: whyOf(error) };
  }
}

/** Where the setup command leaves something that git is not told to ignore, the verification may need it. */
function isClean(look: TreeLook): boolean {
  return look.kind === 'present' && look.dirtyCount === 0;
}

/** What a run of the plan has brought to its branch was verified then; to do it again would take as long again. */
function isMerge(world: World, plan: PlanFile, commit: Commit): boolean {
  const entry = world.plans.get(plan);
  return entry?.work?.tip === commit && entry.tasks.some(({ run }) => run?.state === 'DONE');
}

/** A plan's branch that lags behind is brought up to date before the next run begins. What cannot be merged waits for the review. */
async function syncBase(
  ports: RunPorts,
  world: World,
  plan: PlanFile,
  { planBranch, base }: BaseRequest,
): Promise<void> {
  if (isMerging(world, plan)) return;
  const message = `Merge ${base} into ${planBranch}`;
  const answer = await ports.merging.syncBase({ planBranch, base, message }, verifierOfMerges(ports, world, plan));
  if (answer.kind === 'conflict')
    ports.notify.warn(
      `${planBranch} conflicts with ${base} in ${answer.files.join(', ')}. Runs go on from the plan's branch as it is.`,
    );
  if (answer.kind === 'unverified')
    ports.notify.warn(
      `What is new on ${base} does not pass the verification on ${planBranch}, so it is not taken in yet.`,
    );
}

function isMerging(world: World, plan: PlanFile): boolean {
  return [...world.outbox.values()].some((effect) => effect.do === 'merge' && effect.plan === plan);
}

/**
 * The worktree of a run that somebody has removed is made again from its branch, so that the run can go on. Why it cannot be
 * is returned as a sentence.
 */
export async function repairWorktree(
  ports: RunPorts,
  world: World,
  { plan, task, branch }: Pick<RunEffect, 'plan' | 'task' | 'branch'>,
): Promise<string | undefined> {
  const { trees, settings, notify, stop } = ports;
  const tree = treeOfBranch(plan, branch);
  const known = world.plans.get(plan)?.tasks.find(({ id }) => id === task);
  // One that is not made yet has nothing to be made again from.
  if (trees.exists(tree) || known?.run == null || known.run.base === null || known.run.branch !== branch)
    return undefined;
  const { head } = known.run;
  try {
    const { branch: planBranch } = await trees.planBranch(plan, settings.baseBranch);
    const request = { setup: settings.setup, patience: timeLimit(world, 'worktree'), stop };
    const made = await trees.setUp(tree, planBranch, { ...request, ...(head === null ? {} : { head }) });
    if (made.kind === 'failed') return withTail(made.why, made.tail);
    notify.warn(
      `${plan}#${known.address}: somebody has removed its worktree ${made.path}, and it is made again from ${branch}. What was committed is there; what was not is lost.`,
    );
    return undefined;
  } catch (error) {
    return whyOf(error);
  }
}

/** What is built on the branch of the generation before would go with it, so nothing begins until that is let go of. */
export async function renewPlanBranch(
  { trees }: RunPorts,
  effect: Extract<Effect, { do: 'renew-branch' }>,
): Promise<void> {
  const answer = await trees.renewBranch(effect.plan, effect.generation);
  if (answer.kind === 'occupied') throw new Failure('person', 'occupied', answer.why);
}

export async function releaseWorktree({ trees, notify }: RunPorts, effect: Of<'keep'>): Promise<void> {
  const tree = treeOfBranch(effect.plan, effect.branch);
  if (effect.worktree === 'leave') {
    await trees.pin(tree, `when ${effect.plan}#${effect.task} was left`);
    return;
  }
  const answer = await trees.remove(tree);
  if (answer.kind === 'stays') notify.warn(answer.why);
}

/** Of a plan that is done nothing is reviewed or merged any more. That one of these stays is no reason against its landing. */
export async function removeReviewTrees({ trees, notify }: RunPorts, plan: PlanFile): Promise<void> {
  for (const name of [REVIEW_TREE, MERGED_TREE]) {
    try {
      const answer = await trees.remove({ plan, name });
      if (answer.kind === 'stays') notify.warn(answer.why);
    } catch (error) {
      notify.warn(whyOf(error));
    }
  }
}

export async function undoReviewerChanges({ trees, notify }: RunPorts, effect: Of<'undo'>): Promise<void> {
  const answer = await trees.undo(treeOfBranch(effect.plan, effect.branch), effect.pin);
  if (answer.kind === 'undone')
    notify.warn(
      `${effect.plan}#${effect.task}: a reviewer had changed ${answer.changed.join(', ')}. It is undone, and kept as ${answer.pinned.ref}.`,
    );
}
