// How `cadre signal` drops a message: written to a temporary file, synced, then renamed into the box, so that the box never
// holds half a message.
import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { diskFailure, Failure } from '../../core/model/failure.ts';
import type { Disk } from '../../core/ports/disk.ts';
import { encodeMessage, isSessionName, type Message } from '../../signals/message.ts';
import { showName, showText } from '../../text/show.ts';
import { ensureFolder, syncUpwards, writeDurably } from '../system/files.ts';

export interface Drop {
  readonly message: Message;
  readonly box: string;
  readonly now: Date;
  /** The box in the session's environment, if it names one. Nobody would look for the message in another. */
  readonly claimedBox?: string | undefined;
}

/** Returns the path of the message. */
export function dropMessage(disk: Disk, { message, box, now, claimedBox = box }: Drop): string {
  if (!isSessionName(message.session) || !isSameFolder(claimedBox, box))
    throw new Failure(
      'usage',
      'bad-session',
      `CADRE_SESSION is "${showName(message.session)}" and CADRE_INBOX is ${showText(claimedBox)}: they do not belong together. The session's environment was changed.`,
    );
  const name = `${String(now.getTime()).padStart(15, '0')}-${process.pid}-${randomBytes(4).toString('hex')}.json`;
  const [temporary, target] = [join(box, 'tmp', name), join(box, 'new', name)];
  try {
    for (const folder of [dirname(temporary), dirname(target)]) ensureFolder(disk, folder, 0o700);
    writeDurably(disk, temporary, Buffer.from(encodeMessage(message)));
    disk.rename(temporary, target);
    // new/, the box, inbox/, the state folder, repos/ and the home: nobody else may have synced their names yet.
    syncUpwards(disk, dirname(target), 6);
  } catch (error) {
    throw diskFailure(error, 'drop the signal into', box);
  }
  return target;
}

/** Links may lead to the same folder by different paths. */
function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return basename(one) === basename(other) && realpathSync(dirname(one)) === realpathSync(dirname(other));
  } catch {
    return false;
  }
}
