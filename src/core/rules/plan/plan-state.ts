// Rules for plan-state.json: unknown plans are imported, differences are recorded, and a person may adopt them.

import { showName } from '../../../text/show.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED, record, refused, refusedFor } from '../../model/decision.ts';
import type { EventOfKind } from '../../model/event.ts';
import type { PlanMove } from '../../model/record.ts';
import { archivedPlan, unknownPlan } from '../../model/refusals.ts';
import type { World } from '../../model/world.ts';

export function importFromPlanState(world: World, event: EventOfKind<'import'>, now: Date): Decision {
  if (world.plans.has(event.plan)) return IGNORED;
  const move: PlanMove = { machine: 'plan', plan: event.plan, event: 'import', from: null, to: event.status };
  const fact = { event: 'import' as const, plan: event.plan, fields: event.fields };
  return accepted(record({ world, now, by: BY_ENGINE }, fact, { moves: [move] }));
}

export function describePlan(world: World, event: EventOfKind<'describe'>, now: Date): Decision {
  if (!world.plans.has(event.plan)) return IGNORED;
  // Only a person's command moves the files of a plan to the archive, or back.
  const { archived: _archived, ...fields } = event.fields;
  return accepted(record({ world, now, by: BY_ENGINE }, { event: 'describe', plan: event.plan, fields }));
}

export function importDocument(world: World, event: EventOfKind<'import-document'>, now: Date): Decision {
  const fact = { event: 'import_document' as const, topics: event.topics, extra: event.extra };
  return accepted(record({ world, now, by: BY_ENGINE }, fact));
}

export function differ(world: World, event: EventOfKind<'differ'>, now: Date): Decision {
  const entry = world.plans.get(event.plan);
  if (entry === undefined || entry.status === event.fileStatus || entry.difference?.status === event.fileStatus)
    return IGNORED;
  const fact = { event: 'plan_state_differs' as const, plan: event.plan, fileStatus: event.fileStatus };
  return accepted(record({ world, now, by: BY_ENGINE }, fact));
}

export function adopt(world: World, event: EventOfKind<'adopt'>, now: Date): Decision {
  if (event.by.who !== 'user') return refused('source', 'Only a person may adopt the state in plan-state.json.');
  const entry = world.plans.get(event.plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(event.plan));
  if (entry.archived !== undefined) return refusedFor('state', archivedPlan(entry));
  const to = event.fileStatus !== undefined && event.fileStatus !== entry.status ? event.fileStatus : undefined;
  const status = to ?? entry.difference?.status;
  if (status === undefined)
    return refused(
      'no-difference',
      `Nothing to adopt: plan-state.json and the journal agree that ${showName(event.plan)} is ${entry.status}.`,
    );
  const move: PlanMove = { machine: 'plan', plan: event.plan, event: 'adopt', from: entry.status, to: status };
  return accepted(record({ world, now, by: event.by }, { event: 'adopt', plan: event.plan }, { moves: [move] }));
}
