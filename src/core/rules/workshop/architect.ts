// Rules for the architect's review of a workshop's plan: an approval publishes the plan, anything else is advice to a person.
import { slugOf } from '../../../plan/name.ts';
import { type Decision, refused } from '../../model/decision.ts';
import type { Signal } from '../../model/event.ts';
import type { SessionEntry } from '../../model/session.ts';
import { planReviewer } from '../../model/workshop/status.ts';
import type { World } from '../../model/world.ts';
import { recordWorkshop, says, type WorkshopContext } from './context.ts';
import { isEditedByOthers, publish } from './publish.ts';
import { heardIn } from './round.ts';

export function decideArchitectSignal(world: World, signal: Signal, speaker: SessionEntry, now: Date): Decision {
  const context = heardIn(world, signal, speaker, now);
  if ('records' in context) return context;
  const { plan, workshop } = context.entry;
  if (planReviewer(world, context.entry) !== 'architect')
    return refused(
      'state',
      `The plan of ${plan} is for a person to review; its workshop is in the state "${workshop.state}".`,
    );
  return signal.name === 'review-approved' ? approve(context, signal) : advise(context, signal.body);
}

/** What somebody edited meanwhile is a person's to replace. */
function approve(context: WorkshopContext, { existing }: Signal): Decision {
  const { plan } = context.entry;
  if (existing === undefined)
    return refused('not-looked', `docs/plans/${plan} could not be read, so the plan was not approved. Try again.`);
  return isEditedByOthers(context, existing)
    ? advise(
        context,
        `The plan is good as it is. docs/plans/${plan} was edited, so a person decides whether it is replaced.`,
      )
    : publish(context, existing);
}

/** The person is asked; redoing the planning is never the architect's decision. */
function advise(context: WorkshopContext, text: string): Decision {
  const { plan } = context.entry;
  if (text.trim() === '') return refused('no-body', 'Say what has to change in the plan.');
  return recordWorkshop(context, {
    name: 'plan_advised',
    change: { advice: { text: text.trim(), at: context.now.toISOString() }, session: null },
    says: [says(context, 'advice', text.trim())],
    effects: [{ do: 'tell', text: `The architect asks for changes in the plan of ${slugOf(plan)}: you decide.` }],
  });
}
