// A project as a table of its files.
import type { ProjectFiles } from '../../src/core/files/project-files.ts';

export function filesOf(files: Readonly<Record<string, string>>): ProjectFiles {
  return {
    has: (name) => Object.hasOwn(files, name),
    text: (name) => (Object.hasOwn(files, name) ? files[name] : undefined),
    list(folder) {
      const inside = folder === '.' ? '' : `${folder}/`;
      return Object.keys(files).flatMap((name) => {
        const rest = name.startsWith(inside) ? name.slice(inside.length) : '/';
        return rest.includes('/') ? [] : [rest];
      });
    },
  };
}
