// How `cadre signal` drops a message: written aside, synced, then renamed into the box, so that it is there whole or not at all.
import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { diskFailure, Failure } from '../../core/model/failure.ts';
import type { Disk } from '../../core/ports/disk.ts';
import { encodeMessage, isSessionName, type Message } from '../../signals/message.ts';
import { showName, showText } from '../../text/show.ts';
import { ensureFolder, syncUpwards, writeDurably } from '../system/files.ts';

/** `claimed` is the box that the session's environment names: another one would be looked into by nobody. */
export function dropMessage(disk: Disk, box: string, message: Message, now: Date, claimed = box): string {
  if (!isSessionName(message.session) || !isSamePlace(claimed, box))
    throw new Failure(
      'usage',
      'bad-session',
      `CADRE_SESSION is "${showName(message.session)}" and CADRE_INBOX is ${showText(claimed)}: they do not belong together. The session's environment was changed.`,
    );
  const name = `${String(now.getTime()).padStart(15, '0')}-${process.pid}-${randomBytes(4).toString('hex')}.json`;
  const [aside, target] = [join(box, 'tmp', name), join(box, 'new', name)];
  try {
    for (const folder of [dirname(aside), dirname(target)]) ensureFolder(disk, folder, 0o700);
    writeDurably(disk, aside, Buffer.from(encodeMessage(message)));
    disk.rename(aside, target);
    // new/, the box, inbox/, the state folder, repos/ and the home: nobody else may have synced their names yet.
    syncUpwards(disk, dirname(target), 6);
  } catch (error) {
    throw diskFailure(error, 'drop the signal into', box);
  }
  return target;
}

/** The same folder, by whatever links one comes to it. */
function isSamePlace(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return basename(one) === basename(other) && realpathSync(dirname(one)) === realpathSync(dirname(other));
  } catch {
    return false;
  }
}
