// Agent programs on the simulated computer: they survive the processes of cadre, but not a power failure.

import type { PlaceId, SessionId } from '../../src/core/model/ids.ts';
import type { Life } from '../../src/core/model/session.ts';
import type { HostedSession } from '../../src/core/ports/host.ts';
import type { Sessions } from '../../src/core/ports/sessions.ts';

interface Hosted {
  readonly place: PlaceId;
  life: Life;
}

export class SimulatedSessions {
  readonly #hosted = new Map<SessionId, Hosted>();
  /** How often each program was started. */
  readonly starts = new Map<SessionId, number>();
  readonly sends = new Set<string>();
  /** The key that each program was handed. */
  readonly keys = new Map<SessionId, string>();
  /** What each program was told at its start. */
  readonly prompts = new Map<SessionId, string>();

  lifeOf(session: SessionId): Life {
    return this.#hosted.get(session)?.life ?? { kind: 'gone' };
  }

  /** The newest running program exits. */
  endOne(): void {
    const running = [...this.#hosted.values()].findLast(({ life }) => life.kind === 'running');
    if (running !== undefined) running.life = { kind: 'ended', exitCode: 1, signal: null };
  }

  losePower(): void {
    this.#hosted.clear();
  }

  /** `alive` throws if the calling process is dead; `issueKey` makes the key of a program. */
  seenBy(alive: () => void, issueKey: (session: SessionId) => string): Sessions {
    const stop = (session: SessionId): void => void this.#hosted.delete(session);
    return {
      start: async ({ id, place }, prompt) => {
        alive();
        if (this.starts.has(id)) return { kind: 'up' };
        this.prompts.set(id, prompt);
        this.keys.set(id, issueKey(id));
        for (const [other, hosted] of this.#hosted) if (hosted.place === place) stop(other);
        this.starts.set(id, (this.starts.get(id) ?? 0) + 1);
        this.#hosted.set(id, { place, life: { kind: 'running', pid: 1 } });
        return { kind: 'up' };
      },
      stop: async (session) => {
        alive();
        stop(session);
      },
      pause: async ({ id }) => {
        alive();
        stop(id);
      },
      send: async ({ id: session }, _text, id) => {
        alive();
        if (this.sends.has(id))
          return { kind: 'sent', problem: 'It may or may not have arrived.', hindrance: 'interrupted' };
        this.sends.add(id);
        const runs = this.lifeOf(session).kind === 'running';
        return { kind: 'sent', problem: runs ? null : 'It does not run.' };
      },
      list: async () => {
        alive();
        return [...this.#hosted].map(
          ([session, { place, life }]): HostedSession => ({ session, place, life, lastOutput: undefined }),
        );
      },
      look: async () => [],
      screen: async () => '',
      colouredScreen: async () => '',
      worktreeOf: ({ place }) => place,
      watch: () => ({ close: () => undefined }),
      watchActivity: () => ({ close: () => undefined }),
      attach: () => undefined,
      tidy: () => undefined,
      serve: () => undefined,
      close: () => undefined,
    };
  }
}
