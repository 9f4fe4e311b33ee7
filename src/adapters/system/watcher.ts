// fs.watch on a changing set of folders. It only makes things quick; rescans make sure that nothing is missed.
import { type FSWatcher, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Watcher } from '../../core/ports/watcher.ts';

export function watchFolders(changed: (path: string) => void): Watcher {
  const watched = new Map<string, { readonly inode: number; readonly watcher: FSWatcher }>();

  const drop = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };

  const add = (folder: string, inode: number): void => {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) =>
        changed(name === null ? folder : join(folder, name)),
      );
      // The next rescan replaces a watcher that died, or that could not be created for lack of resources.
      watcher.on('error', () => drop(folder));
      watched.set(folder, { inode, watcher });
    } catch {
      drop(folder);
    }
  };

  return {
    follow(folders) {
      const wanted = new Set(folders);
      for (const folder of watched.keys()) if (!wanted.has(folder)) drop(folder);
      for (const folder of wanted) {
        const inode = statSync(folder, { throwIfNoEntry: false })?.ino;
        if (watched.get(folder)?.inode === inode) continue;
        drop(folder);
        if (inode !== undefined) add(folder, inode);
      }
    },
    close() {
      for (const folder of [...watched.keys()]) drop(folder);
    },
  };
}
