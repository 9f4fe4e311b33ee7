// Rules for the end of a workshop: its plan is approved, by a person or by the architect, and becomes the plan file.
import { slugOf } from '../../../plan/name.ts';
import { projectPlan } from '../../../workshop/project-plan.ts';
import { accepted, BY_ENGINE, type Decision, refused } from '../../model/decision.ts';
import { numbered, type UnnumberedEffect } from '../../model/effect.ts';
import type { EventOfKind } from '../../model/event.ts';
import { suggest } from '../../model/suggestion.ts';
import type { World } from '../../model/world.ts';
import { movePlan } from '../plan/move.ts';
import { says, type WorkshopContext } from './context.ts';
import { workshopOf } from './decide.ts';

export function approveWorkshop(world: World, event: EventOfKind<'workshop-approve'>, now: Date): Decision {
  const context = workshopOf(world, event, now);
  if ('records' in context) return context;
  const { plan, workshop } = context.entry;
  if (workshop.state !== 'review_ready' || workshop.document === null)
    return refused(
      'state',
      `${plan} cannot be approved: its workshop is in the state "${workshop.state}".`,
      suggest('why', slugOf(plan)),
    );
  if (isEditedByOthers(context, event.existing) && !event.replace)
    return refused(
      'edited',
      `docs/plans/${plan} was not written by this workshop, or was edited since, and the approved plan would replace it.`,
      suggest('plan-approve', slugOf(plan), 'replace'),
    );
  return publish(context, event.existing);
}

/** Whether the plan file has a text that this workshop did not write. */
export function isEditedByOthers({ entry: { workshop } }: WorkshopContext, existing: string | null): boolean {
  return existing !== null && existing !== workshop.published && existing !== textOf(workshop.document);
}

/** One record: the plan is ready, and its file is written. */
export function publish(context: WorkshopContext, existing: string | null): Decision {
  const { world, now, by, entry, signal } = context;
  const { plan, workshop } = entry;
  // An agent does not end planning; cadre does, because of what the architect said.
  const mover = by.who === 'user' ? by : BY_ENGINE;
  const moved = movePlan(world, { plan, event: 'planner_finished', by: mover }, now, signal);
  const [line] = moved.records;
  if (moved.kind !== 'accepted' || line === undefined) return moved;
  // Anything but what was published before is somebody's work, and is kept although the person has it replaced.
  const replaces = existing === workshop.published ? existing : null;
  const effects: readonly UnnumberedEffect[] = [
    { do: 'publish-plan', plan, replaces },
    ...(line.effects ?? []).map(({ id: _id, ...effect }) => effect as UnnumberedEffect),
  ];
  return accepted({
    ...line,
    ...(by.who === 'agent' ? { by: 'agent', role: by.role, session: by.session ?? by.role } : {}),
    changes: [
      ...(line.changes ?? []),
      {
        of: 'workshop',
        plan,
        change: { published: textOf(workshop.document), session: null },
        says: [says(context, 'approval', `Approved and published as docs/plans/${plan}.`)],
      },
    ],
    effects: numbered(line.seq, effects),
  });
}

function textOf(document: WorkshopContext['entry']['workshop']['document']): string | null {
  return document === null ? null : projectPlan(document);
}
