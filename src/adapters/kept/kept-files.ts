// Lists the files that were moved out of a worktree because no commit holds them, and copies them to where a person wants them.
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { diskFailure } from '../../core/model/failure.ts';
import type { KeptFiles } from '../../core/ports/kept.ts';

/** Why files were moved, by the name of the folder in that of their run. */
const MOVED: Readonly<Record<string, string>> = {
  ignored: 'Git ignores them; their worktree was removed.',
  undone: 'Git cannot commit them; their worktree was reset.',
};

/** `folder` contains the folders of all runs. */
export function keptFiles(folder: string): readonly KeptFiles[] {
  return foldersIn(folder).flatMap((plan) =>
    foldersIn(join(folder, plan)).flatMap((part) =>
      Object.entries(MOVED).flatMap(([kind, why]) =>
        foldersIn(join(folder, plan, part, kind)).map((number) => {
          const path = join(folder, plan, part, kind, number);
          return {
            kind: 'files',
            id: `${plan}/${part}/${kind}-${number}`,
            plan,
            part,
            at: lstatSync(path).mtime.toISOString(),
            why,
            files: countFiles(path),
            folder: path,
          } as const;
        }),
      ),
    ),
  );
}

function foldersIn(folder: string): readonly string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function countFiles(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory()).length;
}

/** Returns the absolute path of the folder; undefined, with nothing copied, if something is in it. */
export function copyFiles({ folder: from }: KeptFiles, to: string): string | undefined {
  const folder = resolve(to);
  try {
    if (existsSync(folder) && readdirSync(folder).length > 0) return undefined;
    mkdirSync(folder, { recursive: true });
    cpSync(from, folder, { recursive: true, force: false, errorOnExist: true, verbatimSymlinks: true });
    return folder;
  } catch (error) {
    throw diskFailure(error, 'copy files to', folder);
  }
}
