// Performs effects, in one exhaustive switch. Every effect may be performed twice.
import type { Effect } from '../../core/model/effect.ts';
import type { Event } from '../../core/model/event.ts';
import { attemptOf, type SessionEntry } from '../../core/model/session.ts';
import type { World } from '../../core/model/world.ts';
import type { Notify } from '../../core/ports/notify.ts';
import type { Quarantine } from '../../core/ports/quarantine.ts';
import type { Sessions } from '../../core/ports/sessions.ts';
import { nudgeText } from '../../core/views/turn-prompt.ts';
import type { RunPorts } from './ports.ts';
import { type PromptPorts, promptOf } from './prompt.ts';
import { performRunEffect } from './run.ts';
import { removeReviewTrees, repairWorktree } from './worktree.ts';

export interface EffectPorts {
  readonly quarantine: Quarantine;
  readonly notify: Notify;
  readonly sessions: Sessions;
  readonly runs: RunPorts & PromptPorts;
}

/** Returns the events that the effect caused, to be submitted together with `effect-done`. */
export async function perform(ports: EffectPorts, world: World, effect: Effect): Promise<readonly Event[]> {
  switch (effect.do) {
    case 'tell':
      ports.notify.tell(effect.text);
      return [];
    case 'quarantine': {
      const refused = world.refused.get(effect.quarantine);
      // A person may have dropped it in the meantime.
      if (refused !== undefined) ports.quarantine.keep(refused);
      return [];
    }
    case 'release':
      ports.quarantine.putBack(effect.refused, effect.entered);
      return [];
    case 'discard':
      ports.quarantine.discard(effect.refused);
      return [];
    case 'start-session': {
      const entry = world.sessions.get(effect.session);
      if (entry === undefined) return [];
      // A person may have stopped it before it started. The sessions that it was to replace are stopped as well.
      if (entry.wanted !== 'running') {
        for (const { id, followedBy } of world.sessions.values())
          if (followedBy === entry.id) await ports.sessions.stop(id);
        return [];
      }
      const gone = await whyNoWorktree(ports, world, entry);
      if (gone !== undefined)
        return [{ kind: 'session-news', session: effect.session, news: { kind: 'failed', why: gone } }];
      const prompt = await promptOf(ports.runs, world, entry, effect);
      const attempt = attemptOf(world.sessions.values(), entry);
      const news = await ports.sessions.start(entry, prompt, effect.resume, attempt);
      return [{ kind: 'session-news', session: effect.session, news }];
    }
    case 'stop-session':
      await ports.sessions.stop(effect.session);
      return [];
    case 'pause-session': {
      const entry = world.sessions.get(effect.session);
      // Its successor works in the same worktree, so the worktree stays.
      if (entry?.followedBy !== undefined) await ports.sessions.stop(entry.id);
      else if (entry !== undefined) await ports.sessions.pause(entry);
      return [];
    }
    case 'send-to-session':
    case 'nudge': {
      const entry = world.sessions.get(effect.session);
      if (entry === undefined) return [];
      const text = effect.do === 'nudge' ? nudgeText(effect.turn) : effect.text;
      return [{ kind: 'session-news', session: entry.id, news: await ports.sessions.send(entry, text, effect.id) }];
    }
    case 'undo':
      // A session that still runs would continue to change files.
      for (const { id, place, followedBy } of world.sessions.values())
        if (place === effect.place && followedBy !== undefined) await ports.sessions.stop(id);
      return performRunEffect(ports.runs, world, effect);
    case 'land': {
      const landed = await performRunEffect(ports.runs, world, effect);
      for (const { id, plan, reviews, ended } of world.sessions.values())
        if (plan === effect.plan && reviews === true && ended === undefined) await ports.sessions.stop(id);
      await removeReviewTrees(ports.runs, effect.plan);
      return landed;
    }
    case 'worktree':
    case 'verify':
    case 'merge':
    case 'keep':
    case 'renew-branch':
      return performRunEffect(ports.runs, world, effect);
    default:
      return unreachable(effect);
  }
}

/** A session of a run needs the run's worktree, which someone may have removed. */
async function whyNoWorktree({ runs }: EffectPorts, world: World, entry: SessionEntry): Promise<string | undefined> {
  const { plan, task, attempt, branch } = entry;
  if (plan === undefined || task === undefined || attempt === undefined) return undefined;
  return repairWorktree(runs, world, { plan, task, branch });
}

function unreachable(effect: never): never {
  throw new Error(`Unknown effect ${JSON.stringify(effect)}.`);
}
