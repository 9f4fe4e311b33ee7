// Reads a file that an agent dropped without trusting its kind, size, owner or content.
import { systemCode } from '../../core/model/failure.ts';
import type { RuleRefusal } from '../../core/model/refusal.ts';
import type { Disk, FileFacts, Path } from '../../core/ports/disk.ts';
import { LARGEST_BODY_BYTES } from '../../signals/registry.ts';

export type SafeRead =
  /** `still`: it did not change between the check and the read. */
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly still: boolean }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unfit'; readonly code: RuleRefusal; readonly why: string };

/** Names for messages. */
export const KINDS = {
  file: 'a file',
  folder: 'a folder',
  link: 'a symbolic link',
  fifo: 'a named pipe',
  socket: 'a socket',
  device: 'a device',
} as const;

/** Opens only plain files that belong to us, so that nothing can block, leak or be changed. */
export function readSafely(disk: Disk, path: Path, seen: FileFacts): SafeRead {
  const wrong = whyUnfit(seen);
  if (wrong !== undefined) return wrong;
  try {
    const file = disk.open(path, 'read');
    try {
      const facts = disk.factsOf(file);
      // Another file may have taken its place between the check and the open.
      const now =
        facts.inode === seen.inode ? whyUnfit(facts) : unfit('not-regular', 'it was replaced while it was read');
      if (now !== undefined) return now;
      const bytes = disk.read(file, 0, LARGEST_BODY_BYTES + 1);
      const still = facts.size === seen.size && facts.modified === seen.modified && bytes.length === seen.size;
      return bytes.length > LARGEST_BODY_BYTES ? tooLarge(facts.size) : { kind: 'read', bytes, still };
    } finally {
      disk.close(file);
    }
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return { kind: 'gone' };
    if (code === 'ELOOP') return unfit('not-regular', 'it is a symbolic link, not a file');
    if (code === 'EACCES' || code === 'EPERM') return unfit('not-ours', 'it cannot be read');
    throw error;
  }
}

/** Undefined if the bytes are not valid UTF-8 or contain NUL. */
export function decodeText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function whyUnfit(facts: FileFacts): Extract<SafeRead, { kind: 'unfit' }> | undefined {
  if (facts.kind !== 'file') return unfit('not-regular', `it is ${KINDS[facts.kind]}, not a file`);
  if (facts.links !== 1) return unfit('not-ours', 'it is a hard link to a file elsewhere');
  if (facts.owner !== process.geteuid?.()) return unfit('not-ours', `it belongs to another user (uid ${facts.owner})`);
  if (facts.size > LARGEST_BODY_BYTES) return tooLarge(facts.size);
  return undefined;
}

function tooLarge(size: number): Extract<SafeRead, { kind: 'unfit' }> {
  return unfit('too-large', `it has ${size} bytes, and a signal may have at most ${LARGEST_BODY_BYTES}`);
}

function unfit(code: RuleRefusal, why: string): Extract<SafeRead, { kind: 'unfit' }> {
  return { kind: 'unfit', code, why };
}
