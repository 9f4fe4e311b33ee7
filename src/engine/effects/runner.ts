// Effects on their way. What is done in a moment is done within the round; what may take long goes on beside it, one after
// the other for each place, so that a stubborn program holds nobody up.
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
  readonly #rouse: () => void;
  readonly #turns = new KeyedQueue();
  readonly #underWay = new Map<string, Promise<void>>();
  /** Why effects that went on beside the rounds could not be done, until they are. */
  readonly #failures = new Map<string, string>();
  #defect: { readonly error: unknown } | undefined;

  /** `rouse` is called when something that took its time has been done. */
  constructor(ports: RunnerPorts, rouse: () => void) {
    this.#ports = ports;
    this.#rouse = rouse;
  }

  /**
   * Does, or begins, what is in the outbox and wanted; returns what stands in the way of some. One effect that cannot be
   * performed now keeps nobody from the others: it stays in the outbox.
   */
  async take(world: World, isWanted: (effect: Effect) => boolean): Promise<readonly string[]> {
    const done: Event[] = [];
    const failures: string[] = [];
    const own = [...world.outbox.values()].filter((effect) => isOn(this.#ports.machine, effect));
    const wanted = own.filter(isWanted);
    for (const effect of wanted.filter((one) => !tidiesUp(one))) {
      const place = placeOf(world, effect);
      if (place !== undefined) {
        this.#begin(place, effect);
        continue;
      }
      try {
        done.push(...(await perform(this.#ports, world, effect)), { kind: 'effect-done', effect: effect.id });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        failures.push(error.message);
      }
    }
    // Nobody waits for a worktree to go, but the next task waits for its own.
    const before = [...this.#underWay.values()];
    for (const effect of wanted.filter(tidiesUp)) this.#begin(placeOf(world, effect) ?? effect.id, effect, before);
    if (done.length > 0) await this.#ports.gateway.submit(done, 'then');
    for (const id of this.#failures.keys()) if (!world.outbox.has(id)) this.#failures.delete(id);
    // What a run waits for has been told to it.
    const untold = [...this.#failures].filter(([id]) => !isAwaited(world.outbox.get(id)));
    return [...failures, ...untold.map(([, why]) => why)];
  }

  /** Something that is no effect, in its turn for the place. */
  enqueue(place: string, name: string, work: () => Promise<void>): void {
    if (this.#underWay.has(name)) return;
    const ended = this.#turns
      .run(place, work)
      .catch((error) => {
        if (error instanceof Failure) this.#failures.set(name, error.message);
        else this.#defect = { error };
      })
      .finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, ended);
  }

  /** Returns when nothing is under way. An error that is no failure of the world is thrown here, and ends the engine. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
    this.check();
  }

  check(): void {
    if (this.#defect !== undefined) throw this.#defect.error;
  }

  #begin(place: string, effect: Effect, before: readonly Promise<void>[] = []): void {
    const { gateway } = this.#ports;
    this.enqueue(place, effect.id, async () => {
      await Promise.all(before);
      // What was decided while it waited for its turn counts.
      const world = await gateway.confirmed();
      if (!world.outbox.has(effect.id)) return;
      const caused = await perform(this.#ports, world, effect).catch((error) => this.#holdUp(effect, error));
      await gateway.submit([...caused, { kind: 'effect-done', effect: effect.id }], 'then');
      this.#failures.delete(effect.id);
      this.#rouse();
    });
  }

  /** The person sees what is in the way where they look at the task, and not only in the engine's log. */
  async #holdUp(effect: Effect, error: unknown): Promise<never> {
    if (isAwaited(effect) && error instanceof Failure && error.code !== ENGINE_STOPS) {
      const needsPerson = error.kind === 'person' || error.kind === 'environment';
      const { message: why } = error;
      await this.#ports.gateway.submit([{ kind: 'held-up', effect: effect.id, why, needsPerson }], 'then');
    }
    throw error;
  }
}

/** What belongs to another machine stays in the outbox for the engine there. */
function isOn(machine: MachineId, effect: Effect): boolean {
  return machineOf('machine' in effect ? effect : {}) === machine;
}

/** Whether a run waits for it, and is told why it cannot have it. */
function isAwaited(effect: Effect | undefined): boolean {
  return effect?.do === 'worktree' || effect?.do === 'verify' || effect?.do === 'merge';
}

/** Whether cadre itself has begun what the effect is about, for a plan that it works on. */
export function isOfRun(world: World, effect: Effect): boolean {
  if ('plan' in effect) return true;
  if (!('session' in effect)) return false;
  const entry = world.sessions.get(effect.session);
  return entry?.attempt !== undefined || entry?.reviews === true;
}

function tidiesUp(effect: Effect): boolean {
  return effect.do === 'keep' && effect.worktree === 'remove';
}

/** Where the effect takes its time; nothing for one that takes none. */
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
