// The path that git uses for a folder, through all symbolic links.
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Git lists worktrees by their real paths, even those that no longer exist. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path));
}
