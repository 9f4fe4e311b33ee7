// Performs the effects of runs and of whole plans. Each may be performed twice.
import type { Effect, RunEffect } from '../../core/model/effect.ts';
import type { EffectResult, Event } from '../../core/model/event.ts';
import type { World } from '../../core/model/world.ts';
import { landPlan } from './land.ts';
import { mergeRun } from './merge.ts';
import { engineStops, type RunPorts } from './ports.ts';
import { setBranch } from './set-branch.ts';
import { verifyRun } from './verify.ts';
import { releaseWorktree, relinkRunWorktree, renewPlanBranch, setUpWorktree, undoReviewerChanges } from './worktree.ts';

type PlanEffect = Extract<Effect, { do: 'land' | 'set-branch' | 'renew-branch' }>;

/** Returns the events with the result. */
export async function performRunEffect(
  ports: RunPorts,
  world: World,
  effect: RunEffect | PlanEffect,
): Promise<readonly Event[]> {
  const events = await perform(ports, world, effect);
  // Work that was cut short has no result. The next engine performs the effect again.
  if (ports.stop.aborted) throw engineStops();
  return events;
}

async function perform(ports: RunPorts, world: World, effect: RunEffect | PlanEffect): Promise<readonly Event[]> {
  switch (effect.do) {
    case 'worktree':
      return [resultOf(effect.id, await setUpWorktree(ports, world, effect))];
    case 'verify':
      return [resultOf(effect.id, await verifyRun(ports, world, effect))];
    case 'merge':
      return [resultOf(effect.id, await mergeRun(ports, world, effect))];
    case 'keep':
      await releaseWorktree(ports, world, effect);
      return [];
    case 'undo':
      await undoReviewerChanges(ports, effect);
      return [];
    case 'relink':
      return [resultOf(effect.id, await relinkRunWorktree(ports, effect))];
    case 'land':
      return [resultOf(effect.id, await landPlan(ports, world, effect))];
    case 'set-branch':
      return [resultOf(effect.id, await setBranch(ports, effect))];
    case 'renew-branch':
      await renewPlanBranch(ports, effect);
      return [];
  }
}

function resultOf(effect: string, result: EffectResult): Event {
  return { kind: 'result', effect, result };
}
