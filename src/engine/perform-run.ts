// Performs the effects of runs, and of plans as a whole. Each may be performed twice.
import type { Effect, RunEffect } from '../core/effects.ts';
import type { EffectResult, Event } from '../core/events.ts';
import type { World } from '../core/world.ts';
import { landOrSayWhyNot } from './perform-landing.ts';
import { mergeInTime } from './perform-merge.ts';
import { verify } from './perform-verify.ts';
import { letGo, renewBranch, setUp, undo } from './perform-worktree.ts';
import { engineStops, type RunHands } from './run-hands.ts';

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

function resultOf(effect: string, result: EffectResult): Event {
  return { kind: 'result', effect, result };
}
