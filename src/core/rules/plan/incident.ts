// Incidents: a branch is not where cadre left it. Nothing is launched, merged, approved or landed until a person has decided.
import { WORKING } from '../../../machines/plan.ts';
import { slugOf } from '../../../plan/name.ts';
import { short } from '../../model/commit.ts';
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
import { effectId, numbered, type UnnumberedEffect } from '../../model/effect.ts';
import type { EffectResult, EventOfKind } from '../../model/event.ts';
import type { JournalRecord, TaskMove } from '../../model/record.ts';
import { personsDecision, unknownPlan } from '../../model/refusals.ts';
import type { Incident, PlanWork, RecordChange } from '../../model/run.ts';
import { incidentWords, mayIssue, stopOf } from '../../model/stops.ts';
import { suggest } from '../../model/suggestion.ts';
import { findTask, listed } from '../../model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../../model/world.ts';
import { withdrawMerge } from '../run/merge.ts';
import { recordBranchMoved } from './branch.ts';
import type { ManagedContext } from './context.ts';
import { landingsOf } from './landing.ts';

/**
 * `expected` and `incident` say what the journal had when the branch was read: a move that cadre made since then, also one
 * that restored the branch, is not an incident.
 */
export function branchSeen(world: World, event: EventOfKind<'branch-seen'>, now: Date): Decision {
  const { plan, expected, found, base } = event;
  const entry = world.plans.get(plan);
  const work = entry?.work;
  if (entry === undefined || work === undefined || work.tip !== expected) return IGNORED;
  const { moving, incident } = work;
  if (event.incident !== undefined && event.incident !== (incident?.at ?? null)) return IGNORED;
  if (moving?.branch === 'plan' && found === moving.from) return IGNORED;
  if (moving?.branch === 'plan' && found === moving.to)
    return world.outbox.has(moving.effect) ? IGNORED : recordBranchMoved(world, { plan, tip: moving.to }, now);
  const context: ManagedContext = { world, now, by: BY_ENGINE, entry, work };
  if (found === expected)
    return incident?.of === 'plan-branch' && !isRestoring(world, incident)
      ? endIncident(context, incident, 'undone')
      : IGNORED;
  if (incident?.of === 'plan-branch' && incident.found === found) return IGNORED;
  const seen: Incident = { of: 'plan-branch', branch: entry.branch, expected, found, at: now.toISOString() };
  return beginIncident(context, seen, base === undefined ? {} : { base });
}

/** The base may gain commits, but not lose the one that the plan branch contains. */
export function baseSeen(world: World, event: EventOfKind<'base-seen'>, now: Date): Decision {
  const { plan, expected, found, contains } = event;
  const entry = world.plans.get(plan);
  const work = entry?.work;
  if (entry === undefined || work === undefined || work.base?.commit !== expected.commit) return IGNORED;
  const context: ManagedContext = { world, now, by: BY_ENGINE, entry, work };
  const { incident } = work;
  if (contains) return incident?.of === 'base' ? endIncident(context, incident, 'undone') : IGNORED;
  // One at a time: a base that is still elsewhere is seen again.
  if (incident !== null && (incident.of !== 'base' || incident.found === found.commit)) return IGNORED;
  const { branch, commit } = found;
  return beginIncident(context, {
    of: 'base',
    branch,
    expected: expected.commit,
    found: commit,
    at: now.toISOString(),
  });
}

/** The plan's reviewer is stopped, and what would move a branch is withdrawn at no cost. */
function beginIncident(context: ManagedContext, incident: Incident, more: Partial<PlanWork> = {}): Decision {
  const { world, entry, work } = context;
  const { plan } = entry;
  // Where the plan branch itself is elsewhere, a move that was intended has not happened, or is lost.
  const moving = incident.of === 'plan-branch' ? null : work.moving;
  const isWithdrawn = (effect: string | undefined): boolean => effect !== undefined && effect !== moving?.effect;
  const landing = landingsOf(world, entry).some(({ id }) => isWithdrawn(id)) ? { lands: true } : {};
  const merges = entry.tasks.filter(({ run }) => isWithdrawn(run?.issued?.effect));
  return accepted(
    record(
      context,
      { event: 'incident', plan, incident },
      {
        changes: [
          { of: 'plan', plan, change: { ...more, ...landing, incident, moving, session: null } },
          ...merges.flatMap((task) => withdrawMerge(entry, task)),
        ],
        effects: numbered(world.seq + 1, [{ do: 'tell', text: `${plan}: ${incidentWords(incident)}` }]),
      },
    ),
  );
}

function endIncident(
  context: ManagedContext,
  { branch }: Incident,
  how: Extract<JournalRecord, { event: 'incident_ended' }>['how'],
  change: Partial<PlanWork> = {},
): Decision {
  const { plan } = context.entry;
  return accepted(
    record(
      context,
      { event: 'incident_ended', plan, branch, how },
      { changes: [{ of: 'plan', plan, change: { ...change, incident: null } }] },
    ),
  );
}

/** A deleted plan branch is restored without asking: nothing that anybody made is on it. */
export function restoreDeleted(context: ManagedContext): Decision | undefined {
  const { incident } = context.work;
  if (incident === null || incident.found !== null || incident.restoring !== undefined) return undefined;
  if (incident.problem !== undefined || !mayIssue(context.world, context.entry)) return undefined;
  return startRestoring(context, incident);
}

export function restoreBranch(world: World, { plan, by }: EventOfKind<'incident-restore'>, now: Date): Decision {
  const found = incidentOf(world, { plan, by }, 'incident-restore', now);
  if ('kind' in found) return found;
  const { incident, ...context } = found;
  if (incident.of === 'base')
    return refused(
      'state',
      `cadre does not move ${incident.branch}. Take it as it is, or move it back yourself.`,
      suggest('incident-take', slugOf(plan)),
    );
  if (isRestoring(world, incident)) return refused('state', `${incident.branch} is being restored.`);
  const stop = stopOf(world, context.entry);
  if (stop !== undefined) return refused(stop.code, `${stop.why}, so ${incident.branch} is not moved.`, stop.end);
  return startRestoring(context, incident);
}

/** The result of the effect says whether the branch is back. */
function isRestoring({ outbox }: World, { restoring }: Incident): boolean {
  return restoring !== undefined && outbox.has(restoring);
}

function startRestoring(context: ManagedContext, incident: Incident): Decision {
  const { world, entry } = context;
  const { plan } = entry;
  const { expected: to, found: from } = incident;
  const effect: UnnumberedEffect = { do: 'set-branch', plan, from, to, keep: from };
  const { problem: _problem, ...rest } = incident;
  const restoring: Incident = { ...rest, restoring: effectId(world.seq + 1, 0) };
  return accepted(
    record(
      context,
      { event: 'incident_restoring', plan },
      {
        changes: [{ of: 'plan', plan, change: { incident: restoring } }],
        effects: numbered(world.seq + 1, [effect]),
      },
    ),
  );
}

/** The incident lasts until the branch is back. If it could not be moved, the person learns why. */
export function decideRestored(
  world: World,
  effect: string,
  result: Extract<EffectResult, { of: 'set-branch' }>,
  now: Date,
): Decision {
  const issued = world.outbox.get(effect);
  const entry = issued?.do === 'set-branch' ? world.plans.get(issued.plan) : undefined;
  const incident = entry?.work?.incident;
  if (entry?.work === undefined || incident?.restoring !== effect) return IGNORED;
  const context: ManagedContext = { world, now, by: BY_ENGINE, entry, work: entry.work };
  if (!('failed' in result)) return endIncident(context, incident, 'restored');
  const { plan } = entry;
  const { restoring: _restoring, ...rest } = incident;
  const failed: Incident = { ...rest, problem: result.failed };
  return accepted(
    record(
      context,
      { event: 'incident_not_restored', plan, why: result.failed },
      { changes: [{ of: 'plan', plan, change: { incident: failed } }] },
    ),
  );
}

/** The journal takes the commit that is there, and a person says what happens to the tasks whose work is not on it. */
export function takeBranch(world: World, event: EventOfKind<'incident-take'>, now: Date): Decision {
  const { plan, by, found } = event;
  const subject = incidentOf(world, { plan, by }, 'incident-take', now);
  if ('kind' in subject) return subject;
  const { incident, ...context } = subject;
  if (incident.found === null)
    return refused('state', `${incident.branch} does not exist, so there is nothing to take.`);
  if (incident.found !== found)
    return refused('moved', `${incident.branch} has moved again, to ${short(found)}. Look at it first.`);
  if (incident.of === 'base') return takeBase(context, incident, found);
  const lost = event.missing.flatMap((id) => findTask(context.entry, id) ?? []);
  if (lost.length > 0 && event.lost === undefined) return askAboutLost(context.entry, lost, incident);
  if (lost.length > 0 && event.lost === 'replan' && !MAY_REPLAN.includes(context.entry.status))
    return refused('state', `${plan} is ${context.entry.status}, so none of its tasks is built again.`);
  return takePlanBranch(context, incident, found, event.lost === 'replan' ? lost : []);
}

const MAY_REPLAN: readonly string[] = [WORKING, 'reviewing'];

function askAboutLost({ plan }: PlanEntry, lost: readonly TaskEntry[], { branch, found }: Incident): Decision {
  const names = listed(lost.map(({ address }) => address));
  return refused(
    'needs-choice',
    `The work of task ${names} is not on ${branch} at ${short(found ?? '')}. Say whether these tasks are built again or stay done.`,
    suggest('incident-take', slugOf(plan), 'replan'),
    suggest('incident-take', slugOf(plan), 'keep'),
  );
}

function takeBase(context: ManagedContext, incident: Incident, commit: string): Decision {
  return endIncident(context, incident, 'taken', { base: { branch: incident.branch, commit } });
}

/** What the journal had is kept, and so is what the branch has now. */
function takePlanBranch(
  context: ManagedContext,
  { branch, expected }: Incident,
  tip: string,
  again: readonly TaskEntry[],
): Decision {
  const { plan } = context.entry;
  const runs = again.map(({ id }): RecordChange => ({ of: 'run', plan, task: id, change: null }));
  const moves = again.map(
    ({ id, state }): TaskMove => ({ machine: 'task', plan, task: id, event: 'replan', from: state, to: 'planned' }),
  );
  return accepted(
    record(
      context,
      { event: 'incident_ended', plan, branch, how: 'taken' },
      {
        moves,
        changes: [{ of: 'plan', plan, change: { incident: null, tip } }, ...runs],
        effects: numbered(context.world.seq + 1, [{ do: 'set-branch', plan, from: tip, to: tip, keep: expected }]),
      },
    ),
  );
}

interface IncidentContext extends ManagedContext {
  readonly incident: Incident;
}

/** The incident that a person decides about; a refusal where there is none, or where it is not a person who decides. */
function incidentOf(
  world: World,
  { plan, by }: Pick<EventOfKind<'incident-take'>, 'plan' | 'by'>,
  action: string,
  now: Date,
): IncidentContext | Decision {
  if (by.who !== 'user') return refused('user-only', personsDecision(action, by));
  const entry = world.plans.get(plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(plan));
  const { work } = entry;
  if (work === undefined || work.incident === null)
    return refused('state', `${plan} has no incident: its branches are where cadre left them.`);
  const context: DecisionContext = { world, now, by };
  return { ...context, entry, work, incident: work.incident };
}
