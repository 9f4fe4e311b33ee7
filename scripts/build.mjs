// Bundles src into dist: a tiny main.js that answers `--version` itself, program.js with all the rest but what checks
// the settings, which is loaded when there are any, and the scripted agent.
// CommonJS and one file, because Node loads that in a third of the time of many ES modules; see docs/decisions/.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

export async function bundle(outdir = 'dist', plugins = []) {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  writeFileSync(`${outdir}/package.json`, '{ "type": "commonjs" }\n');
  const common = {
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    define: { CADRE_VERSION: JSON.stringify(version) },
    minifySyntax: true,
    minifyWhitespace: true,
    // Lowered to require(): Node's own import() would look through a CommonJS file for exports before it runs it.
    supported: { 'dynamic-import': false },
    logLevel: 'warning',
    plugins,
  };
  const external = ['koffi', './config-schema.js'];
  const program = { entryPoints: ['src/compose/program.ts'], outfile: `${outdir}/program.js` };
  await build({ ...common, ...program, external, plugins: [...plugins, NODE_MODULES_WHEN_USED] });
  asAscii(program.outfile);
  // zod, which most commands have no use for.
  const schema = { entryPoints: ['src/adapters/config/config-schema.ts'], outfile: `${outdir}/config-schema.js` };
  await build({ ...common, ...schema });
  await build({ ...common, entryPoints: ['src/compiled.ts'], outfile: `${outdir}/compiled.js` });
  await build({ ...common, entryPoints: ['src/main.ts'], outfile: `${outdir}/main.js` });
  // Not on one line, because it shows the line on which it crashes.
  const readable = { minifySyntax: false, minifyWhitespace: false };
  const scripted = { entryPoints: ['src/compose/scripted-agent.ts'], outfile: `${outdir}/scripted-agent.js` };
  await build({ ...common, ...readable, ...scripted });
  for (const program of ['main.js', 'scripted-agent.js']) chmodSync(`${outdir}/${program}`, 0o755);
  execFileSync(process.execPath, ['scripts/keep-compiled.cjs', outdir], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** esbuild escapes what is not ASCII, except in regular expressions, where the same escapes mean the same. */
function asAscii(path) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(path, readFileSync(path, 'utf8').replace(/[^\0-\x7f]/g, escaped));
}

/**
 * Modules of Node that bring a lot along, and what is used of them. They are loaded when that is first used: few commands
 * start programs, and short ones do without crypto and zlib.
 */
const WHEN_USED = {
  'node:child_process': ['spawn', 'spawnSync'],
  'node:crypto': ['createHash', 'randomBytes'],
  'node:zlib': ['crc32'],
};

const NODE_MODULES_WHEN_USED = {
  name: 'modules of Node when used',
  setup({ onResolve, onLoad }) {
    const namespace = 'when-used';
    onResolve({ filter: /^node:(child_process|crypto|zlib)$/, namespace: 'file' }, ({ path }) => ({ path, namespace }));
    onLoad({ filter: /./, namespace }, ({ path }) => {
      const getter = (name) => `get ${name}() { return process.getBuiltinModule('${path}').${name}; }`;
      return { contents: `module.exports = { ${WHEN_USED[path].map(getter).join(', ')} };`, loader: 'js' };
    });
  },
};
