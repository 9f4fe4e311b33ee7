// Bundles src into dist. Commands are split off, so that each loads only what it needs.
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

export async function bundle(outdir = 'dist', plugins = []) {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: ['src/main.ts', 'src/open.ts'],
    outdir,
    plugins,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['koffi'],
    define: { CADRE_VERSION: JSON.stringify(version) },
    // commander is CommonJS and asks for Node's modules with require.
    banner: {
      js: "import { createRequire as cadreRequire } from 'node:module'; const require = cadreRequire(import.meta.url);",
    },
    minifySyntax: true,
    logLevel: 'warning',
  });
  chmodSync(`${outdir}/main.js`, 0o755);
}
