// Rules for the archive: a plan that is over is retired with its file and its transcript, and can be brought back.
import { planMachine } from '../../../machines/plan.ts';
import { slugOf } from '../../../plan/name.ts';
import { ARCHIVE_FOLDER } from '../../files/planning-folder.ts';
import { accepted, type Decision, record, refused, refusedFor } from '../../model/decision.ts';
import { numbered } from '../../model/effect.ts';
import type { EventOfKind } from '../../model/event.ts';
import { hasNotLanded } from '../../model/plan-owner.ts';
import { personsDecision, unknownPlan } from '../../model/refusals.ts';
import { suggest } from '../../model/suggestion.ts';
import type { PlanEntry, World } from '../../model/world.ts';

export function archivePlan(world: World, event: EventOfKind<'archive'>, now: Date): Decision {
  const { plan, by } = event;
  if (by.who !== 'user') return refused('user-only', personsDecision('archive', by));
  const entry = world.plans.get(plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(plan));
  const no = whyNotArchived(world, entry);
  if (no !== undefined) return no;
  const effects = numbered(world.seq + 1, [{ do: 'archive-plan', plan }]);
  return accepted(record({ world, now, by }, { event: 'archived', plan }, { effects }));
}

function whyNotArchived(world: World, entry: PlanEntry): Decision | undefined {
  const { plan, status, archived } = entry;
  const slug = slugOf(plan);
  if (archived !== undefined) return refused('state', `${plan} is already archived.`, suggest('plan-unarchive', slug));
  if (slug === ARCHIVE_FOLDER)
    return refused('bad-name', `${plan} cannot be archived: its folder is the archive itself.`);
  if (!planMachine.final.includes(status))
    return refused(
      'state',
      `${plan} is ${status}; only a plan that is done or cancelled can be archived.`,
      suggest('cancel', slug),
      suggest('why', slug),
    );
  if (status === 'done' && hasNotLanded(entry))
    return refused(
      'state',
      `${plan} is done but has not landed: land it, or cancel it.`,
      suggest('land', slug),
      suggest('cancel', slug),
    );
  const isBusy =
    entry.work?.lands === true || [...world.outbox.values()].some((effect) => 'plan' in effect && effect.plan === plan);
  return isBusy
    ? refused('state', `${plan} is ${status}, but something is still to be done for it.`, suggest('engine-start'))
    : undefined;
}

export function unarchivePlan(world: World, event: EventOfKind<'unarchive'>, now: Date): Decision {
  const { plan, by } = event;
  if (by.who !== 'user') return refused('user-only', personsDecision('unarchive', by));
  const entry = world.plans.get(plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(plan));
  if (entry.archived === undefined) return refused('state', `${plan} is not archived; it is ${entry.status}.`);
  if (event.planFileExists)
    return refused(
      'edited',
      `docs/plans/${plan} exists, and the archived plan would replace it. Rename or remove the file first.`,
    );
  const effects = numbered(world.seq + 1, [{ do: 'unarchive-plan', plan }]);
  return accepted(record({ world, now, by }, { event: 'unarchived', plan }, { effects }));
}
