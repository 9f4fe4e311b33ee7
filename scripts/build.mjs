// Builds src into dist: a tiny main.js that answers `--version` itself, the packs with all the rest but what checks the
// settings, which is loaded when there are any, and the scripted agent. See docs/decisions/0008 and 0014.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { modulesOf, writePacks } from './packs.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

export async function bundle(outdir = 'dist', plugins = []) {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  writeFileSync(`${outdir}/package.json`, '{ "type": "commonjs" }\n');
  const common = {
    platform: 'node',
    target: 'node20',
    define: { CADRE_VERSION: JSON.stringify(version) },
    // Lowered to require(): Node's own import() would look through a CommonJS file for exports before it runs it.
    supported: { 'dynamic-import': false },
    logLevel: 'warning',
    plugins,
  };
  const small = { ...common, bundle: true, format: 'cjs', minifySyntax: true, minifyWhitespace: true };
  await Promise.all([
    build({ ...small, entryPoints: ['src/packs.ts'], outfile: `${outdir}/packs.js` }),
    // zod, which most commands have no use for.
    build({ ...small, entryPoints: ['src/adapters/config/config-schema.ts'], outfile: `${outdir}/config-schema.js` }),
    // The protocol and the schemas of its tools, which only "cadre mcp" loads.
    build({ ...small, entryPoints: ['src/surfaces/mcp/mcp-server.ts'], outfile: `${outdir}/mcp-server.js` }),
    buildScriptedAgent(small, `${outdir}/scripted-agent.js`),
  ]);
  const starts = await buildPacks(common, outdir);
  const define = { ...common.define, PACK_STARTS: JSON.stringify(starts) };
  await build({ ...small, define, entryPoints: ['src/main.ts'], outfile: `${outdir}/main.js` });
  for (const program of ['main.js', 'scripted-agent.js']) chmodSync(`${outdir}/${program}`, 0o755);
  writeFileSync(`${outdir}/program.js`, asLibrary(starts));
}

/** Not on one line, because it shows the line on which it crashes. */
function buildScriptedAgent(options, outfile) {
  const readable = { minifySyntax: false, minifyWhitespace: false };
  return build({ ...options, ...readable, entryPoints: ['src/compose/scripted-agent.ts'], outfile });
}

/** First all modules in one pack, to see which of them the usual commands use; then a pack for each kind of command. */
async function buildPacks(options, outdir) {
  const { packPath } = await import(resolve(outdir, 'packs.js'));
  const pathOf = (at) => packPath(outdir, at);
  const modules = await modulesOf(options);
  const all = [...modules.keys()];
  await writePacks(modules, [all], pathOf);
  const used = runUsual(outdir, [0]).map((numbers) => numbers.toSorted((a, b) => a - b).map((number) => all[number]));
  const rest = all.filter((path) => !used.flat().includes(path));
  const starts = await writePacks(modules, [...used, rest], pathOf);
  runUsual(outdir, starts, 'keep');
  return starts;
}

/** The modules that each kind of command is the first to use. */
function runUsual(outdir, starts, ...more) {
  const argv = ['scripts/usual-commands.cjs', outdir, JSON.stringify(starts), ...more];
  const { status, output } = spawnSync(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  if (status !== 0) throw new Error('The usual commands failed.');
  return JSON.parse(output[3].toString());
}

/** For tests and benchmarks, which use exactly the code that the commands run. */
function asLibrary(starts) {
  return [
    `module.exports = require('./packs.js').openPacks(__dirname, ${JSON.stringify(starts)}).use(0);`,
    '// For Node, which looks for the names of exports in the text.',
    '0 && (module.exports = { currentWorld, openPorts, repoName, run });\n',
  ].join('\n');
}
