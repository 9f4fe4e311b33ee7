// Writes the reference pages of docs/, or with --check says which of them are stale.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const bundled = 'node_modules/.cadre/pages.mjs';
await build({
  entryPoints: ['scripts/pages.ts'],
  outfile: bundled,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
});
const { pages } = await import(pathToFileURL(bundled).href);
rmSync(bundled);

const stale = pages().filter((page) => read(page.path) !== page.text);
if (process.argv.includes('--check')) {
  for (const page of stale) console.error(`${page.path} is stale. Run "npm run gen".`);
  process.exit(stale.length === 0 ? 0 : 1);
}
for (const page of stale) {
  mkdirSync(dirname(page.path), { recursive: true });
  writeFileSync(page.path, page.text);
  console.log(`wrote ${page.path}`);
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
