// Breaks one piece of the source while it is bundled; the source itself stays as it is.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

export async function bundle(outfile, entry, mutant = undefined) {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
    plugins: mutant === undefined ? [] : [mutation(mutant)],
  });
}

export function mutation({ name, file, find, replace }) {
  return {
    name: 'mutation',
    setup({ onLoad }) {
      onLoad({ filter: new RegExp(`${file.replaceAll('.', '\\.')}$`) }, () => {
        const pieces = readFileSync(file, 'utf8').split(find);
        if (pieces.length !== 2)
          throw new Error(`"${name}": ${file} holds its piece ${pieces.length - 1} times, not once.`);
        return { contents: pieces.join(replace), loader: 'ts' };
      });
    },
  };
}
