// Notifies a person of what needs them and of what is done: once, also over a restart of the engine.
import { Failure } from '../core/model/failure.ts';
import type { World } from '../core/model/world.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Delivery, Notification, Notifications, Notify } from '../core/ports/notify.ts';
import { type Asks, NO_ASKS } from '../core/views/asking.ts';
import { type Attention, announce, attentionTo } from '../core/views/notifications/announce.ts';
import { holdingIn, notificationsIn } from '../core/views/notifications/notification.ts';

export interface AnnouncerPorts {
  readonly clock: Clock;
  readonly notify: Pick<Notify, 'warn'>;
  readonly notifications: Notifications;
}

export class Announcer {
  readonly #ports: AnnouncerPorts;
  readonly #sending = new Set<Promise<void>>();
  #attention: Attention | undefined;
  /** The problem of the last notification that could not be sent; undefined after one that could. */
  #problem: string | undefined;

  constructor(ports: AnnouncerPorts) {
    this.#ports = ports;
  }

  /**
   * Before the engine does anything. Where nobody knows what was announced, everything that holds by now counts as announced:
   * a person who deletes that file does not want to hear all of it again.
   */
  start(world: World): void {
    if (this.#attention !== undefined) return;
    const known = this.#ports.notifications.announced();
    const ids = known ?? notificationsIn(world, NO_ASKS.asking).map(({ id }) => id);
    this.#attention = attentionTo(ids);
    if (known === undefined) this.#remember(ids);
  }

  /** Sends what is new. Returns after how many milliseconds there may be more. */
  announce(world: World, asks: Asks): number | undefined {
    const before = this.#attention ?? attentionTo([]);
    const { attention, due, lookAgainIn } = announce(before, holdingIn(world, asks, this.#ports.clock.elapsed()));
    for (const notification of due) this.#send(notification, world.policy.notifyCommand ?? []);
    this.#attention = attention;
    // Afterwards: one that is sent twice, after a kill in between, is better than one that is lost.
    if (!isSame(before.announced, attention.announced)) this.#remember([...attention.announced]);
    return lookAgainIn;
  }

  /** Resolves once nothing is being sent. */
  async settled(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  #send(notification: Notification, command: readonly string[]): void {
    const sending = this.#ports.notifications.send(notification, command).then((deliveries) => {
      this.#sending.delete(sending);
      this.#report(deliveries);
    });
    this.#sending.add(sending);
  }

  /** Once, and not again for every notification that fails in the same way. */
  #report(deliveries: readonly Delivery[]): void {
    const failed = deliveries.filter(({ result }) => result === 'failed').map(({ sentence }) => sentence);
    const problem = failed.length === 0 ? undefined : failed.join(' ');
    if (problem !== undefined && problem !== this.#problem) this.#ports.notify.warn(problem);
    this.#problem = problem;
  }

  /** This engine knows it all the same. */
  #remember(ids: readonly string[]): void {
    try {
      this.#ports.notifications.remember(ids);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#ports.notify.warn(error.message);
    }
  }
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}
