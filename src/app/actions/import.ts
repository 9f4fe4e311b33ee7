// The action that makes a plan out of a file of another tool.
import { planExists, readImport } from '../reads/plan-import.ts';
import type { ActionRow, Performed, Request } from './action.ts';

export const IMPORT_ACTIONS: { readonly 'plan-import': ActionRow<'plan-import'> } = {
  'plan-import': {
    subject: 'repository',
    help: 'Make a plan out of the task file of another tool',
    confirm: null,
    personOnly: false,
    perform: importFile,
  },
};

async function importFile({ ports, on, input }: Request<'plan-import'>): Promise<Performed> {
  const imported = await readImport(ports, on ?? '', input);
  if (imported.kind === 'refused') return imported;
  const { plan, text, from } = imported;
  if (!ports.repository.createPlan(plan, text)) return planExists(ports, plan, from);
  return {
    kind: 'done',
    changed: true,
    record: null,
    world: await ports.gateway.look(),
    imported,
    engine: ports.engine.holder() ?? null,
    notes: [],
  };
}
