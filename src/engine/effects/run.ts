// Performs the effects of runs, and of plans as a whole. Each may be performed twice.
import type { Effect, RunEffect } from '../../core/model/effect.ts';
import type { EffectResult, Event } from '../../core/model/event.ts';
import type { World } from '../../core/model/world.ts';
import { landOrSayWhyNot } from './land.ts';
import { mergeInTime } from './merge.ts';
import { engineStops, type RunHands } from './ports.ts';
import { verify } from './verify.ts';
import { letGo, renewBranch, setUp, undo } from './worktree.ts';

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
