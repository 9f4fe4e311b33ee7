// Worktrees of runs: made ready, mended, put back and given back.

import type { Commit } from '../../core/model/commit.ts';
import type { Effect, RunEffect } from '../../core/model/effect.ts';
import type { EffectResult } from '../../core/model/event.ts';
import { Failure } from '../../core/model/failure.ts';
import { MERGED_TREE, REVIEW_TREE, treeOfBranch } from '../../core/model/run-name.ts';
import type { World } from '../../core/model/world.ts';
import type { TreeLook } from '../../core/ports/worktrees.ts';
import type { PlanFile } from '../../plan/name.ts';
import { checked, checkOf, patience, tidyUp } from './checks.ts';
import { type RunHands, whyOf, withTail } from './ports.ts';

type Of<Kind extends RunEffect['do']> = Extract<RunEffect, { do: Kind }>;

export async function setUp(hands: RunHands, world: World, effect: Of<'worktree'>): Promise<EffectResult> {
  const { trees, settings, notify } = hands;
  const tree = treeOfBranch(effect.plan, effect.branch);
  for (const other of world.outbox.values())
    if (other.do === 'renew-branch' && other.plan === effect.plan) await renewBranch(hands, other);
  try {
    const { branch, base } = await trees.planBranch(effect.plan, settings.baseBranch);
    if (settings.syncBase) await syncBase(hands, world, effect.plan, branch, base);
    const made = await trees.setUp(tree, branch, {
      setup: settings.setup,
      patience: patience(world, 'worktree'),
      stop: hands.stop,
    });
    if (made.kind === 'failed') return { of: 'worktree', failed: withTail(made.why, made.tail) };
    for (const note of made.notes) notify.warn(note);
    if (isMerge(world, effect.plan, made.base)) return { of: 'worktree', base: made.base };
    const before = await trees.look(tree);
    const baseline = await checked(hands, world, tree, made.ports, 'baseline');
    const left = isClean(before) ? await tidyUp(hands, tree, made.base) : [];
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
        `${effect.plan}#${effect.task}: the verification fails already, before anything was done. Its output: ${hands.verifier.outputOf(tree, 'baseline')}`,
      );
    return { of: 'worktree', base: made.base };
  } catch (error) {
    return { of: 'worktree', failed: whyOf(error) };
  }
}

/** Where the setup command leaves something that git is not told to ignore, the verification may need it. */
function isClean(look: TreeLook): boolean {
  return look.kind === 'there' && look.dirtyCount === 0;
}

/** What a run of the plan has brought to its branch was verified then; to do it again would take as long again. */
function isMerge(world: World, plan: PlanFile, commit: Commit): boolean {
  const entry = world.plans.get(plan);
  return entry?.work?.tip === commit && entry.tasks.some(({ run }) => run?.state === 'DONE');
}

/** A plan's branch that lags behind is brought up to date before the next run begins. What cannot be merged waits for the review. */
async function syncBase(
  hands: RunHands,
  world: World,
  plan: PlanFile,
  planBranch: string,
  base: string,
): Promise<void> {
  if (isMerging(world, plan)) return;
  const message = `Merge ${base} into ${planBranch}`;
  const answer = await hands.merging.syncBase({ planBranch, base, message }, checkOf(hands, world, plan));
  if (answer.kind === 'conflict')
    hands.notify.warn(
      `${planBranch} conflicts with ${base} in ${answer.files.join(', ')}. Runs go on from the plan's branch as it is.`,
    );
  if (answer.kind === 'unverified')
    hands.notify.warn(
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
export async function mendTree(
  hands: RunHands,
  world: World,
  { plan, task, branch }: Pick<RunEffect, 'plan' | 'task' | 'branch'>,
): Promise<string | undefined> {
  const { trees, settings, notify, stop } = hands;
  const tree = treeOfBranch(plan, branch);
  const known = world.plans.get(plan)?.tasks.find(({ id }) => id === task);
  // One that is not made yet has nothing to be made again from.
  if (trees.isThere(tree) || known?.run == null || known.run.base === null || known.run.branch !== branch)
    return undefined;
  const { head } = known.run;
  try {
    const { branch: planBranch } = await trees.planBranch(plan, settings.baseBranch);
    const request = { setup: settings.setup, patience: patience(world, 'worktree'), stop };
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
export async function renewBranch({ trees }: RunHands, effect: Extract<Effect, { do: 'renew-branch' }>): Promise<void> {
  const answer = await trees.renewBranch(effect.plan, effect.generation);
  if (answer.kind === 'occupied') throw new Failure('person', 'occupied', answer.why);
}

export async function letGo({ trees, notify }: RunHands, effect: Of<'keep'>): Promise<void> {
  const tree = treeOfBranch(effect.plan, effect.branch);
  if (effect.worktree === 'leave') {
    await trees.keep(tree, `when ${effect.plan}#${effect.task} was left`);
    return;
  }
  const answer = await trees.remove(tree);
  if (answer.kind === 'stays') notify.warn(answer.why);
}

/** Of a plan that is done nothing is reviewed or merged any more. That one of these stays is no reason against its landing. */
export async function giveBackLookingTrees({ trees, notify }: RunHands, plan: PlanFile): Promise<void> {
  for (const name of [REVIEW_TREE, MERGED_TREE]) {
    try {
      const answer = await trees.remove({ plan, name });
      if (answer.kind === 'stays') notify.warn(answer.why);
    } catch (error) {
      notify.warn(whyOf(error));
    }
  }
}

export async function undo({ trees, notify }: RunHands, effect: Of<'undo'>): Promise<void> {
  const answer = await trees.undo(treeOfBranch(effect.plan, effect.branch), effect.pin);
  if (answer.kind === 'undone')
    notify.warn(
      `${effect.plan}#${effect.task}: a reviewer had changed ${answer.changed.join(', ')}. It is undone, and kept as ${answer.kept.ref}.`,
    );
}
