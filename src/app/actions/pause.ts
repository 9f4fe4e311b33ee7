// Pausing and resuming a plan or the whole repository. A pause is complete when no agent runs and no branch moves.
import type { SessionId } from '../../core/model/ids.ts';
import { isMoving, isPaused } from '../../core/model/stops.ts';
import type { World } from '../../core/model/world.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { AppPorts } from '../ports.ts';
import { planNamed } from '../targets.ts';
import type { ActionRow, Done, Performed, Refused, Request } from './action.ts';
import { type Submitted, submit } from './submit.ts';

export const PAUSE_ACTIONS: { readonly [name in 'pause' | 'resume']: ActionRow<name> } = {
  pause: {
    subject: 'repository or plan',
    help: 'Stop the agents of a plan, or of all plans; their work and turns are kept',
    confirm: null,
    personOnly: true,
    perform: pause,
  },
  resume: {
    subject: 'repository or plan',
    help: 'Continue after a pause',
    confirm: null,
    personOnly: true,
    perform: resume,
  },
};

async function pause({ ports, on }: Request<'pause'>): Promise<Performed> {
  const plan = await planOf(ports, on);
  const submitted = await submit(ports, { kind: 'pause', by: ports.by, ...(plan === undefined ? {} : { plan }) });
  if (submitted.kind === 'refused') return submitted;
  const world = await ports.gateway.look();
  const stopping = beingStopped(world);
  const pending = [...stopping.keys(), ...moves(world)];
  const warnings: string[] = [];
  const notify = { tell: (text: string) => warnings.push(text), warn: (text: string) => warnings.push(text) };
  if (pending.length > 0) await ports.engine.perform(pending, notify);
  const notes = [...submitted.notes, ...warnings];
  const stopped = [...stopping.values()].filter((id) => world.sessions.get(id)?.followedBy === undefined);
  return { ...(await after(ports, plan)), ...changeOf(submitted), stopped, notes };
}

/** Starts the engine where there is something for it to continue. */
async function resume({ ports, on }: Request<'resume'>): Promise<Performed> {
  const plan = await planOf(ports, on);
  const submitted = await submit(ports, {
    kind: 'resume',
    by: ports.by,
    ...(plan === undefined ? {} : { plan }),
  });
  if (submitted.kind === 'refused') return submitted;
  const { outbox } = await ports.gateway.look();
  if (submitted.kind === 'accepted' && outbox.size > 0) await ports.engine.start({ headless: false });
  return { ...(await after(ports, plan)), ...changeOf(submitted), notes: submitted.notes };
}

async function planOf(ports: AppPorts, on: string | undefined): Promise<PlanFile | undefined> {
  return on === undefined ? undefined : planNamed(await ports.gateway.look(), on).plan;
}

/** Of paused plans: the effects that stop an agent, with the agents. */
function beingStopped(world: World): ReadonlyMap<string, SessionId> {
  const stopping = new Map<string, SessionId>();
  for (const effect of world.outbox.values()) {
    if (effect.do !== 'stop-session') continue;
    const plan = world.sessions.get(effect.session)?.plan;
    const entry = plan === undefined ? undefined : world.plans.get(plan);
    if (entry !== undefined && isPaused(world, entry)) stopping.set(effect.id, effect.session);
  }
  return stopping;
}

/** Of paused plans: the merges and landings whose branch was about to move when the pause was recorded. */
function moves(world: World): readonly string[] {
  return [...world.outbox.values()].flatMap((effect) => {
    if (effect.do !== 'merge' && effect.do !== 'land') return [];
    const entry = world.plans.get(effect.plan);
    if (entry === undefined || !isPaused(world, entry) || !isMoving(entry, effect.id)) return [];
    const isHeldUp = entry.tasks.some(
      ({ run }) => run?.issued?.effect === effect.id && run.issued.heldUp !== undefined,
    );
    return isHeldUp ? [] : [effect.id];
  });
}

async function after(
  ports: AppPorts,
  plan: PlanFile | undefined,
): Promise<Pick<Done, 'kind' | 'world' | 'plan' | 'engine'>> {
  const world = await ports.gateway.look();
  const entry = plan === undefined ? undefined : world.plans.get(plan);
  const engine = ports.engine.holder() ?? null;
  return { kind: 'done', world, engine, ...(entry === undefined ? {} : { plan: entry }) };
}

function changeOf({ kind, record }: Exclude<Submitted, Refused>): Pick<Done, 'changed' | 'record'> {
  return { changed: kind === 'accepted', record: record ?? null };
}
