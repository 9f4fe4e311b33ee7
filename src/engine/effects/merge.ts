// Merges a run's commit into its plan's branch, here or by a pull request.

import { type Commit, short } from '../../core/model/commit.ts';
import type { RunEffect } from '../../core/model/effect.ts';
import type { EffectResult } from '../../core/model/event.ts';
import { Failure } from '../../core/model/failure.ts';
import type { PlanWork } from '../../core/model/run.ts';
import { type Tree, treeOfBranch } from '../../core/model/run-name.ts';
import type { World } from '../../core/model/world.ts';
import type { VerifyOutcome } from '../../core/ports/verifier.ts';
import { branchOf } from '../../plan/name.ts';
import { baseOf, intending, knownBranch, movedAway } from './branch-moves.ts';
import { engineStops, type RunPorts, withdrawn, withTail } from './ports.ts';
import { verifierOfMerges } from './run-verify.ts';

type MergeEffect = Extract<RunEffect, { do: 'merge' }>;

/** Asks a remote that did not merge yet only once in a while. */
export async function mergeRun(ports: RunPorts, world: World, effect: MergeEffect): Promise<EffectResult> {
  if (ports.settings.taskMerge === 'pr' && wasHeldUp(world, effect)) await pause(ports.pulls.patience, ports.stop);
  if (ports.stop.aborted) throw engineStops();
  return merge(ports, effect);
}

function wasHeldUp(world: World, { id, plan, task }: MergeEffect): boolean {
  const issued = world.plans.get(plan)?.tasks.find((one) => one.id === task)?.run?.issued;
  return issued?.effect === id && issued.heldUp !== undefined;
}

async function merge(ports: RunPorts, effect: MergeEffect): Promise<EffectResult> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { world, work } = await knownBranch(ports, effect.plan);
    const before = mergedBy(world, effect);
    if (before !== undefined) return { of: 'merge', tip: before };
    if (!world.outbox.has(effect.id)) throw withdrawn();
    const answer = await mergeOnto(ports, world, effect, work);
    // The branch has moved on since: another run has brought the base into it.
    if (answer !== 'again') return answer;
  }
  throw new Failure(
    'failed',
    'waits',
    `The base branch is being merged into ${branchOf(effect.plan)}. The merge then continues.`,
  );
}

const MAX_TRIES = 3;

/** A merge that was cut off may have been finished by another effect, which then has also recorded its result. */
function mergedBy(world: World, { id, plan, task }: MergeEffect): Commit | undefined {
  if (world.outbox.has(id)) return undefined;
  return world.plans.get(plan)?.tasks.find((one) => one.id === task)?.run?.merged;
}

async function mergeOnto(
  ports: RunPorts,
  world: World,
  effect: MergeEffect,
  work: PlanWork,
): Promise<EffectResult | 'again'> {
  const { merging, settings } = ports;
  const { plan, pin } = effect;
  const run = treeOfBranch(plan, effect.branch);
  const moved = await movedAfterApproval(ports, run, pin);
  if (moved !== undefined) return { of: 'merge', failed: moved };
  const base = settings.baseBranch ?? work.base?.branch ?? (await baseOf(ports, plan, work)).branch;
  const request = { run, base, pin, tip: work.tip ?? effect.tip, message: mergeMessageOf(world, effect) };
  const verify = verifierOfMerges(ports, world, plan);
  const intend = intending(ports, effect, 'plan');
  const answer = await merging[settings.taskMerge === 'pr' ? 'offer' : 'merge'](request, verify, intend);
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
      throw new Failure(answer.needsPerson ? 'person' : 'failed', 'waits', `${answer.why} The merge then continues.`);
    case 'occupied':
      throw new Failure('person', 'occupied', `${answer.why} The merge then continues.`);
    case 'moved':
      throw await movedAway(ports, plan);
    case 'withheld':
      return 'again';
  }
}

/** Whether the branch has commits that were not approved, as a sentence. A missing worktree has none to lose. */
async function movedAfterApproval({ trees }: RunPorts, tree: Tree, pin: Commit): Promise<string | undefined> {
  const head = await trees.headOf(tree);
  if (head === undefined || head === pin) return undefined;
  return `The branch moved on to ${short(head)} after ${short(pin)} was approved. The new commits have to be verified and reviewed first.`;
}

function unverified(result: Exclude<VerifyOutcome, { kind: 'passed' }>): string {
  return result.kind === 'failed'
    ? withTail(
        `After merging with the current plan branch, verification failed with exit code ${result.exitCode}.`,
        result.tail,
      )
    : withTail(`The merge with the current plan branch could not be verified: ${result.why}`, result.tail);
}

function mergeMessageOf(world: World, { plan, task }: MergeEffect): string {
  const entry = world.plans.get(plan)?.tasks.find((one) => one.id === task);
  return entry === undefined ? `${plan} ${task}` : `${entry.name}\n\nTask ${entry.address} of ${plan}.`;
}

function pause(time: number, stop: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (stop.aborted) return done();
    const timer = setTimeout(done, time);
    stop.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        done();
      },
      { once: true },
    );
  });
}
