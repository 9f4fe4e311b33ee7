#!/usr/bin/env node
// Starts the program. What answers `--version` loads nothing else.
import { VERSION } from './version.ts';

const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) process.stdout.write(`${VERSION}\n`);
else await start();

async function start(): Promise<void> {
  const { run } = await import('./terminal.ts');
  process.exitCode = await run(argv);
}
