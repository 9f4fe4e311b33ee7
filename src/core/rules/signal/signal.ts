// Rules for signals: each counts once, from the right speaker and in the right state, or goes to quarantine.
import { asEvent } from '../../../machines/machine.ts';
import { type PlanEvent, planMachine } from '../../../machines/plan.ts';
import { type PlanFile, planFile, whyNoPlanName } from '../../../plan/name.ts';
import { forbiddenCommand } from '../../../signals/message.ts';
import { findSignal, rolesFor, SIGNALS, type SignalDefinition } from '../../../signals/registry.ts';
import { showName } from '../../../text/show.ts';
import { accepted, type Decision, refused, refusedFor } from '../../model/decision.ts';
import type { Signal } from '../../model/event.ts';
import type { SessionId } from '../../model/ids.ts';
import { personsDecision, speakerName, unknownPlan } from '../../model/refusals.ts';
import { recordedSignal } from '../../model/signal.ts';
import type { World } from '../../model/world.ts';
import { movePlan, registration } from '../plan/move.ts';
import { takePlanReview } from '../plan/plan-findings.ts';
import { decideArchitectSignal } from '../workshop/architect.ts';
import { decideRoundSignal } from '../workshop/round.ts';
import { alreadyTaken, quarantineSignal } from './quarantine.ts';
import { decideRunSignal, speakingSession, whyNotFrom } from './run-signal.ts';

export function decideSignal(world: World, signal: Signal, now: Date): Decision {
  const before = alreadyTaken(world, signal.id, signal.file);
  if (before !== undefined) return before;
  const decision = decideNew(world, signal, now);
  return decision.kind === 'refused' ? quarantineSignal(world, signal, decision, now) : decision;
}

function decideNew(world: World, signal: Signal, now: Date): Decision {
  const command = forbiddenCommand(signal.name);
  if (command !== undefined) return refused('user-only', personsDecision(showName(command), signal.by));
  const plan = planFile(signal.plan);
  if (plan === undefined)
    return refused('bad-name', whyNoPlanName(signal.plan) ?? `"${showName(signal.plan)}" is not a plan's name.`);
  const speaker = speakingSession(world, signal);
  if (speaker !== undefined && 'records' in speaker) return speaker;
  const notTheirs = speaker === undefined ? undefined : whyNotFrom(signal, speaker);
  if (notTheirs !== undefined) return notTheirs;
  if (speaker?.plan !== undefined && speaker.plan !== plan)
    return refused('not-yours', `${speaker.id} works on ${speaker.plan}; it cannot speak for ${plan}.`);
  if (speaker?.attempt !== undefined) return decideRunSignal(world, signal, speaker, now);
  if (speaker?.plans)
    return speaker.role === 'architect'
      ? decideArchitectSignal(world, signal, speaker, now)
      : decideRoundSignal(world, signal, speaker, now);
  const by = speaker === undefined ? signal.by : { ...signal.by, role: speaker.role, session: speaker.id };
  return decidePlanSignal(world, { ...signal, by }, plan, now);
}

/** A speaker without a run speaks for the plan as a whole. */
function decidePlanSignal(world: World, signal: Signal, plan: PlanFile, now: Date): Decision {
  const { body: _body, ...stored } = recordedSignal(signal);
  const definition = findSignal(signal.name);
  if (definition === undefined) {
    const event = eventWithoutSignal(signal.name);
    if (event !== undefined) return movePlan(world, { plan, event, by: signal.by }, now, stored);
    const names = SIGNALS.map(({ name }) => name).join(', ');
    return refused('unknown-signal', `There is no signal "${showName(signal.name)}". The signals are: ${names}.`);
  }
  const unfit = whyUnfit(world, signal, definition);
  if (unfit !== undefined) return unfit;
  if (definition.plan === undefined || signal.task !== undefined) return noRun(signal, definition);
  if (!world.plans.has(plan) && definition.plan.event === 'planner_finished')
    return registerWritten(world, signal, definition.plan.roles, now);
  const review = planReview(world, signal, plan, now);
  if (review !== undefined) return review;
  const body = definition.body === 'required' ? { feedback: signal.body } : {};
  const seen = signal.landing === undefined ? {} : { landing: signal.landing };
  return movePlan(world, { plan, event: definition.plan.event, by: signal.by, ...body, ...seen }, now, {
    ...stored,
    ...(definition.body === 'none' || signal.body === '' ? {} : { body: signal.body }),
  });
}

/** The review of a whole plan, where it comes from the reviewer that cadre started. */
function planReview(world: World, signal: Signal, plan: PlanFile, now: Date): Decision | undefined {
  const { name, body, by, landing } = signal;
  const entry = world.plans.get(plan);
  if ((name !== 'review-approved' && name !== 'review-changes') || entry?.work === undefined) return undefined;
  if (world.sessions.get(by.session as SessionId)?.reviews !== true) return undefined;
  const context = { world, now, by, entry, work: entry.work, signal: recordedSignal(signal) };
  const word = name === 'review-approved' ? 'approved' : 'changes';
  return takePlanReview(context, { word, body, ...(landing === undefined ? {} : { landing }) });
}

/** An event that no signal causes is still passed to the plan's rules, which refuse it because of its source. */
function eventWithoutSignal(name: string): PlanEvent | undefined {
  const event = asEvent(planMachine, name.replaceAll('-', '_'));
  return event !== undefined && rolesFor(event).length === 0 ? event : undefined;
}

/** Why a signal does not count, before asking the machine. */
function whyUnfit(world: World, signal: Signal, definition: SignalDefinition): Decision | undefined {
  const entry = world.plans.get(signal.plan as never);
  if (entry !== undefined && signal.entered !== undefined && signal.entered !== entry.entered)
    return refused(
      'stale',
      `"${signal.name}" is about an earlier state of ${entry.plan}, which has been ${entry.status} since ${entry.since}.`,
    );
  if (definition.body === 'required' && signal.body.trim() === '')
    return refused('no-body', `"${signal.name}" needs a body that says what it is about.`);
  return undefined;
}

/** A planner may write a plan that nobody registered; if its file exists, it is registered. */
function registerWritten(world: World, signal: Signal, roles: readonly string[], now: Date): Decision {
  if (!signal.planFileExists) return refusedFor('unknown-plan', unknownPlan(signal.plan));
  if (!roles.includes(signal.by.role))
    return refused('role', `"${signal.name}" is for the planner of a plan; ${speakerName(signal.by)} cannot send it.`);
  const about = { plan: signal.plan, description: '', topic: '' };
  return accepted(registration({ world, now, by: signal.by }, about, recordedSignal({ ...signal, body: '' })));
}

function noRun(signal: Signal, definition: SignalDefinition): Decision {
  const whose = signal.task === undefined ? signal.plan : `${signal.plan}#${signal.task}`;
  const what = definition.workshop !== undefined && definition.run === undefined ? 'workshop' : 'run';
  return refused('no-run', `"${signal.name}" is about a ${what}, and ${showName(whose)} has none.`);
}
