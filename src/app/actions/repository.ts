// Actions on the repository as a whole: freeze and thaw, quarantine, the engine, the settings.
import type { Event } from '../../core/model/event.ts';
import { suggest } from '../../core/model/suggestion.ts';
import { isBuilding } from '../../core/model/tasks.ts';
import { guardedBy } from '../../core/settings/settings.ts';
import { changeWords } from '../../core/views/proposed.ts';
import type { AppPorts } from '../ports.ts';
import { type ActionRow, type Done, type Performed, type Request, refuse } from './action.ts';
import { refusal, submit } from './submit.ts';

type RepositoryAction =
  | 'freeze'
  | 'thaw'
  | 'quarantine-retry'
  | 'quarantine-drop'
  | 'quarantine-drop-all'
  | 'engine-start'
  | 'engine-stop'
  | 'config-set'
  | 'config-accept'
  | 'use-journal';

export const REPOSITORY_ACTIONS: { readonly [name in RepositoryAction]: ActionRow<name> } = {
  freeze: {
    subject: 'repository',
    help: 'Start nothing new in this repository; running work continues',
    confirm: null,
    personOnly: true,
    perform: ({ ports }) => setFrozen(ports, 'freeze'),
  },
  thaw: {
    subject: 'repository',
    help: 'Continue after a freeze',
    confirm: null,
    personOnly: true,
    perform: ({ ports }) => setFrozen(ports, 'thaw'),
  },
  'quarantine-retry': {
    subject: 'refused signal',
    help: 'Put a refused signal back, to be processed as if it were sent now',
    confirm: null,
    personOnly: false,
    perform: ({ ports, on }) => settleRefused(ports, on, 'quarantine-retry'),
  },
  'quarantine-drop': {
    subject: 'refused signal',
    help: 'Delete a refused signal',
    confirm: 'Delete the refused signal?',
    personOnly: false,
    perform: ({ ports, on }) => settleRefused(ports, on, 'quarantine-drop'),
  },
  'quarantine-drop-all': {
    subject: 'repository',
    help: 'Delete every refused signal',
    confirm: 'Delete all refused signals?',
    personOnly: false,
    perform: ({ ports }) => dropAll(ports),
  },
  'engine-start': {
    subject: 'repository',
    help: 'Start the engine in the background',
    confirm: null,
    personOnly: true,
    perform: ({ ports }) => startEngine(ports),
  },
  'engine-stop': {
    subject: 'repository',
    help: 'Stop the engine; agents keep running, and their signals wait',
    confirm: null,
    personOnly: true,
    perform: ({ ports }) => stopEngine(ports),
  },
  'config-set': {
    subject: 'repository',
    help: 'Change a setting, for all projects or for this one',
    confirm: null,
    personOnly: true,
    perform: setSetting,
  },
  'config-accept': {
    subject: 'repository',
    help: 'Apply settings that changed while a plan was being built',
    confirm: 'Apply the changed settings?',
    personOnly: true,
    perform: ({ ports }) => acceptSettings(ports),
  },
  'use-journal': {
    subject: 'repository',
    help: 'Rebuild plan-state.json from the journal; an unreadable one is kept beside it',
    confirm: 'Replace plan-state.json?',
    personOnly: true,
    perform: ({ ports }) => rebuildPlanState(ports),
  },
};

async function setFrozen(ports: AppPorts, kind: 'freeze' | 'thaw'): Promise<Performed> {
  const submitted = await submit(ports, { kind, by: ports.by });
  if (submitted.kind === 'refused') return submitted;
  const { record = null, notes } = submitted;
  return done(ports, { changed: submitted.kind === 'accepted', record, notes });
}

/** The engine does the rest, as with every effect. */
async function settleRefused(
  ports: AppPorts,
  id: string | undefined,
  kind: 'quarantine-retry' | 'quarantine-drop',
): Promise<Performed> {
  if (id === undefined)
    return refuse('no-id', 'Which refused signal? Name it by its id.', { try: [suggest('quarantine')] });
  const submitted = await submit(ports, { kind, id, by: ports.by });
  if (submitted.kind === 'refused') return submitted;
  return done(ports, { record: submitted.record ?? null, notes: submitted.notes, ids: [id] });
}

/** For when an agent has sent the same thing a hundred times. */
async function dropAll(ports: AppPorts): Promise<Performed> {
  const ids = [...(await ports.gateway.look()).refused.keys()];
  const events: readonly Event[] = ids.map((id) => ({ kind: 'quarantine-drop', id, by: ports.by }));
  const { answers, notes } = await ports.gateway.submit(events);
  const no = answers.find((answer) => answer.kind === 'refused' && answer.code !== 'unknown-quarantine');
  return no?.kind === 'refused' ? refusal(no, notes) : done(ports, { changed: ids.length > 0, notes, ids });
}

async function startEngine(ports: AppPorts): Promise<Performed> {
  const before = ports.engine.holder();
  const engine = await ports.engine.start({ headless: false });
  return done(ports, { changed: before === undefined, engine });
}

async function stopEngine(ports: AppPorts): Promise<Performed> {
  const stopped = (await ports.engine.stop()) ?? null;
  return done(ports, { changed: stopped !== null, engine: stopped });
}

async function setSetting({ ports, input }: Request<'config-set'>): Promise<Performed> {
  const { key, value, place } = input;
  const outcome = await ports.config.set(place, key, value);
  if (outcome.kind === 'refused') return refuse(outcome.code, outcome.why, { try: outcome.try });
  const { path, value: set } = outcome;
  if (input.waits) return done(ports, { setting: { path, value: set, waits: await mustBeAccepted(ports, key) } });
  const notes = await applySetting(ports, key);
  return done(ports, { setting: { path, value: set, waits: false }, notes });
}

async function mustBeAccepted(ports: AppPorts, key: string): Promise<boolean> {
  return guardedBy(key).length > 0 && isBuilding(await ports.gateway.look());
}

/** What a person sets needs no further word; other changes of the files do. */
async function applySetting(ports: AppPorts, key: string): Promise<readonly string[]> {
  const world = await ports.gateway.look();
  if (!isBuilding(world) && world.proposed === undefined) return [];
  const { policy } = await ports.preflight({ headless: false });
  return (await ports.gateway.submit([{ kind: 'policy', policy, granted: guardedBy(key) }])).notes;
}

async function acceptSettings(ports: AppPorts): Promise<Performed> {
  const before = await ports.gateway.look();
  const submitted = await submit(ports, { kind: 'accept-settings', by: ports.by });
  if (submitted.kind === 'refused') return submitted;
  const { record = null, notes } = submitted;
  return done(ports, { record, notes, accepted: changeWords(before.policy, before.proposed ?? {}) });
}

async function rebuildPlanState(ports: AppPorts): Promise<Performed> {
  const kept = await ports.gateway.rebuildPlanState();
  return done(ports, kept === undefined ? {} : { kept });
}

async function done(ports: AppPorts, more: Partial<Done>): Promise<Done> {
  return {
    kind: 'done',
    changed: true,
    record: null,
    world: await ports.gateway.look(),
    engine: ports.engine.holder() ?? null,
    notes: [],
    ...more,
  };
}
