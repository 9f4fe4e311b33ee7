// Watches a changing set of paths with fs.watch. It makes cadre quick; the rescans of its users make it miss nothing.
import { type FSWatcher, type Stats, statSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Watcher } from '../../core/ports/watcher.ts';

/** The names in a folder that matter, or all of them. */
type Names = ReadonlySet<string> | 'all';

interface Wanted {
  readonly inode: number;
  readonly names: Names;
}

interface Watched {
  readonly inode: number;
  readonly watcher: FSWatcher;
  names: Names;
}

export function watchFolders(changed: (path: string) => void): Watcher {
  const watched = new Map<string, Watched>();

  const drop = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };

  const report = (folder: string, name: string | null): void => {
    const names = watched.get(folder)?.names;
    // A folder that is removed or renamed is reported under its own name.
    if (name === null || names === undefined || names === 'all' || names.has(name) || name === basename(folder))
      changed(name === null ? folder : join(folder, name));
  };

  const add = (folder: string, { inode, names }: Wanted): void => {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => report(folder, name));
      watcher.on('error', () => {
        drop(folder);
        changed(folder);
      });
      watched.set(folder, { inode, watcher, names });
    } catch {
      // The system has no more watches to give, or the folder has just gone. The next `follow` tries again.
    }
  };

  /** Whether it was watched like this before. */
  const ensure = (folder: string, wanted: Wanted): boolean => {
    const before = watched.get(folder);
    if (before?.inode !== wanted.inode) {
      drop(folder);
      add(folder, wanted);
      return false;
    }
    const covered = covers(before.names, wanted.names);
    before.names = wanted.names;
    return covered;
  };

  return {
    follow(paths) {
      const wanted = foldersFor(paths);
      for (const folder of watched.keys()) if (!wanted.has(folder)) drop(folder);
      return [...wanted].map(([folder, one]) => ensure(folder, one)).every((wasWatched) => wasWatched);
    },
    close() {
      for (const folder of [...watched.keys()]) drop(folder);
    },
  };
}

/** What is not a folder is watched from the nearest folder above it, by the next name on the way to it. */
function foldersFor(paths: readonly string[]): ReadonlyMap<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  const want = (folder: string, inode: number, name?: string): void => {
    const before = wanted.get(folder)?.names;
    const names = name === undefined || before === 'all' ? 'all' : new Set([...(before ?? []), name]);
    wanted.set(folder, { inode, names });
  };
  for (const path of paths) {
    const facts = folderFacts(path);
    if (facts !== undefined) want(path, facts.ino);
    else wantAbove(path, want);
  }
  return wanted;
}

function wantAbove(path: string, want: (folder: string, inode: number, name: string) => void): void {
  const folder = dirname(path);
  const facts = folderFacts(folder);
  if (facts !== undefined) want(folder, facts.ino, basename(path));
  else if (folder !== path) wantAbove(folder, want);
}

function folderFacts(path: string): Stats | undefined {
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    return facts?.isDirectory() ? facts : undefined;
  } catch {
    // One of the folders above cannot be searched, or is a file.
    return undefined;
  }
}

function covers(before: Names, now: Names): boolean {
  return before === 'all' || (now !== 'all' && [...now].every((name) => before.has(name)));
}
