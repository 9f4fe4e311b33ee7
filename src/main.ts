#!/usr/bin/env node
// Starts the program. What answers `--version` loads nothing else.
import { writeSync } from 'node:fs';
import { nodeProblem, VERSION } from './version.ts';

/** The folder of the built file. */
declare const __dirname: string;
/** Where each pack starts; the build writes the numbers in. */
declare const PACK_STARTS: readonly number[];

const argv = process.argv.slice(2);
const problem = nodeProblem(process.versions.node);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) writeSync(1, `${VERSION}\n`);
else if (problem === undefined && process.env.CADRE_SOCKET) startBehindWall(process.env.CADRE_SOCKET);
else if (problem === undefined) start();
else {
  writeSync(2, `${problem}\n`);
  process.exitCode = 5;
}

async function start(): Promise<void> {
  const { openPacks } = await import('./packs.ts');
  const { run } = openPacks(__dirname, PACK_STARTS).use(0) as typeof import('./compose/program.ts');
  // Everything is written and closed by now; taking the program apart before the end would only cost time.
  process.exit(await run(argv));
}

/** Behind a wall, cadre's own files are out of reach. */
async function startBehindWall(socket: string): Promise<void> {
  const { runBehindWall } = await import('./compose/behind-wall.ts');
  process.exit(await runBehindWall(socket, argv));
}
