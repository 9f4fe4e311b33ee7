// Turns the modules of src into functions that call each other by number, and writes them into packs; src/packs.ts loads them.
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, transform } from 'esbuild';

const PROGRAM = 'src/compose/program.ts';
/** The package that is part of the program; koffi is native. */
const PACKAGE = 'commander';

/** Everything that the program may load, by path, first the program: the text of each module, and what it uses. */
export async function modulesOf(options) {
  const texts = await commonJsOf(options);
  const modules = new Map();
  const visit = (path) => {
    if (modules.has(path)) return;
    if (!texts.has(path)) throw new Error(`There is no module ${path}.`);
    const module = path === PACKAGE ? { text: texts.get(path), uses: [] } : moduleFrom(path, texts.get(path));
    modules.set(path, module);
    for (const used of module.uses) visit(used);
  };
  visit(PROGRAM);
  return modules;
}

/** `packs`: the paths in each. Returns the number of the first module in each. */
export async function writePacks(modules, packs, pathOf) {
  const numbers = new Map(packs.flat().map((path, number) => [path, number]));
  const starts = packs.map((paths) => numbers.get(paths[0]));
  for (const [at, paths] of packs.entries()) {
    const functions = paths.map((path) => functionOf(modules.get(path), numbers));
    // An export, so that nothing is taken for unused; then the value of the script.
    const { code } = await transform(`"use strict";module.exports=[${functions.join(',\n')}]`, {
      minifySyntax: true,
      minifyWhitespace: true,
      target: 'node20',
    });
    writeFileSync(pathOf(at), asAscii(code.replace('module.exports=', '')));
  }
  return starts;
}

async function commonJsOf(options) {
  const files = readdirSync('src', { recursive: true }).filter((name) => name.endsWith('.ts'));
  const quiet = { ...options, format: 'cjs', write: false };
  const own = { entryPoints: files.map((name) => join('src', name)), outbase: '.', outdir: '/', bundle: false };
  const foreign = { stdin: { contents: `module.exports = require('${PACKAGE}')`, resolveDir: '.' }, bundle: true };
  const [built, bundled] = await Promise.all([build({ ...quiet, ...own }), build({ ...quiet, ...foreign })]);
  const [{ text }] = bundled.outputFiles;
  return new Map([
    ...built.outputFiles.map((file) => [file.path.slice(1).replace(/\.js$/, '.ts'), file.text]),
    [PACKAGE, `const module = { exports: {} };\n${text.replace(STARTS_PROGRAMS, WHEN_USED)}\nreturn module.exports;`],
  ]);
}

/** The package loads a large part of Node, to start programs, which cadre does not use it for. */
const STARTS_PROGRAMS = 'require("node:child_process")';
const WHEN_USED = `{ get spawn() { return ${STARTS_PROGRAMS}.spawn; } }`;

/**
 * The body of a function that returns what the module exports. `import_x.name`, as esbuild writes what is imported, becomes
 * `(import_x ??= USE<path>).name`: the other module runs when it is first used, and after that it costs no call.
 */
function moduleFrom(path, commonJs) {
  const uses = new Set();
  const reach = (name) => {
    if (!name.endsWith('.ts') && name !== PACKAGE) return `require("${name}")`;
    const used = name === PACKAGE ? name : join(dirname(path), name);
    uses.add(used);
    return `USE<${used}>`;
  };
  const { exported, body } = partsOf(path, commonJs);
  const imported = new Map();
  const text = body
    .replace(/^var (import_\w+) = require\("([^"]+)"\);\n/gm, (_, variable, name) => {
      imported.set(variable, reach(name));
      return '';
    })
    .replace(/__toESM\(require\("([^"]+)"\), 1\)/g, (_, name) =>
      name.endsWith('.ts') ? reach(name) : `((it) => ({ ...it, default: it }))(require("${name}"))`,
    );
  const lazily = (code) =>
    code.replace(/\b(import_\w+)\./g, (all, variable) =>
      imported.has(variable) ? `(${variable} ??= ${imported.get(variable)}).` : all,
    );
  const variables = imported.size === 0 ? '' : `var ${[...imported.keys()].join(', ')};\n`;
  const returned = exported.map(([name, value]) => `${name}: ${lazily(value)}`).join(', ');
  const whole = `${variables}${lazily(text)}\nreturn { ${returned} };`;
  if (/__toESM|__toCommonJS|__reExport|__export\(/.test(whole)) throw new Error(`${path} imports in an unknown way.`);
  return { text: whole, uses };
}

/** What esbuild puts before the module (helpers and the table of exports) and after it (a note for Node) is not needed. */
function partsOf(path, commonJs) {
  const [before, ...rest] = commonJs.split(/^module\.exports = __toCommonJS\(\w+\);\n/m);
  if (rest.length !== 1) throw new Error(`${path} is not what esbuild makes of a module.`);
  const [table = ''] = /^__export\(\w+, \{\n[^}]*\}\);\n/m.exec(before) ?? [];
  const exported = [...table.matchAll(/^ {2}(\w+): \(\) => ([\w.]+),?$/gm)].map(([, name, value]) => [name, value]);
  return { exported, body: rest[0].replace(/^\/\/ Annotate the CommonJS export names[\s\S]*/m, '') };
}

function functionOf({ text }, numbers) {
  return `(__use, require) => {${text.replace(/USE<([^>]+)>/g, (_, path) => `__use(${numbers.get(path)})`)}\n}`;
}

/** esbuild escapes what is not ASCII, except in regular expressions, where the same escapes mean the same. */
function asAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
