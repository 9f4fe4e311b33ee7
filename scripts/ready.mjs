// Makes a fresh clone ready: installs what package-lock.json names, then builds. Does nothing twice.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STAMP = 'node_modules/.installed-from';

const lock = readFileSync('package-lock.json', 'utf8');
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== lock) install();
if (isStale('dist/main.js')) {
  const { bundle } = await import('./build.mjs');
  await bundle();
}

function install() {
  console.log('Installing what package-lock.json names ...');
  // Not `npm ci`: it removes what is installed first, and without a network nothing would be left.
  const npm = spawnSync('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (npm.status !== 0) {
    console.error('The installation failed; npm says above why.');
    process.exit(1);
  }
  writeFileSync(STAMP, lock);
}

function isStale(built) {
  if (!existsSync(built)) return true;
  const when = statSync(built).mtimeMs;
  const sources = [
    'src',
    'package.json',
    ...['build.mjs', 'packs.mjs', 'usual-commands.cjs'].map((name) => `scripts/${name}`),
  ];
  return sources.flatMap(filesOf).some((file) => statSync(file).mtimeMs > when);
}

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesOf(join(path, name)));
}
