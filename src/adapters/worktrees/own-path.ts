// Whether the path of a worktree still leads to the place that cadre gave it, and not to something of a person's.
import { join } from 'node:path';
import { Failure } from '../../core/model/failure.ts';
import { showText } from '../../text/show.ts';
import { realPath } from '../git/real-path.ts';

/** `worktrees` contains all of them, so a link above that folder is a person's choice. */
export function requireOwnPath(worktrees: string, ...names: readonly string[]): void {
  const path = join(worktrees, ...names);
  const real = realPath(path);
  if (real === join(realPath(worktrees), ...names)) return;
  throw new Failure(
    'person',
    'folder-in-the-way',
    `${showText(path)} leads through a symbolic link to ${showText(real)}, which is not a worktree of cadre. Nothing was changed. Remove the link, then try again.`,
  );
}
