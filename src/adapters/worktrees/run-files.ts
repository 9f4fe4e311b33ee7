// Writes texts of a run that are too long for a prompt to files in the run's folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskFailure } from '../../core/model/failure.ts';
import type { RunFiles } from '../../core/ports/worktrees.ts';
import { slugOf } from '../../plan/name.ts';

/** `folder` contains the folders of all runs. */
export function runFiles(folder: string): RunFiles {
  return {
    write({ plan, name }, file, text) {
      const path = join(folder, slugOf(plan), name, `${file}.md`);
      try {
        mkdirSync(join(folder, slugOf(plan), name), { recursive: true, mode: 0o700 });
        writeFileSync(path, text, { mode: 0o600 });
      } catch (error) {
        throw diskFailure(error, 'write', path);
      }
      return path;
    },
  };
}
