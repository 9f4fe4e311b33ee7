// Compares two looks at all sessions, and reports what changed to every listener.

import type { SessionId } from '../../core/model/ids.ts';
import type { Life } from '../../core/model/session.ts';
import type { HostEvent, HostedSession } from '../../core/ports/host.ts';

/** How often a host checks its sessions while somebody listens, in milliseconds. It is notified of most changes. */
export const CHECK_EVERY = 1_000;

export class SessionEvents {
  readonly #listeners = new Set<(event: HostEvent) => void>();
  readonly #look: () => Promise<readonly HostedSession[]>;
  /** The state of every session at the last look; undefined before the first. */
  #known: ReadonlyMap<SessionId, Life> | undefined;
  #looking: Promise<void> | undefined;
  #isAsked = false;

  constructor(look: () => Promise<readonly HostedSession[]>) {
    this.#look = look;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Returns a function that removes the listener. */
  add(listener: (event: HostEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (!this.hasListeners) this.#known = undefined;
    };
  }

  emit(event: HostEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** Whether the session had ended at the last look, so that no more events of it can follow. */
  isOver(session: SessionId): boolean {
    const life = this.#known?.get(session);
    return life !== undefined && isEnd(life);
  }

  /** The process ids of the sessions that were running at the last look. */
  running(): readonly number[] {
    return [...(this.#known?.values() ?? [])].flatMap((life) => (life.kind === 'running' ? [life.pid] : []));
  }

  /** Looks again soon. Any number of calls at the same time causes one or two looks. */
  refresh(): void {
    if (!this.hasListeners) return;
    this.#isAsked = true;
    this.#looking ??= this.#refreshWhileAsked().finally(() => {
      this.#looking = undefined;
    });
  }

  async #refreshWhileAsked(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      // A failed look shows nothing; the next one follows soon.
      const sessions = await this.#look().catch(() => undefined);
      if (sessions !== undefined && this.hasListeners) this.#compare(sessions);
    }
  }

  #compare(sessions: readonly HostedSession[]): void {
    const before = this.#known;
    const now = new Map<SessionId, Life>();
    for (const { session, life } of sessions) {
      const was = before?.get(session);
      // While the state is unknown, the last known one stays.
      const is = life.kind === 'unknown' ? was : life;
      if (is !== undefined) now.set(session, is);
      if (before !== undefined && life !== was && isEnd(life) && (was === undefined || !isEnd(was)))
        this.emit({ kind: 'ended', session, life });
    }
    // A session that is no longer listed was stopped.
    for (const [session, was] of before ?? [])
      if (!isEnd(was) && !sessions.some((one) => one.session === session))
        this.emit({ kind: 'ended', session, life: { kind: 'gone' } });
    this.#known = now;
  }
}

function isEnd(life: Life): boolean {
  return life.kind === 'ended' || life.kind === 'gone';
}
