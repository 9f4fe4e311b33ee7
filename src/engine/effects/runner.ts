// Performs the effects in the outbox. Quick ones are done within the round. Slow ones run in the background, one after
// another for each place, so that a program that hangs holds up no other place.
import type { Effect } from '../../core/model/effect.ts';
import type { Event } from '../../core/model/event.ts';
import { Failure } from '../../core/model/failure.ts';
import { type MachineId, machineOf } from '../../core/model/ids.ts';
import { KeyedQueue } from '../../core/model/keyed-queue.ts';
import type { World } from '../../core/model/world.ts';
import type { Gateway } from '../../core/ports/gateway.ts';
import { type EffectPorts, perform } from './perform.ts';
import { ENGINE_STOPS } from './ports.ts';

export interface RunnerPorts extends EffectPorts {
  readonly gateway: Gateway;
  /** The machine that the engine runs on. */
  readonly machine: MachineId;
}

export class EffectRunner {
  readonly #ports: RunnerPorts;
  readonly #wake: () => void;
  readonly #queue = new KeyedQueue();
  readonly #running = new Map<string, Promise<void>>();
  /** Why background effects failed, until they succeed. */
  readonly #failures = new Map<string, string>();
  #defect: { readonly error: unknown } | undefined;

  /** `wake` is called when a background effect is done. */
  constructor(ports: RunnerPorts, wake: () => void) {
    this.#ports = ports;
    this.#wake = wake;
  }

  /**
   * Performs or starts the wanted effects in the outbox, and returns why some failed. A failed effect stays in the outbox
   * and does not hold up the others.
   */
  async take(world: World, isWanted: (effect: Effect) => boolean): Promise<readonly string[]> {
    const done: Event[] = [];
    const failures: string[] = [];
    const own = [...world.outbox.values()].filter((effect) => isOn(this.#ports.machine, effect));
    const wanted = own.filter(isWanted);
    for (const effect of wanted.filter((one) => !isCleanup(one))) {
      const place = placeOf(world, effect);
      if (place !== undefined) {
        this.#start(place, effect);
        continue;
      }
      try {
        done.push(...(await perform(this.#ports, world, effect)), { kind: 'effect-done', effect: effect.id });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        failures.push(error.message);
      }
    }
    // Nothing waits for the removal of a worktree, but the next task waits for its own worktree.
    const before = [...this.#running.values()];
    for (const effect of wanted.filter(isCleanup)) this.#start(placeOf(world, effect) ?? effect.id, effect, before);
    if (done.length > 0) await this.#ports.gateway.submit(done, 'then');
    for (const id of this.#failures.keys()) if (!world.outbox.has(id)) this.#failures.delete(id);
    // Runs already know why the effects that they wait for failed.
    const unreported = [...this.#failures].filter(([id]) => !isAwaited(world.outbox.get(id)));
    return [...failures, ...unreported.map(([, why]) => why)];
  }

  /** Queues work that is not an effect for the place. */
  enqueue(place: string, name: string, work: () => Promise<void>): void {
    if (this.#running.has(name)) return;
    const finished = this.#queue
      .run(place, work)
      .catch((error) => {
        if (error instanceof Failure) this.#failures.set(name, error.message);
        else this.#defect = { error };
      })
      .finally(() => this.#running.delete(name));
    this.#running.set(name, finished);
  }

  /** Waits until nothing is running. Throws an error that is not a Failure, which ends the engine. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
    this.check();
  }

  check(): void {
    if (this.#defect !== undefined) throw this.#defect.error;
  }

  #start(place: string, effect: Effect, before: readonly Promise<void>[] = []): void {
    const { gateway } = this.#ports;
    this.enqueue(place, effect.id, async () => {
      await Promise.all(before);
      // Something may have been decided while it was queued.
      const world = await gateway.confirmed();
      if (!world.outbox.has(effect.id)) return;
      const caused = await perform(this.#ports, world, effect).catch((error) => this.#holdUp(effect, error));
      await gateway.submit([...caused, { kind: 'effect-done', effect: effect.id }], 'then');
      this.#failures.delete(effect.id);
      this.#wake();
    });
  }

  /** Records why the effect failed, so that the person sees it at the task and not only in the engine's log. */
  async #holdUp(effect: Effect, error: unknown): Promise<never> {
    if (isAwaited(effect) && error instanceof Failure && error.code !== ENGINE_STOPS) {
      const needsPerson = error.kind === 'person' || error.kind === 'environment';
      const { message: why } = error;
      await this.#ports.gateway.submit([{ kind: 'held-up', effect: effect.id, why, needsPerson }], 'then');
    }
    throw error;
  }
}

/** The effects of another machine stay in the outbox for the engine there. */
function isOn(machine: MachineId, effect: Effect): boolean {
  return machineOf('machine' in effect ? effect : {}) === machine;
}

/** Whether a run waits for the effect, and is told why it fails. */
function isAwaited(effect: Effect | undefined): boolean {
  return effect?.do === 'worktree' || effect?.do === 'verify' || effect?.do === 'merge';
}

/** Whether the effect belongs to a managed plan, rather than to a session that a person started. */
export function isOfRun(world: World, effect: Effect): boolean {
  if ('plan' in effect) return true;
  if (!('session' in effect)) return false;
  const entry = world.sessions.get(effect.session);
  return entry?.attempt !== undefined || entry?.reviews === true;
}

function isCleanup(effect: Effect): boolean {
  return effect.do === 'keep' && effect.worktree === 'remove';
}

/** The place whose queue the effect belongs to, or undefined for a quick one. */
function placeOf(world: World, effect: Effect): string | undefined {
  switch (effect.do) {
    case 'start-session':
    case 'stop-session':
    case 'pause-session':
    case 'send-to-session':
    case 'nudge':
      return world.sessions.get(effect.session)?.place ?? effect.session;
    case 'worktree':
    case 'verify':
    case 'merge':
    case 'keep':
    case 'undo':
      return effect.place;
    case 'land':
    case 'renew-branch':
      return effect.plan;
    default:
      return undefined;
  }
}
