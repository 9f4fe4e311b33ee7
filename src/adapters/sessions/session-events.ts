// Tells what has changed between two looks at all sessions, to whoever watches.

import type { SessionId } from '../../core/model/ids.ts';
import type { Life } from '../../core/model/life.ts';
import type { HostedSession, HostNews } from '../../core/ports/host.ts';

/** How often a host checks its sessions while somebody watches, in milliseconds. Most changes it is notified of. */
export const LOOK_EVERY = 1_000;

export class News {
  readonly #listeners = new Set<(news: HostNews) => void>();
  readonly #look: () => Promise<readonly HostedSession[]>;
  /** What every session was like at the last look; nothing before the first. */
  #known: ReadonlyMap<SessionId, Life> | undefined;
  #looking: Promise<void> | undefined;
  #again = false;

  constructor(look: () => Promise<readonly HostedSession[]>) {
    this.#look = look;
  }

  get isWanted(): boolean {
    return this.#listeners.size > 0;
  }

  add(listener: (news: HostNews) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (!this.isWanted) this.#known = undefined;
    };
  }

  tell(news: HostNews): void {
    for (const listener of [...this.#listeners]) listener(news);
  }

  /** Whether a session was last seen to have ended, so that nothing more can be heard of it. */
  isOver(session: SessionId): boolean {
    const life = this.#known?.get(session)?.kind;
    return life === 'ended' || life === 'gone';
  }

  /** The processes of the sessions that last were running. */
  running(): readonly number[] {
    return [...(this.#known?.values() ?? [])].flatMap((life) => (life.kind === 'running' ? [life.pid] : []));
  }

  /** Looks again, soon; many calls at once are one or two looks. */
  refresh(): void {
    if (!this.isWanted) return;
    this.#again = true;
    this.#looking ??= this.#refreshWhileAsked().finally(() => {
      this.#looking = undefined;
    });
  }

  async #refreshWhileAsked(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      // A look that fails tells nothing; the next one comes within the second.
      const sessions = await this.#look().catch(() => undefined);
      if (sessions !== undefined && this.isWanted) this.#compare(sessions);
    }
  }

  #compare(sessions: readonly HostedSession[]): void {
    const before = this.#known;
    const now = new Map<SessionId, Life>();
    for (const { session, life } of sessions) {
      const was = before?.get(session);
      // Not knowing is no news, and what was known before is still the last that is known.
      const is = life.kind === 'unknown' ? was : life;
      if (is !== undefined) now.set(session, is);
      if (before !== undefined && life !== was && isEnd(life) && (was === undefined || !isEnd(was)))
        this.tell({ kind: 'ended', session, life });
    }
    // One that is not told of any more was stopped.
    for (const [session, was] of before ?? [])
      if (!isEnd(was) && !sessions.some((one) => one.session === session))
        this.tell({ kind: 'ended', session, life: { kind: 'gone' } });
    this.#known = now;
  }
}

function isEnd(life: Life): boolean {
  return life.kind === 'ended' || life.kind === 'gone';
}
