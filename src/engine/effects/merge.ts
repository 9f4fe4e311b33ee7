// The merge of a run's commit into its plan's branch, here or by a pull request.

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

/** Whoever decides on the remote is not asked every second. */
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
  const went = await goneOn(ports, run, effect.pin);
  if (went !== undefined && (await findMerge({ merging, settings }, { run, planBranch, pin: effect.pin })) === null)
    return { of: 'merge', failed: went };
  let { tip } = effect;
  for (let tries = 0; ; tries++) {
    const message = mergeMessageOf(world, effect);
    const request = { run, planBranch, base, pin: effect.pin, tip, message };
    const check = verifierOfMerges(ports, world, effect.plan);
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

/** What has come after the commit that was approved, as a sentence. A worktree that is gone has nothing in it to lose. */
async function goneOn({ trees }: RunPorts, tree: Tree, pin: Commit): Promise<string | undefined> {
  const head = await trees.headOf(tree);
  if (head === undefined || head === pin) return undefined;
  return `The branch went on to ${short(head)} after ${short(pin)} was approved. Say when that is to be verified and reviewed.`;
}

function unverified(result: Exclude<VerifyOutcome, { kind: 'passed' }>): string {
  return result.kind === 'failed'
    ? withTail(
        `Merged with what is there by now, the verification ends with exit code ${result.exitCode}.`,
        result.tail,
      )
    : withTail(`Merged with what is there by now, it could not be verified: ${result.why}`, result.tail);
}

function mergeMessageOf(world: World, { plan, task }: MergeEffect): string {
  const entry = world.plans.get(plan)?.tasks.find((one) => one.id === task);
  return entry === undefined ? `${plan} ${task}` : `${entry.name}\n\nTask ${entry.address} of ${plan}.`;
}

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
