// Merges a run's commit into its plan's branch, here or by a pull request.

import { type Commit, short } from '../../core/model/commit.ts';
import type { RunEffect } from '../../core/model/effect.ts';
import type { EffectResult } from '../../core/model/event.ts';
import { Failure } from '../../core/model/failure.ts';
import { type Tree, treeOfBranch } from '../../core/model/run-name.ts';
import type { World } from '../../core/model/world.ts';
import type { VerifyOutcome } from '../../core/ports/verifier.ts';
import { findMerge } from '../observe.ts';
import { engineStops, type RunPorts, withTail } from './ports.ts';
import { verifierOfMerges } from './run-verify.ts';

type MergeEffect = Extract<RunEffect, { do: 'merge' }>;

/** Asks a remote that did not merge yet only once in a while. */
export async function mergeRun(ports: RunPorts, world: World, effect: MergeEffect): Promise<EffectResult> {
  if (ports.settings.taskMerge === 'pr' && wasHeldUp(world, effect)) await pause(ports.pulls.patience, ports.stop);
  if (ports.stop.aborted) throw engineStops();
  return merge(ports, world, effect);
}

function wasHeldUp(world: World, { id, plan, task }: MergeEffect): boolean {
  const issued = world.plans.get(plan)?.tasks.find((one) => one.id === task)?.run?.issued;
  return issued?.effect === id && issued.heldUp !== undefined;
}

async function merge(ports: RunPorts, world: World, effect: MergeEffect): Promise<EffectResult> {
  const { merging, trees, settings } = ports;
  const run = treeOfBranch(effect.plan, effect.branch);
  const { branch: planBranch, base } = await trees.planBranch(effect.plan, settings.baseBranch);
  const moved = await movedAfterApproval(ports, run, effect.pin);
  if (moved !== undefined && (await findMerge({ merging, settings }, { run, planBranch, pin: effect.pin })) === null)
    return { of: 'merge', failed: moved };
  let { tip } = effect;
  for (let tries = 0; ; tries++) {
    const message = mergeMessageOf(world, effect);
    const request = { run, planBranch, base, pin: effect.pin, tip, message };
    const verify = verifierOfMerges(ports, world, effect.plan);
    const answer = await (settings.taskMerge === 'pr'
      ? merging.offer(request, verify)
      : merging.merge(request, verify));
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
        // Someone else's commit got in first. The merged tree is verified anyway, so try again on top of it.
        if (!answer.isAhead || tries === MAX_TRIES)
          return { of: 'merge', failed: `${planBranch} has moved to ${short(answer.tip)}.` };
        tip = answer.tip;
    }
  }
}

const MAX_TRIES = 3;

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
