// Runs the effects in the outbox. Quick ones are done within the round. Slow ones run in the background, one at a time per
// place, so that a program that is slow to stop blocks only its own place.
import type { Effect } from '../../core/model/effect.ts';
import type { Event } from '../../core/model/event.ts';
import { asFailure, Failure } from '../../core/model/failure.ts';
import { type MachineId, machineOf } from '../../core/model/ids.ts';
import { KeyedQueue } from '../../core/model/keyed-queue.ts';
import { isManaged } from '../../core/model/session.ts';
import { isMoving } from '../../core/model/stops.ts';
import type { World } from '../../core/model/world.ts';
import type { Gateway } from '../../core/ports/gateway.ts';
import { type EffectPorts, performEffect } from './perform.ts';
import { isCutShort, type Warning } from './ports.ts';

export interface RunnerPorts extends EffectPorts {
  readonly gateway: Gateway;
  /** The machine that the engine runs on. */
  readonly machine: MachineId;
  /** Shows a warning to the person whose command waits for the effect. Everyone else reads it in the journal. */
  showWarning?(text: string): void;
}

export class EffectRunner {
  readonly #ports: RunnerPorts;
  readonly #onDone: () => void;
  readonly #queue = new KeyedQueue();
  readonly #running = new Map<string, Promise<void>>();
  /** Why background work failed last, until it succeeds. */
  readonly #failures = new Map<string, Failure>();
  /** The warnings of effects that failed, which are recorded before the effect is retried. */
  readonly #warned = new Map<string, ReadonlySet<string>>();
  #defect: { readonly error: unknown } | undefined;

  /** Calls `onDone` when an effect in the background is done. */
  constructor(ports: RunnerPorts, onDone: () => void) {
    this.#ports = ports;
    this.#onDone = onDone;
  }

  /**
   * Does or starts every pending effect that is wanted. Returns why some could not be done: these stay in the outbox, and
   * do not stop the others.
   */
  async run(world: World, isWanted: (effect: Effect) => boolean): Promise<readonly string[]> {
    const own = [...world.outbox.values()].filter((effect) => isOn(this.#ports.machine, effect));
    const wanted = own.filter(isWanted);
    const failures = await this.#runNow(
      world,
      wanted.filter((effect) => !isCleanup(effect)),
    );
    // Nothing waits for a worktree to be removed, but the next task waits for its own.
    const before = [...this.#running.values()];
    for (const effect of wanted.filter(isCleanup)) this.#start(placeOf(world, effect) ?? effect.id, effect, before);
    for (const id of this.#failures.keys()) if (!world.outbox.has(id)) this.#failures.delete(id);
    // Runs that wait for an effect already have its result.
    const unreported = [...this.#failures].filter(([id]) => !isAwaited(world.outbox.get(id)));
    return [...failures, ...unreported.map(([, { message }]) => message)];
  }

  async #runNow(world: World, effects: readonly Effect[]): Promise<readonly string[]> {
    const done: Event[] = [];
    const failures: string[] = [];
    for (const effect of inOrder(effects)) {
      const place = placeOf(world, effect);
      if (place !== undefined) {
        this.#start(place, effect);
        continue;
      }
      try {
        done.push(...(await this.#perform(world, effect)), { kind: 'effect-done', effect: effect.id });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        failures.push(error.message);
      }
    }
    if (done.length > 0) await this.#ports.gateway.submit(done, 'then');
    return failures;
  }

  /** Runs other work in the place's queue. Does nothing if work of this name is running or waiting. */
  enqueue(place: string, name: string, work: () => Promise<void>): void {
    if (this.#running.has(name)) return;
    const ended = this.#queue
      .run(place, work)
      .catch((thrown) => {
        const error = asFailure(thrown);
        if (error instanceof Failure) this.#failures.set(name, error);
        else this.#defect = { error };
      })
      .finally(() => this.#running.delete(name));
    this.#running.set(name, ended);
  }

  /** Why one of these effects cannot be done before a person has done something, if that is so. */
  blocked(effects: readonly string[]): string | undefined {
    const failures = effects.flatMap((effect) => this.#failures.get(effect) ?? []);
    return failures.find(({ kind }) => kind === 'person')?.message;
  }

  /** Resolves when nothing is running. Rejects with an error that is not a Failure, which ends the engine. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
    this.throwDefect();
  }

  throwDefect(): void {
    if (this.#defect !== undefined) throw this.#defect.error;
  }

  #start(place: string, effect: Effect, before: readonly Promise<void>[] = []): void {
    const { gateway } = this.#ports;
    this.enqueue(place, effect.id, async () => {
      await Promise.all(before);
      // Another decision may have been made while the effect waited in the queue.
      const world = await gateway.confirmed();
      if (!world.outbox.has(effect.id)) return;
      const caused = await this.#perform(world, effect).catch((error) => this.#reportBlocked(effect, error));
      await gateway.submit([...caused, { kind: 'effect-done', effect: effect.id }], 'then');
      this.#failures.delete(effect.id);
      this.#onDone();
    });
  }

  /** Warnings become durable together with the effect's result, or before it is retried; each of them once. */
  async #perform(world: World, effect: Effect): Promise<readonly Event[]> {
    const warnings: Warning[] = [];
    const recorded = this.#warned.get(effect.id) ?? new Set();
    const unrecorded = (): readonly Event[] =>
      warnings.filter(({ text }) => !recorded.has(text)).map((warning) => ({ kind: 'warning', ...warning }));
    try {
      const caused = await performEffect(this.#ports, world, effect, (warning) => {
        warnings.push(warning);
        if (!recorded.has(warning.text)) this.#ports.showWarning?.(warning.text);
      });
      this.#warned.delete(effect.id);
      return [...unrecorded(), ...caused];
    } catch (thrown) {
      const error = asFailure(thrown);
      const events = error instanceof Failure ? unrecorded() : [];
      if (events.length > 0) await this.#ports.gateway.submit(events, 'then');
      this.#warned.set(effect.id, new Set([...recorded, ...warnings.map(({ text }) => text)]));
      throw error;
    }
  }

  /** Records the problem with the task, where a person looks, and not only in the engine's log. */
  async #reportBlocked(effect: Effect, error: unknown): Promise<never> {
    if (isAwaited(effect) && error instanceof Failure && !isCutShort(error)) {
      const needsPerson = error.kind === 'person' || error.kind === 'environment';
      const { message: why } = error;
      await this.#ports.gateway.submit([{ kind: 'held-up', effect: effect.id, why, needsPerson }], 'then');
    }
    throw error;
  }
}

/**
 * Agents are stopped first: what is verified in their place must not change meanwhile. To keep a refused signal takes a
 * while and nobody waits for it: last, and only a few in a round.
 */
function inOrder(effects: readonly Effect[]): readonly Effect[] {
  const stops = effects.filter((effect) => effect.do === 'stop-session');
  const refusals = effects.filter((effect) => effect.do === 'quarantine');
  const others = effects.filter((effect) => effect.do !== 'stop-session' && effect.do !== 'quarantine');
  return [...stops, ...others, ...refusals.slice(0, REFUSALS_PER_ROUND)];
}

const REFUSALS_PER_ROUND = 25;

/** The effects of another machine stay in the outbox for the engine there. */
function isOn(machine: MachineId, effect: Effect): boolean {
  return machineOf('machine' in effect ? effect : {}) === machine;
}

/** Whether a run waits for the effect, and gets its failure as a result. */
function isAwaited(effect: Effect | undefined): boolean {
  return effect?.do === 'worktree' || effect?.do === 'verify' || effect?.do === 'merge';
}

/** Whether the effect is part of a managed plan's work. */
export function belongsToRun(world: World, effect: Effect): boolean {
  if ('plan' in effect) return !OF_COMMANDS.includes(effect.do);
  if (!('session' in effect)) return false;
  const entry = world.sessions.get(effect.session);
  return entry !== undefined && isManaged(entry);
}

/** A command decides these, and waits until they are done. */
const OF_COMMANDS: readonly Effect['do'][] = ['set-branch', 'relink', 'publish-plan', 'archive-plan', 'unarchive-plan'];

/** It stops an agent, or completes a move of a branch that was cut off. */
export function isSoonDone(world: World, effect: Effect): boolean {
  if (effect.do !== 'merge' && effect.do !== 'land') return effect.do === 'stop-session';
  const entry = world.plans.get(effect.plan);
  return entry !== undefined && isMoving(entry, effect.id);
}

function isCleanup(effect: Effect): boolean {
  return effect.do === 'keep' && effect.worktree === 'remove';
}

/** The queue for a slow effect; undefined for a quick one. */
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
    case 'relink':
      return effect.place;
    case 'land':
    case 'set-branch':
    case 'renew-branch':
    case 'publish-plan':
    case 'archive-plan':
    case 'unarchive-plan':
      return effect.plan;
    case 'tell':
    case 'quarantine':
    case 'release':
    case 'discard':
      return undefined;
    default:
      // The compiler asks for a new effect here.
      return effect satisfies never;
  }
}
