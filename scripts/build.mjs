// Bundles src into dist: a tiny main.js that answers `--version` itself, and program.js with all the rest.
// CommonJS and one file, because Node loads that in a third of the time of many ES modules; see docs/decisions/.
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
  await build({ ...common, entryPoints: ['src/program.ts'], outfile: `${outdir}/program.js`, external: ['koffi'] });
  await build({ ...common, entryPoints: ['src/main.ts'], outfile: `${outdir}/main.js`, external: ['./program.js'] });
  chmodSync(`${outdir}/main.js`, 0o755);
}
