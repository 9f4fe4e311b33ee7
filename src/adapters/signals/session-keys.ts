// The keys of sessions. Each program is handed one, and its signals carry it; on disk there is only a digest of each key.
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { diskFailure } from '../../core/model/failure.ts';
import type { Disk } from '../../core/ports/disk.ts';
import { isSessionName } from '../../signals/message.ts';
import { ensureFolder, writeAll } from '../system/files.ts';
import { readSafely } from '../system/signal-file.ts';

export interface SessionKeys {
  /**
   * A new key for the program of this session, durable when it returns: so are the messages that will carry it. Earlier ones
   * stay valid, because a start may be repeated after a crash.
   */
  issue(session: string): string;
  /** The session that this key was issued for, if it was. */
  ownerOf(key: string): string | undefined;
}

/** `folder`: where each session has a folder. */
export function sessionKeys(disk: Disk, folder: string): SessionKeys {
  const fileOf = (session: string): string => join(folder, session, 'keys');
  return {
    issue(session) {
      const key = `${session}.${randomBytes(24).toString('hex')}`;
      try {
        ensureFolder(disk, join(folder, session), 0o700);
        const file = disk.open(fileOf(session), 'append');
        try {
          // On a new line: a power failure may have left half of an earlier one.
          writeAll(disk, file, Buffer.from(`\n${digestOf(key)}\n`));
          disk.sync(file);
        } finally {
          disk.close(file);
        }
        disk.syncFolder(join(folder, session));
      } catch (error) {
        throw diskFailure(error, 'write', fileOf(session));
      }
      return key;
    },
    ownerOf(key) {
      const session = key.slice(0, key.lastIndexOf('.'));
      if (!isSessionName(session)) return undefined;
      const facts = disk.facts(fileOf(session));
      const read = facts === undefined ? undefined : readSafely(disk, fileOf(session), facts);
      if (read?.kind !== 'read') return undefined;
      return read.bytes.toString('latin1').split('\n').includes(digestOf(key)) ? session : undefined;
    },
  };
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
