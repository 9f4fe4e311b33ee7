// Actions on the archive of plans.
import type { Event } from '../../core/model/event.ts';
import type { AppPorts } from '../ports.ts';
import { planNamed } from '../targets.ts';
import type { ActionRow, Performed } from './action.ts';
import { submit } from './submit.ts';

export const ARCHIVE_ACTIONS: {
  readonly [name in 'plan-archive' | 'plan-unarchive']: ActionRow<name>;
} = {
  'plan-archive': {
    subject: 'plan',
    help: 'Retire a plan that is done or cancelled, with its file and transcript',
    confirm: null,
    personOnly: true,
    perform: async ({ ports, on }) => {
      const { plan } = planNamed(await ports.gateway.look(), on ?? '');
      return moveFiles(ports, { kind: 'archive', plan, by: ports.by });
    },
  },
  'plan-unarchive': {
    subject: 'plan',
    help: 'Bring an archived plan back to docs/plans',
    confirm: null,
    personOnly: true,
    perform: async ({ ports, on }) => {
      const { plan } = planNamed(await ports.gateway.look(), on ?? '');
      const planFileExists = ports.repository.planFileExists(plan);
      return moveFiles(ports, { kind: 'unarchive', plan, by: ports.by, planFileExists });
    },
  },
};

/** The files are where they belong when this returns. */
async function moveFiles(
  ports: AppPorts,
  event: Extract<Event, { kind: 'archive' | 'unarchive' }>,
): Promise<Performed> {
  const submitted = await submit(ports, event);
  if (submitted.kind === 'refused') return submitted;
  const { record, notes } = submitted;
  const warnings: string[] = [];
  const notify = { tell: () => undefined, warn: (text: string) => void warnings.push(text) };
  await ports.engine.perform(
    (record?.effects ?? []).map(({ id }) => id),
    notify,
  );
  const world = await ports.gateway.look();
  const plan = world.plans.get(event.plan);
  if (plan === undefined || record === undefined) throw new Error(`"${event.kind}" of ${event.plan} left no record.`);
  const engine = ports.engine.holder() ?? null;
  return { kind: 'done', changed: true, record, world, plan, engine, notes: [...notes, ...warnings] };
}
