// Rules for sessions: a person starts, switches, stops and resumes them; the engine reports what happened to them.
import { type PlanFile, planFile, slugOf, whyNoPlanName } from '../../../plan/name.ts';
import {
  accepted,
  BY_ENGINE,
  type Decision,
  type DecisionContext,
  IGNORED,
  record,
  refused,
  refusedFor,
} from '../../model/decision.ts';
import { numbered, type UnnumberedEffect } from '../../model/effect.ts';
import type { By, EventOfKind, SessionNews } from '../../model/event.ts';
import { machineForNew, ownPlaceOf, type SessionId, sameMachine, sessionIdFor } from '../../model/ids.ts';
import { plannerOf } from '../../model/plan-owner.ts';
import type { Fact } from '../../model/record.ts';
import { speakerName, unknownSession } from '../../model/refusals.ts';
import type { RecordChange } from '../../model/run.ts';
import { ADHOC } from '../../model/run-name.ts';
import { isLaunchFailure, isManaged, type SessionEntry, type SessionFields } from '../../model/session.ts';
import { suggest } from '../../model/suggestion.ts';
import { isPlanning } from '../../model/workshop/status.ts';
import type { World } from '../../model/world.ts';

export function createSession(world: World, event: EventOfKind<'session-new'>, now: Date): Decision {
  const no = whyNotBy(event.by);
  if (no !== undefined) return no;
  const plan = planOf(world, event);
  if (plan !== undefined && typeof plan !== 'string') return plan;
  const id = nextId(world);
  const { title, role, program, flags, env, from } = event;
  const branch = `cadre/${ADHOC}/${titleSlug(title)}${id}`;
  const machine = machineForNew(world.policy);
  const session: SessionFields = {
    id,
    place: ownPlaceOf(id),
    title,
    role,
    program,
    flags,
    env,
    branch,
    from,
    keyed: true,
    ...(plan === undefined ? {} : { plan }),
    ...machine,
  };
  return start({ world, now, by: event.by }, session, { prompt: event.prompt, resume: false });
}

/** The plan that a planner writes: one that is new, or one that is being planned without a workshop. */
function planOf(world: World, { plan, role }: EventOfKind<'session-new'>): PlanFile | Decision | undefined {
  if (plan === undefined) return undefined;
  if (role !== 'planner') return refused('role', 'Only a planner can be started for a plan.');
  const file = planFile(plan);
  if (file === undefined) return refused('bad-name', whyNoPlanName(plan) ?? 'That is not a valid plan name.');
  const entry = world.plans.get(file);
  if (entry === undefined) return file;
  if (isPlanning(entry))
    return refused(
      'state',
      `${file} is planned in a workshop, which starts its own planner.`,
      suggest('why', slugOf(file)),
    );
  if (entry.status === 'planning') return file;
  return refused(
    'state',
    `${file} is ${entry.status}, so no planner is started for it.`,
    ...(entry.status === 'ready' ? [suggest('move', slugOf(file), 'plan_start')] : [suggest('why', slugOf(file))]),
  );
}

/** Another program, or another role, in the same terminal and worktree. */
export function switchSession(world: World, event: EventOfKind<'session-switch'>, now: Date): Decision {
  return replaceSession(world, event, now, (entry) => {
    if (entry.wanted === 'paused')
      return refused('state', `${entry.id} is paused, so it has no terminal.`, suggest('session-resume', entry.id));
    const { role, program, flags, env } = event;
    return { ...fieldsOf(entry), id: nextId(world), role, program, flags, env };
  });
}

/** Starts the same program again and continues its conversation. */
export function resumeSession(world: World, event: EventOfKind<'session-resume'>, now: Date): Decision {
  return replaceSession(world, event, now, (entry) => ({ ...fieldsOf(entry), id: nextId(world) }));
}

export function stopSession(world: World, event: EventOfKind<'session-stop'>, now: Date): Decision {
  return changeSession(world, event, now, (entry) => {
    if (entry.wanted === 'stopped') return refused('state', `${entry.id} is already stopped.`);
    return { event: 'session_stopped', effect: { do: 'stop-session' } };
  });
}

export function pauseSession(world: World, event: EventOfKind<'session-pause'>, now: Date): Decision {
  return changeSession(world, event, now, (entry) => {
    if (entry.wanted === 'paused') return refused('state', `${entry.id} is already paused.`);
    return { event: 'session_paused', effect: { do: 'pause-session' } };
  });
}

export function sendToSession(world: World, event: EventOfKind<'session-send'>, now: Date): Decision {
  return changeSession(world, event, now, (entry) => {
    if (entry.wanted !== 'running' || entry.ended !== undefined || entry.failure !== undefined)
      return refused('state', `${entry.id} is not running, so nothing can be sent to it.`);
    return { event: 'session_send', effect: { do: 'send-to-session', text: event.text } };
  });
}

/** What the engine has observed or done. What is already known is ignored. */
export function recordSessionNews(world: World, event: EventOfKind<'session-news'>, now: Date): Decision {
  const entry = world.sessions.get(event.session);
  if (entry === undefined || isKnown(entry, event.news) || isOwnDoing(entry, event.news)) return IGNORED;
  const fact: Fact = { event: 'session_news', about: entry.id, news: event.news };
  const changes = changesOfRun(world, entry, event.news, now);
  const effects = numbered(world.seq + 1, plannersEnd(world, entry, event.news));
  return accepted(
    record({ world, now, by: BY_ENGINE }, fact, {
      ...(changes.length === 0 ? {} : { changes }),
      ...(effects.length === 0 ? {} : { effects }),
    }),
  );
}

/** A planner that a person started and that ends before the plan is written: the plan stays where it is. */
function plannersEnd(world: World, entry: SessionEntry, news: SessionNews): readonly UnnumberedEffect[] {
  const plan = entry.plan === undefined ? undefined : world.plans.get(entry.plan);
  if ((news.kind !== 'ended' && news.kind !== 'failed') || plan === undefined) return [];
  if (plannerOf(world, plan)?.id !== entry.id) return [];
  return [{ do: 'tell', text: `The planner of ${plan.plan} (${entry.id}) ended, and the plan is not finished.` }];
}

/** What the news mean for a run: its agent has really worked, or a reminder did not reach it. */
function changesOfRun(world: World, entry: SessionEntry, news: SessionNews, now: Date): readonly RecordChange[] {
  const { plan, task, attempt } = entry;
  if (plan === undefined || task === undefined || attempt === undefined) return [];
  const run = world.plans.get(plan)?.tasks.find((one) => one.id === task)?.run;
  if (run?.session?.id !== entry.id) return [];
  const hasWorked =
    (news.kind === 'ended' && !isLaunchFailure(entry, news.life, now)) ||
    (news.kind === 'failed' && entry.up !== undefined);
  if (hasWorked && !run.started) return [{ of: 'run', plan, task, change: { started: true } }];
  if (isOutOfReach(news))
    return [{ of: 'run', plan, task, change: { session: { ...run.session, trouble: 'undelivered' } } }];
  return [];
}

/**
 * An idle agent that cadre cannot remind has to be restarted. What a person sends is no duty of the agent, and one that asks
 * something waits for a person.
 */
function isOutOfReach(news: SessionNews): boolean {
  return news.kind === 'sent' && news.reminder === true && news.problem !== null && news.hindrance === undefined;
}

/** cadre stopped the program itself, so neither its end nor an undelivered reminder is the agent's failure. */
function isOwnDoing({ interrupted }: SessionEntry, news: SessionNews): boolean {
  return interrupted === true && (news.kind === 'ended' || news.kind === 'failed' || isOutOfReach(news));
}

function isKnown(entry: SessionEntry, news: EventOfKind<'session-news'>['news']): boolean {
  switch (news.kind) {
    case 'up':
      return entry.up !== undefined;
    case 'failed':
      return entry.failure !== undefined;
    case 'ended':
      return entry.ended !== undefined;
    case 'sent':
      return false;
  }
}

function start(context: DecisionContext, session: SessionFields, how: { prompt: string; resume: boolean }): Decision {
  const effect = { do: 'start-session', session: session.id, ...how, ...sameMachine(session) } as const;
  const effects = numbered(context.world.seq + 1, [effect]);
  return accepted(record(context, { event: 'session_begun', begun: session, resume: how.resume }, { effects }));
}

function replaceSession(
  world: World,
  event: EventOfKind<'session-switch'> | EventOfKind<'session-resume'>,
  now: Date,
  next: (entry: SessionEntry) => SessionFields | Decision,
): Decision {
  const found = find(world, event);
  if ('records' in found) return found;
  if (found.followedBy !== undefined) return wasFollowed(found);
  const no = whyNotOfRun(found, event);
  if (no !== undefined) return no;
  const session = next(found);
  if ('records' in session) return session;
  const resume = event.kind === 'session-resume';
  return start({ world, now, by: event.by }, session, { prompt: event.prompt, resume });
}

type SessionCommand =
  | EventOfKind<'session-stop'>
  | EventOfKind<'session-pause'>
  | EventOfKind<'session-send'>
  | EventOfKind<'session-switch'>
  | EventOfKind<'session-resume'>;

interface SessionChange {
  readonly event: 'session_stopped' | 'session_paused' | 'session_send';
  readonly effect:
    | { readonly do: 'stop-session' | 'pause-session' }
    | { readonly do: 'send-to-session'; readonly text: string };
}

function changeSession(
  world: World,
  event: SessionCommand,
  now: Date,
  how: (entry: SessionEntry) => SessionChange | Decision,
): Decision {
  const found = find(world, event);
  if ('records' in found) return found;
  if (found.followedBy !== undefined) return wasFollowed(found);
  const no = whyNotOfRun(found, event);
  if (no !== undefined) return no;
  const changed = how(found);
  if ('records' in changed) return changed;
  const fact: Fact = { event: changed.event, about: found.id };
  const effect = { ...changed.effect, session: found.id, ...sameMachine(found) };
  return accepted(record({ world, now, by: event.by }, fact, { effects: numbered(world.seq + 1, [effect]) }));
}

function find(world: World, { by, session }: SessionCommand): SessionEntry | Decision {
  const no = whyNotBy(by);
  if (no !== undefined) return no;
  const entry = [...world.sessions.values()].find((one) => one.id === session);
  return entry ?? refusedFor('unknown-session', unknownSession(session));
}

/** Sessions of runs, reviews and workshops start and stop with these. */
function whyNotOfRun(entry: SessionEntry, event: SessionCommand): Decision | undefined {
  if (!isManaged(entry) || event.kind === 'session-send') return undefined;
  const whose = entry.task === undefined ? entry.plan : `${entry.plan}#${entry.address ?? entry.task}`;
  return refused(
    'state',
    `${entry.id} works for ${whose}; cadre starts and stops it. Revert, send back or relaunch the task instead, or cancel the plan.`,
  );
}

function wasFollowed(entry: SessionEntry): Decision {
  return refused('state', `${entry.id} was replaced by ${entry.followedBy}. Name that one instead.`);
}

/** Agents cannot control sessions. */
function whyNotBy(by: By): Decision | undefined {
  if (by.who !== 'agent') return undefined;
  return refused('source', `Only a person may start and stop sessions; ${speakerName(by)} cannot.`);
}

function fieldsOf(entry: SessionEntry): SessionFields {
  const { id, place, title, role, program, flags, env, branch, from, plan, task, grants, sandbox } = entry;
  return {
    ...{ id, place, title, role, program, flags, env, branch, from, keyed: true },
    ...(plan === undefined ? {} : { plan }),
    ...(task === undefined ? {} : { task }),
    ...(grants === undefined ? {} : { grants }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...sameMachine(entry),
  };
}

/** Sequence numbers never repeat, and so session ids do not. */
function nextId(world: World): SessionId {
  return sessionIdFor(world.seq + 1);
}

/** Part of a branch name: the title, reduced to what git always allows. */
function titleSlug(title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? '' : `${slug}-`;
}
