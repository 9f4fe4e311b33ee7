// Performs the effects of runs: worktrees, verifications, merges, and what an agent is told. Each may be performed twice.
import { GRACE } from '../core/default-policy.ts';
import type { Effect, RunEffect } from '../core/effects.ts';
import type { EffectResult, Event } from '../core/events.ts';
import { Failure } from '../core/failure.ts';
import { type Check, type Commit, MERGED_TREE, REVIEW_TREE, type Tree, type Verified } from '../core/run-ports.ts';
import { treeOfBranch } from '../core/run-tree.ts';
import type { World } from '../core/world.ts';
import type { PlanFile } from '../plan/name.ts';
import { whereMerged } from './lookout.ts';
import { landOrSayWhyNot } from './perform-landing.ts';
import { type RunHands, short, whyOf } from './run-hands.ts';

type PlanEffect = Extract<Effect, { do: 'land' | 'renew-branch' }>;

/** The events that tell what came of it. */
export async function performRun(
  hands: RunHands,
  world: World,
  effect: RunEffect | PlanEffect,
): Promise<readonly Event[]> {
  const events = await perform(hands, world, effect);
  // What was cut short because the engine stops says nothing; the next engine does it once more.
  if (hands.stop.aborted) throw engineStops();
  return events;
}

/** The failure of what was cut short because the engine stops. */
export const ENGINE_STOPS = 'engine-stops';

function engineStops(): Failure {
  return new Failure('failed', ENGINE_STOPS, 'The engine stops; the next one goes on.');
}

async function perform(hands: RunHands, world: World, effect: RunEffect | PlanEffect): Promise<readonly Event[]> {
  switch (effect.do) {
    case 'worktree':
      return [resultOf(effect.id, await setUp(hands, world, effect))];
    case 'verify':
      return [resultOf(effect.id, await verify(hands, world, effect))];
    case 'merge':
      return [resultOf(effect.id, await mergeInTime(hands, world, effect))];
    case 'keep':
      await letGo(hands, effect);
      return [];
    case 'undo':
      await undo(hands, effect);
      return [];
    case 'land':
      return [resultOf(effect.id, await landOrSayWhyNot(hands, world, effect.plan))];
    case 'renew-branch':
      await renewBranch(hands, effect);
      return [];
  }
}

/** What is built on the branch of the generation before would go with it, so nothing begins until that is let go of. */
async function renewBranch({ trees }: RunHands, effect: Extract<PlanEffect, { do: 'renew-branch' }>): Promise<void> {
  const answer = await trees.renewBranch(effect.plan, effect.generation);
  if (answer.kind === 'occupied') throw new Failure('person', 'occupied', answer.why);
}

function resultOf(effect: string, result: EffectResult): Event {
  return { kind: 'result', effect, result };
}

type Of<Kind extends RunEffect['do']> = Extract<RunEffect, { do: Kind }>;

async function setUp(hands: RunHands, world: World, effect: Of<'worktree'>): Promise<EffectResult> {
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
    const baseline = await checked(hands, world, tree, made.ports, 'baseline');
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

async function verify(hands: RunHands, world: World, effect: Of<'verify'>): Promise<EffectResult> {
  const tree = treeOfBranch(effect.plan, effect.branch);
  const gone = await mendTree(hands, world, effect);
  const before = gone ?? (await otherThan(hands, tree, effect.pin));
  if (before !== undefined) return { of: 'verify', failed: before };
  const ports = await hands.trees.portsOf(tree);
  const result = await checked(hands, world, tree, ports, effect.id);
  // What was verified is what was there all the time.
  const after = await otherThan(hands, tree, effect.pin);
  if (after !== undefined) return { of: 'verify', failed: after };
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
async function otherThan({ trees }: RunHands, tree: Tree, pin: Commit): Promise<string | undefined> {
  const head = await trees.headOf(tree);
  if (head === undefined) return `The worktree ${trees.pathOf(tree)} is gone, or its branch is.`;
  if (head !== pin)
    return `The branch has moved from ${short(pin)} to ${short(head)} while ${short(pin)} was to be verified.`;
  return undefined;
}

/** What has come after the commit that was approved, as a sentence. A worktree that is gone has nothing in it to lose. */
async function goneOn({ trees }: RunHands, tree: Tree, pin: Commit): Promise<string | undefined> {
  const head = await trees.headOf(tree);
  if (head === undefined || head === pin) return undefined;
  return `The branch went on to ${short(head)} after ${short(pin)} was approved. Say when that is to be verified and reviewed.`;
}

/** Whoever decides on the remote is not asked every second. */
async function mergeInTime(hands: RunHands, world: World, effect: Of<'merge'>): Promise<EffectResult> {
  if (hands.settings.taskMerge === 'pr' && wasHeldUp(world, effect)) await pause(hands.pulls.patience, hands.stop);
  if (hands.stop.aborted) throw engineStops();
  return merge(hands, world, effect);
}

function wasHeldUp(world: World, { id, plan, task }: Of<'merge'>): boolean {
  const issued = world.plans.get(plan)?.tasks.find((one) => one.id === task)?.run?.issued;
  return issued?.effect === id && issued.heldUp !== undefined;
}

async function merge(hands: RunHands, world: World, effect: Of<'merge'>): Promise<EffectResult> {
  const { merging, trees, settings } = hands;
  const run = treeOfBranch(effect.plan, effect.branch);
  const { branch: planBranch, base } = await trees.planBranch(effect.plan, settings.baseBranch);
  const went = await goneOn(hands, run, effect.pin);
  if (went !== undefined && (await whereMerged(merging, settings, run, planBranch, effect.pin)) === null)
    return { of: 'merge', failed: went };
  let { tip } = effect;
  for (let tries = 0; ; tries++) {
    const message = mergeMessageOf(world, effect);
    const request = { run, planBranch, base, pin: effect.pin, tip, message };
    const check = checkOf(hands, world, effect.plan);
    const answer = await (settings.taskMerge === 'pr' ? merging.offer(request, check) : merging.merge(request, check));
    switch (answer.kind) {
      case 'merged':
      case 'already':
        return { of: 'merge', tip: answer.commit };
      case 'conflict':
        return { of: 'merge', conflict: answer.files.join('\n') };
      case 'unverified':
        return { of: 'merge', failed: unverified(answer.result) };
      case 'turned-down':
        return { of: 'merge', failed: answer.why };
      case 'waits':
        throw new Failure(answer.needsPerson ? 'person' : 'failed', 'waits', `${answer.why} The merge goes on then.`);
      case 'occupied':
        throw new Failure('person', 'occupied', `${answer.why} The merge goes on then.`);
      case 'moved':
        // Somebody's commit has come in between. The merged tree is verified in any case, so it is tried on top of that.
        if (!answer.isAhead || tries === MOST_TRIES)
          return { of: 'merge', failed: `${planBranch} has moved to ${short(answer.tip)}.` };
        tip = answer.tip;
    }
  }
}

const MOST_TRIES = 3;

function pause(time: number, stop: AbortSignal): Promise<void> {
  return new Promise((over) => {
    if (stop.aborted) return over();
    const timer = setTimeout(over, time);
    stop.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        over();
      },
      { once: true },
    );
  });
}

function mergeMessageOf(world: World, { plan, task }: Of<'merge'>): string {
  const entry = world.plans.get(plan)?.tasks.find((one) => one.id === task);
  return entry === undefined ? `${plan} ${task}` : `${entry.name}\n\nTask ${entry.address} of ${plan}.`;
}

/** A merged tree is made in a worktree of its own, so that nobody's work is in the way. */
function checkOf(hands: RunHands, world: World, plan: PlanFile): Check {
  // One worktree of a plan's merged trees, so one of them at a time.
  return (merged) => hands.turns.take(plan, () => checkMerged(hands, world, plan, merged));
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

function unverified(result: Exclude<Verified, { kind: 'passed' }>): string {
  return result.kind === 'failed'
    ? withTail(
        `Merged with what is there by now, the verification ends with exit code ${result.exitCode}.`,
        result.tail,
      )
    : withTail(`Merged with what is there by now, it could not be verified: ${result.why}`, result.tail);
}

async function checked(hands: RunHands, world: World, tree: Tree, ports: number, name: string): Promise<Verified> {
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

async function letGo({ trees, notify }: RunHands, effect: Of<'keep'>): Promise<void> {
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

async function undo({ trees, notify }: RunHands, effect: Of<'undo'>): Promise<void> {
  const answer = await trees.undo(treeOfBranch(effect.plan, effect.branch), effect.pin);
  if (answer.kind === 'undone')
    notify.warn(
      `${effect.plan}#${effect.task}: a reviewer had changed ${answer.changed.join(', ')}. It is undone, and kept as ${answer.kept.ref}.`,
    );
}

function patience(world: World, what: 'worktree' | 'verify'): number {
  return Math.max(world.policy.deadlines[what] - GRACE, 1);
}

function withTail(sentence: string, tail: string): string {
  return tail.trim() === '' ? sentence : `${sentence}\n\n${tail}`;
}
