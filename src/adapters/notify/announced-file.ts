// announced.json: what a person was notified of and still holds, so that the next engine does not do it again. May be deleted.
import { explained, systemCode } from '../../core/model/failure.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Notifications } from '../../core/ports/notify.ts';
import { readWhole, replaceFile } from '../system/files.ts';

export function announcedFile(disk: Disk, path: string): Pick<Notifications, 'announced' | 'remember'> {
  return {
    announced: () => idsIn(disk, path),
    remember(ids) {
      explained('write', path, () => replaceFile(disk, path, Buffer.from(`${JSON.stringify(ids)}\n`)));
    },
  };
}

/** A file that cannot be read, or is anything else than a list of ids, is as good as none. */
function idsIn(disk: Disk, path: string): readonly string[] | undefined {
  try {
    const ids: unknown = JSON.parse(readWhole(disk, path)?.toString('utf8') ?? '');
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) !== undefined) return undefined;
    throw error;
  }
}
