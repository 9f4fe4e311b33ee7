// What the engine does for a workshop automatically: starts it, starts its agents, and moves on when a round allows it.
import { step } from '../../../machines/machine.ts';
import { type WorkshopEvent, workshopMachine } from '../../../machines/workshop.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED, record } from '../../model/decision.ts';
import { numbered } from '../../model/effect.ts';
import {
  machineForNew,
  type OnMachine,
  planningPlaceFor,
  type SessionId,
  sameMachine,
  sessionIdFor,
} from '../../model/ids.ts';
import type { TurnWork } from '../../model/run.ts';
import type { PlanSession, SessionFields } from '../../model/session.ts';
import { mayIssue } from '../../model/stops.ts';
import { isStable, type WorkshopEntry } from '../../model/workshop/entry.ts';
import { hasRoundsLeft, isPlanning, plannerHealth, planReviewer, workshopWait } from '../../model/workshop/status.ts';
import type { World } from '../../model/world.ts';
import { programFor } from '../../settings/default-policy.ts';
import { recordWorkshop, says, type WorkshopContext } from './context.ts';

/** The next record that follows from the workshop alone. */
export function keepPlanning(context: WorkshopContext): Decision | undefined {
  const { world, entry } = context;
  const { state, result } = entry.workshop;
  if (state === 'draft') return moveOn(context, 'start', 'planning starts with the brief.');
  if (state === 'review_ready')
    return planReviewer(world, entry) === 'architect' ? keep(context, ARCHITECT) : undefined;
  if (workshopWait(world, entry) !== undefined) return undefined;
  return result === null ? keep(context, PLANNER) : afterRound(context, result);
}

/** Every blocking question of the round is answered. */
function afterRound(context: WorkshopContext, result: NonNullable<WorkshopEntry['result']>): Decision | undefined {
  const { world, entry } = context;
  const { workshop } = entry;
  if (workshop.state === 'clarifying')
    return result.commitment_readiness
      ? moveOn(context, 'no_open_questions', 'no blocking question is open, and the proposals are stable enough.')
      : moveOn(
          context,
          'answers_provided',
          result.blocking_questions > 0
            ? 'the blocking questions are answered; the planner works with the answers.'
            : 'no blocking question is open, and the proposals are not stable yet.',
        );
  if (workshop.state !== 'workshop') return undefined;
  if (isStable(workshop))
    return moveOn(
      context,
      'stabilized',
      result.commitment_readiness ? 'the proposals are stable enough.' : 'the round brought nothing new.',
    );
  return hasRoundsLeft(world, workshop) ? moveOn(context, 'next_round', 'the proposals still change.') : undefined;
}

/** Records the move, with its reason in the transcript. */
export function moveOn(context: WorkshopContext, move: WorkshopEvent, why: string): Decision {
  const { state, result } = context.entry.workshop;
  const heuristics = result === null ? {} : { heuristics: { ...result } };
  const next = step(workshopMachine, state, move);
  const to = next.kind === 'moved' ? next.to : state;
  return recordWorkshop(context, {
    move,
    says: [says(context, 'transition', `${state} -> ${to}: ${why}`, heuristics)],
  });
}

interface Duty {
  readonly role: 'planner' | 'architect';
  readonly turn: TurnWork;
}

const PLANNER: Duty = { role: 'planner', turn: 'workshop' };
const ARCHITECT: Duty = { role: 'architect', turn: 'review-workshop' };

/** Starts the agent of the present state: the first one, another after a failure, or one that was interrupted. */
function keep(context: WorkshopContext, duty: Duty): Decision | undefined {
  const { world, entry } = context;
  const { workshop } = entry;
  const { session, relaunches } = workshop;
  const health = plannerHealth(workshop, world);
  if (health === 'working' || !mayIssue(world, entry)) return undefined;
  if (health === 'none' || session === null) return start(context, duty, relaunches);
  if (health === 'interrupted')
    return start(context, duty, relaunches, world.sessions.get(session.id)?.up !== undefined);
  return start(context, duty, relaunches + 1);
}

function start(context: WorkshopContext, { role, turn }: Duty, relaunches: number, resume = false): Decision {
  const { world, now, entry } = context;
  const { plan, workshop } = entry;
  const seq = world.seq + 1;
  const id = sessionIdFor(seq);
  const machine = machineOfPlanning(context);
  const fields: SessionFields = {
    id,
    place: planningPlaceFor(entry.entered),
    title: `${plan} ${role}`,
    role,
    ...programFor(world.policy, role),
    branch: entry.branch,
    from: workshop.from,
    plan,
    plans: true,
    keyed: true,
    ...machine,
  };
  const session: PlanSession = { id, entered: workshop.entered, at: now.toISOString(), tip: null, trouble: null };
  return accepted(
    record(
      context,
      { event: 'session_begun', begun: fields, resume },
      {
        changes: [{ of: 'workshop', plan, change: { session, relaunches } }],
        effects: numbered(seq, [{ do: 'start-session', session: id, prompt: '', resume, turn, ...machine }]),
      },
    ),
  );
}

/** All agents of one workshop share a place, which stays on the machine where the first one started. */
function machineOfPlanning({ world, entry }: WorkshopContext): OnMachine {
  const place = planningPlaceFor(entry.entered);
  const before = [...world.sessions.values()].find((one) => one.place === place);
  return before === undefined ? machineForNew(world.policy) : sameMachine(before);
}

/** An agent of a workshop has fallen silent or takes too long: it is replaced, or a person is asked. Undefined for others. */
export function plannerTrouble(
  world: World,
  id: SessionId,
  trouble: 'silent' | 'overdue',
  now: Date,
): Decision | undefined {
  const speaker = world.sessions.get(id);
  const entry = speaker?.plans === true && speaker.plan !== undefined ? world.plans.get(speaker.plan) : undefined;
  if (entry === undefined) return undefined;
  if (!isPlanning(entry) || entry.workshop.session?.id !== id) return IGNORED;
  if (plannerHealth(entry.workshop, world) !== 'working') return IGNORED;
  const name = `${speaker?.role === 'architect' ? 'architect' : 'planner'}_${trouble}` as const;
  return recordWorkshop(
    { world, now, by: BY_ENGINE, entry },
    { name, change: { session: { ...entry.workshop.session, trouble } } },
  );
}
