// The heartbeat of the engine: the modification time of an empty file, which can be set even on a full disk.
import { closeSync, openSync, statSync, utimesSync } from 'node:fs';
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
  };
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
