// Turns of a run's agents: starting a session, reminding a silent agent, and what happens when no turn is left.
import type { Role } from '../../../signals/registry.ts';
import { accepted, type Decision, record } from '../../model/decision.ts';
import { numbered } from '../../model/effect.ts';
import { type SessionId, sameMachine, sessionIdFor } from '../../model/ids.ts';
import type { Counts, RunEntry, RunSession } from '../../model/run.ts';
import { COUNTED, type Duty, isEscalated, sessionHealth } from '../../model/run-status.ts';
import type { SessionFields } from '../../model/session.ts';
import { programFor } from '../../settings/default-policy.ts';
import { endInError } from './end.ts';
import { nameOf, type RunContext, recordStep } from './step.ts';

/** A turn of the implementer, counted in the record that starts it. When none is left, cadre checks in, or the run ends. */
export function startTurn(context: RunContext, duty: Duty): Decision {
  const { counts } = context.run;
  const { budgets } = context.world.policy;
  const counter = COUNTED[duty.work];
  if (counts.turns >= budgets.turns) return endInError(context, `The limit for turns (${budgets.turns}) is reached.`);
  if (counter === null || counter === 'planning')
    return nextTurn(context, duty, { ...counts, turns: counts.turns + 1 });
  if (counts[counter] < budgets[counter])
    return nextTurn(context, duty, { ...counts, turns: counts.turns + 1, [counter]: counts[counter] + 1 });
  if (counts.checkins < budgets.checkins) return checkIn(context, counter);
  return endInError(
    context,
    `The limits for ${counter} turns (${budgets[counter]}) and check-ins (${budgets.checkins}) are reached.`,
  );
}

/** Reminds an agent that is alive; otherwise starts a session. */
function nextTurn(context: RunContext, duty: Duty, counts: Counts): Decision {
  const { run, world } = context;
  const isAlive = run.session !== null && world.sessions.get(run.session.id)?.wanted === 'running';
  if (sessionHealth(run, world.sessions) !== 'silent' || run.session === null || !isAlive)
    return startSession(context, duty, { counts });
  const { asleep: _asleep, ...before } = run.session;
  const session: RunSession = { ...before, trouble: null, at: context.now.toISOString(), head: run.head };
  return recordStep(context, {
    moves: [],
    name: 'nudged',
    change: { session, counts },
    effects: [{ do: 'nudge', session: session.id, turn: duty.work, ...sameMachine(run) }],
  });
}

function checkIn(context: RunContext, counter: 'coding' | 'fixing'): Decision {
  const { run, world } = context;
  const text = `The limit for ${counter} turns (${world.policy.budgets[counter]}) is reached. CONTINUE, PIVOT, ESCALATE or ABANDON?`;
  const origin = counter === 'coding' ? 'CODING' : 'FIXING';
  return recordStep(context, {
    moves: ['auto_checkin'],
    cause: text,
    change: {
      question: { origin, kind: 'check-in', text },
      counts: { ...run.counts, checkins: run.counts.checkins + 1 },
    },
  });
}

/** Starts a session with the duty's role in the run's place, replacing the one that is there. */
export function startSession(context: RunContext, duty: Duty, change: Partial<RunEntry> = {}): Decision {
  const { world, now, entry, task, run } = context;
  const seq = world.seq + 1;
  const id = sessionIdFor(seq);
  const session: RunSession = {
    id,
    role: duty.role,
    entered: run.entered,
    at: now.toISOString(),
    head: run.head,
    trouble: null,
  };
  const who = agentFor(context, duty);
  const resume = remembers(context, duty.role, who);
  return accepted(
    record(
      context,
      { event: 'session_begun', begun: fieldsOf(context, id, duty.role, who), resume },
      {
        changes: [{ of: 'run', plan: entry.plan, task: task.id, change: { ...change, session } }],
        effects: numbered(seq, [
          { do: 'start-session', session: id, prompt: '', resume, turn: duty.work, ...sameMachine(run) },
        ]),
      },
    ),
  );
}

interface Agent {
  readonly profile?: string;
  /** Another agent, because several rounds of review have not led to the end. */
  readonly escalated?: true;
}

/** An implementer that has not seen the problem three times will not see it the fourth time. */
function agentFor({ world: { policy }, task, run }: RunContext, { role, work }: Duty): Agent {
  if (role !== 'implementer') return {};
  const isEscalatedFix = work === 'fix' && isEscalated(run, policy.budgets.escalateAfter);
  const profile = (isEscalatedFix ? policy.escalation : undefined) ?? task.profile;
  return { ...(profile === undefined ? {} : { profile }), ...(isEscalatedFix ? { escalated: true } : {}) };
}

/** If the last program in the place had the same role and profile, its conversation is continued. */
function remembers({ world, run }: RunContext, role: Role, { profile, escalated }: Agent): boolean {
  const last = run.session === null ? undefined : world.sessions.get(run.session.id);
  // One that was interrupted before it started leaves the conversation to its predecessor.
  const isUnheard = last?.interrupted === true && last.up === undefined;
  const before = isUnheard ? [...world.sessions.values()].find(({ followedBy }) => followedBy === last.id) : last;
  return (
    before?.role === role && before.profile === profile && before.escalated === escalated && before.up !== undefined
  );
}

function fieldsOf(context: RunContext, id: SessionId, role: Role, agent: Agent): SessionFields {
  const { world, entry, task, run } = context;
  return {
    id,
    place: run.place,
    title: `${nameOf(context)} ${role}`,
    role,
    ...programFor(world.policy, role, agent.profile),
    ...agent,
    branch: run.branch,
    from: run.base ?? '',
    plan: entry.plan,
    task: task.id,
    ...(task.address === task.id ? {} : { address: task.address }),
    attempt: run.attempt,
    keyed: true,
    ...sameMachine(run),
  };
}
