// Texts that belong to a run and are too long for a prompt: each in a file of the run's own folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskFailure } from '../../core/model/failure.ts';
import type { RunFiles } from '../../core/ports/worktrees.ts';
import { slugOf } from '../../plan/name.ts';

/** `folder`: where each run has one. */
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
