// The files of the main checkout that say what kind of project it is.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectFiles } from '../../core/files/project-files.ts';
import { systemCode } from '../../core/model/failure.ts';

/** Larger files are not settings. */
const MAX_BYTES = 1024 * 1024;

export function projectFiles(root: string): ProjectFiles {
  const facts = (name: string) => statSync(join(root, name), { throwIfNoEntry: false });
  return {
    has: (name) => facts(name)?.isFile() ?? false,
    text(name) {
      const its = facts(name);
      return its?.isFile() && its.size <= MAX_BYTES ? readFileSync(join(root, name), 'utf8') : undefined;
    },
    list(folder) {
      try {
        return readdirSync(join(root, folder));
      } catch (error) {
        if (systemCode(error) === undefined) throw error;
        return [];
      }
    },
  };
}
