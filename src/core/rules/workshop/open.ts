// Rules for opening a workshop: for a brief that has no plan yet, or for a plan that is to be planned again.
import { planFile, slugOf, whyNoPlanName } from '../../../plan/name.ts';
import { fold } from '../../journal/fold.ts';
import { accepted, type Decision, record, refused, refusedFor } from '../../model/decision.ts';
import type { EventOfKind } from '../../model/event.ts';
import type { JournalRecord } from '../../model/record.ts';
import { archivedPlan, speakerName } from '../../model/refusals.ts';
import { suggest } from '../../model/suggestion.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import { movePlan, registration } from '../plan/move.ts';
import { actorOf } from './context.ts';

type Opening = EventOfKind<'workshop-open'>;

/** All in one commit: the plan is registered if it is new, starts planning if it does not, and gets its workshop. */
export function openWorkshop(world: World, event: Opening, now: Date): Decision {
  const { by, brief } = event;
  if (by.who !== 'user') return refused('source', `Only a person may start planning; ${speakerName(by)} cannot.`);
  const plan = planFile(event.plan);
  if (plan === undefined) return refused('bad-name', whyNoPlanName(event.plan) ?? 'That is not a valid plan name.');
  if (brief.trim() === '') return refused('no-body', 'The brief is empty. Say what is to be built, and why.');
  const known = world.plans.get(plan);
  if (known?.archived !== undefined) return refusedFor('already-known', archivedPlan(known));
  if (known?.workshop !== undefined) return alreadyOpen(known);
  const records: JournalRecord[] = [];
  const after = (): World => fold(world, records);
  if (known === undefined)
    records.push(registration({ world, now, by }, { plan, description: firstLine(brief), topic: '' }));
  if (after().plans.get(plan)?.status !== 'planning') {
    const started = movePlan(after(), { plan, event: 'plan_start', by }, now);
    if (started.kind !== 'accepted') return started;
    records.push(...started.records);
  }
  return accepted(...records, opening(after(), { ...event, plan }, now));
}

function alreadyOpen({ plan, status, workshop }: PlanEntry): Decision {
  const where =
    status === 'planning' ? `is already in a workshop (${workshop?.state})` : `was made in a workshop and is ${status}`;
  return refused(
    'already-known',
    `${plan} ${where}. To plan it again, redo its planning.`,
    suggest('plan-redo', slugOf(plan)),
  );
}

function opening(
  world: World,
  { plan, brief, from, by }: Opening & { readonly plan: PlanEntry['plan'] },
  now: Date,
): JournalRecord {
  const ts = now.toISOString();
  return record(
    { world, now, by },
    { event: 'workshop_opened', plan },
    {
      changes: [
        {
          of: 'workshop',
          plan,
          change: { brief, from },
          says: [{ ts, round: 0, ...actorOf(by), phase: 'draft', kind: 'brief', content: brief }],
        },
      ],
    },
  );
}

function firstLine(brief: string): string {
  const line =
    brief
      .trim()
      .split('\n')[0]
      ?.replace(/^#+\s*/, '')
      .trim() ?? '';
  return line.length <= 120 ? line : `${line.slice(0, 119)}…`;
}
