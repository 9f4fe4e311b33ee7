// The path that git uses for a folder, through all symbolic links.
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../core/model/failure.ts';

/** Git lists worktrees by their real paths, even those that no longer exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    // An agent may remove its folder at any moment.
    if (systemCode(error) === undefined || dirname(path) === path) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}
