#!/usr/bin/env node
// Starts the program. What answers `--version` loads nothing else.
import { writeSync } from 'node:fs';
import { VERSION } from './version.ts';

const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) writeSync(1, `${VERSION}\n`);
else start();

async function start(): Promise<void> {
  const { run } = await import('./program.js');
  process.exitCode = await run(argv);
}
