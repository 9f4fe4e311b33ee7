#!/usr/bin/env node
// Starts the program. What answers `--version` loads nothing else.
import { writeSync } from 'node:fs';
import { VERSION } from './version.ts';

/** The folder of the built file. */
declare const __dirname: string;

const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) writeSync(1, `${VERSION}\n`);
else start();

async function start(): Promise<void> {
  const { loadCompiled } = await import('./compiled.ts');
  const { run } = loadCompiled(`${__dirname}/program.js`).exports as typeof import('./compose/program.ts');
  // Everything is written and closed by now; taking the program apart before the end would only cost time.
  process.exit(await run(argv));
}
