// Whether the disk that cadre writes to has room left.
import { statfsSync } from 'node:fs';
import { systemCode } from '../../core/model/failure.ts';
import { showText } from '../../text/show.ts';

/** In bytes: less than any journal, prompt or worktree needs. */
const LEAST = 256 * 1024;

/** What is wrong with the disk of this folder, as a sentence. */
export function diskProblem(folder: string): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize >= LEAST) return undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  return `The disk that holds ${showText(folder)} is full, so nothing can be recorded. Free some space; the engine then continues, and nothing that was confirmed is lost.`;
}
