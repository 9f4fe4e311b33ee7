// Performs one effect. After a crash an effect is performed again, so every branch must be harmless the second time.
import { planningFolder } from '../../core/files/planning-folder.ts';
import type { Effect } from '../../core/model/effect.ts';
import type { Event, SessionNews } from '../../core/model/event.ts';
import type { SessionId } from '../../core/model/ids.ts';
import { countOf, type SessionEntry } from '../../core/model/session.ts';
import type { World } from '../../core/model/world.ts';
import type { Notify } from '../../core/ports/notify.ts';
import type { PlanningFiles } from '../../core/ports/planning-files.ts';
import type { Quarantine } from '../../core/ports/quarantine.ts';
import type { Sessions } from '../../core/ports/sessions.ts';
import { nudgeText } from '../../core/views/prompts/turn-prompt.ts';
import { inForce } from './in-force.ts';
import type { RunPorts, Warn } from './ports.ts';
import { type PromptPorts, promptFor } from './prompt.ts';
import { performRunEffect } from './run.ts';
import { removeReviewTrees, repairWorktree } from './worktree.ts';

export interface EffectPorts {
  readonly quarantine: Quarantine;
  readonly notify: Notify;
  readonly sessions: Sessions;
  readonly planning: PlanningFiles;
  readonly runs: Omit<RunPorts, 'warn'> & PromptPorts;
}

/** The same while an effect is performed. */
interface PerformPorts extends EffectPorts {
  readonly runs: RunPorts & PromptPorts;
  readonly warn: Warn;
}

type EffectOf<Kind extends Effect['do']> = Extract<Effect, { readonly do: Kind }>;

/** Returns the events that the effect caused; they are submitted together with `effect-done`. */
export async function performEffect(
  given: EffectPorts,
  world: World,
  effect: Effect,
  warn: Warn,
): Promise<readonly Event[]> {
  const ports = { ...given, warn, runs: { ...inForce(given.runs, world), warn } };
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
    case 'start-session':
      return startSession(ports, world, effect);
    case 'stop-session':
      await ports.sessions.stop(effect.session);
      return [];
    case 'pause-session':
      await pauseSession(ports, world, effect.session);
      return [];
    case 'send-to-session':
    case 'nudge':
      return send(ports, world, effect);
    case 'undo':
      await stopPredecessors(ports, world, effect);
      return performRunEffect(ports.runs, world, effect);
    case 'publish-plan':
      publishPlan(ports, world, effect);
      return [];
    case 'archive-plan': {
      const workshop = world.plans.get(effect.plan)?.workshop;
      ports.planning.archive(effect.plan, workshop === undefined ? undefined : planningFolder(workshop));
      return [];
    }
    case 'unarchive-plan': {
      const left = ports.planning.unarchive(effect.plan);
      if (left !== undefined) warn({ plan: effect.plan, text: left });
      return [];
    }
    case 'land':
      return land(ports, world, effect);
    case 'worktree':
    case 'verify':
    case 'merge':
    case 'keep':
    case 'relink':
    case 'set-branch':
    case 'renew-branch':
      return performRunEffect(ports.runs, world, effect);
    default:
      return unreachable(effect);
  }
}

async function startSession(
  ports: PerformPorts,
  world: World,
  effect: EffectOf<'start-session'>,
): Promise<readonly Event[]> {
  const entry = world.sessions.get(effect.session);
  if (entry === undefined) return [];
  // A person may have stopped it before it was started. The sessions that it was to replace are not wanted either.
  if (entry.wanted !== 'running') {
    for (const { id, followedBy } of world.sessions.values())
      if (followedBy === entry.id) await ports.sessions.stop(id);
    return [];
  }
  const why = await whyNoWorktree(ports, world, entry);
  if (why !== undefined) return [newsOf(entry.id, { kind: 'failed', why })];
  const { prompt, told, ignored } = await promptFor(ports.runs, world, entry, effect);
  for (const text of ignored) if (entry.plan !== undefined) ports.warn({ plan: entry.plan, text });
  const count = countOf(world.sessions.values(), entry);
  const news = await ports.sessions.start(entry, prompt, effect.resume, count);
  return [newsOf(entry.id, news.kind === 'up' && told !== undefined ? { ...news, told } : news)];
}

/** A session of a run works in the run's worktree, which somebody may have removed. */
async function whyNoWorktree({ runs }: PerformPorts, world: World, entry: SessionEntry): Promise<string | undefined> {
  const { plan, task, attempt, branch } = entry;
  if (plan === undefined || task === undefined || attempt === undefined) return undefined;
  return repairWorktree(runs, world, { plan, task, branch });
}

async function pauseSession({ sessions }: EffectPorts, world: World, session: SessionId): Promise<void> {
  const entry = world.sessions.get(session);
  // Its successor works in the same worktree, which must not be released then.
  if (entry?.followedBy !== undefined) await sessions.stop(entry.id);
  else if (entry !== undefined) await sessions.pause(entry);
}

async function send(
  { sessions }: EffectPorts,
  world: World,
  effect: EffectOf<'send-to-session' | 'nudge'>,
): Promise<readonly Event[]> {
  const entry = world.sessions.get(effect.session);
  if (entry === undefined) return [];
  if (effect.do === 'send-to-session') return [newsOf(entry.id, await sessions.send(entry, effect.text, effect.id))];
  // It was stopped in the meantime, and gets its whole prompt again when it continues.
  if (entry.wanted !== 'running') return [];
  const sent = await sessions.send(entry, nudgeText(effect.turn), effect.id);
  return [newsOf(entry.id, { ...sent, reminder: true })];
}

/** The session that made the changes would continue to make them. */
async function stopPredecessors({ sessions }: EffectPorts, world: World, effect: EffectOf<'undo'>): Promise<void> {
  for (const { id, place, followedBy } of world.sessions.values())
    if (place === effect.place && followedBy !== undefined) await sessions.stop(id);
}

async function land(ports: PerformPorts, world: World, effect: EffectOf<'land'>): Promise<readonly Event[]> {
  const landed = await performRunEffect(ports.runs, world, effect);
  for (const { id, plan, reviews, ended } of world.sessions.values())
    if (plan === effect.plan && reviews === true && ended === undefined) await ports.sessions.stop(id);
  await removeReviewTrees(ports.runs, effect.plan);
  return landed;
}

/** The artifacts first: a published plan has all of them. */
function publishPlan({ planning, warn }: PerformPorts, world: World, effect: EffectOf<'publish-plan'>): void {
  const { plan, replaces } = effect;
  const workshop = world.plans.get(plan)?.workshop;
  if (workshop === undefined || workshop.published === null) return;
  for (const text of planning.write(plan, planningFolder(workshop))) warn({ plan, text });
  const kept = planning.publish(plan, workshop.published, replaces);
  if (kept !== undefined)
    warn({
      plan,
      text: `The approved plan replaced docs/plans/${plan}, which this workshop had not written; what was there is ${kept}.`,
    });
}

function newsOf(session: SessionId, news: SessionNews): Event {
  return { kind: 'session-news', session, news };
}

function unreachable(effect: never): never {
  throw new Error(`Unknown effect ${JSON.stringify(effect)}.`);
}
