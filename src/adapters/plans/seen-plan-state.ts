// plan-state.seen: which plan-state.json was last found to be cadre's own, so that it need not be read again to know that. It
// may be lost.
import { systemCode } from '../../core/model/failure.ts';
import type { Disk, FileFacts } from '../../core/ports/disk.ts';
import { hasSettled, signatureOf } from '../system/file-signature.ts';
import { readWhole, replaceDerived } from '../system/files.ts';

export function wasOurs(disk: Disk, path: string, facts: FileFacts): boolean {
  try {
    return readWhole(disk, path)?.toString('latin1') === line(facts);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/** A failure costs time and nothing else. */
export function noteOurs(disk: Disk, path: string, facts: FileFacts): void {
  if (!hasSettled(facts, new Date())) return;
  try {
    replaceDerived(disk, path, Buffer.from(line(facts)));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

function line(facts: FileFacts): string {
  return `${signatureOf(facts)}\n`;
}
