// Writes the texts that the prompts of a run name to files: the brief, the changes under review, what was said in full.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskFailure } from '../../core/model/failure.ts';
import type { Tree } from '../../core/model/run-name.ts';
import type { RunFiles } from '../../core/ports/worktrees.ts';
import { slugOf } from '../../plan/name.ts';

/** The texts are apart from cadre's own files of the run, because the agents may read this folder. */
export function textsFor(folder: string, { plan, name }: Tree): string {
  return join(folder, slugOf(plan), name, 'agents');
}

/** `folder` contains the folders of all runs. */
export function runFiles(folder: string): RunFiles {
  return {
    write(tree, file, text) {
      const path = join(textsFor(folder, tree), `${file}.md`);
      try {
        mkdirSync(textsFor(folder, tree), { recursive: true, mode: 0o700 });
        // An agent may be reading the old text: it reads all of it, or all of the new one.
        writeFileSync(`${path}.new`, text, { mode: 0o600 });
        renameSync(`${path}.new`, path);
      } catch (error) {
        throw diskFailure(error, 'write', path);
      }
      return path;
    },
  };
}
