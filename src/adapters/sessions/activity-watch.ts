// Notices when sessions that somebody observes write or report something, so that nobody has to poll quiet ones.
import type { SessionId } from '../../core/model/ids.ts';
import { watchFolders } from '../system/watcher.ts';

export interface ActivityWatch {
  /** The sessions whose output matters from now on. */
  observe(sessions: ReadonlySet<SessionId>): void;
  wrote(session: SessionId): void;
  watch(changed: () => void): { close(): void };
  close(): void;
}

/** A program that writes without a pause is not worth more calls than this, in milliseconds. */
const CALL_EVERY = 1_000;

/** `reports`: the folder with what programs report through their hooks. */
export function activityWatch(reports: string): ActivityWatch {
  const listeners = new Set<() => void>();
  let observed: ReadonlySet<SessionId> = new Set();
  let calledAt = Number.NEGATIVE_INFINITY;
  let soon: NodeJS.Timeout | undefined;

  const call = (): void => {
    soon = undefined;
    calledAt = performance.now();
    for (const changed of [...listeners]) changed();
  };
  const callSoon = (): void => {
    soon ??= setTimeout(call, Math.max(0, calledAt + CALL_EVERY - performance.now())).unref();
  };
  const watcher = watchFolders(callSoon);

  return {
    observe(sessions) {
      observed = sessions;
      if (listeners.size > 0) watcher.follow(sessions.size === 0 ? [] : [reports]);
    },
    wrote(session) {
      if (observed.has(session)) callSoon();
    },
    watch(changed) {
      listeners.add(changed);
      return { close: () => void listeners.delete(changed) };
    },
    close() {
      clearTimeout(soon);
      watcher.close();
    },
  };
}
