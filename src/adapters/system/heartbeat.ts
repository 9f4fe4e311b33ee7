// The heartbeat of the engine: the modification time of a file, which can be set even on a full disk. The file is empty unless
// something keeps the engine from its work.
import { closeSync, openSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { systemCode } from '../../core/model/failure.ts';
import type { Heartbeat } from '../../core/ports/heartbeat.ts';

export function fileHeartbeat(path: string): Heartbeat {
  return {
    last() {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined ? undefined : Math.round(stats.mtimeMs);
    },
    beat(now) {
      try {
        utimesSync(path, now, now);
      } catch (error) {
        if (systemCode(error) === 'ENOENT') create(path, now);
        else if (systemCode(error) === undefined) throw error;
      }
    },
    complain(problem = '') {
      const before = textIn(path);
      if (before === undefined || before === problem) return;
      try {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, problem);
        utimesSync(path, atime, mtime);
      } catch (error) {
        if (systemCode(error) === undefined) throw error;
      }
    },
    complaint: () => textIn(path) || undefined,
  };
}

/** Undefined if there is no file. */
function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** A folder that cannot be written to is reported by everything else that writes there. */
function create(path: string, now: Date): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
    utimesSync(path, now, now);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}
