// Loads the program from its packs. A module of src is a function there, called when another module first uses something of
// it, and each pack comes with what V8 made of it at build time: to read, compile and run what a command does not need takes
// longer than what a short command does.
import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';

/** Of the built file, which is beside the packs. node:module, for one of our own, takes time to load. */
declare const require: unknown;

export interface Packs {
  /** What a module exports. The modules are numbered through all packs; number 0 is the program. */
  use(module: number): unknown;
  /** The modules that have run so far. */
  used(): readonly number[];
  /** What V8 has made of a pack so far, to be kept for the next start. */
  compiled(pack: number): Buffer;
}

/** `starts`: the number of the first module in each pack. */
export function openPacks(folder: string, starts: readonly number[]): Packs {
  const packs: Pack[] = [];
  const packAt = (at: number): Pack => {
    packs[at] ??= loadPack(packPath(folder, at));
    return packs[at];
  };

  const exported = new Map<number, unknown>();
  const use = (module: number): unknown => {
    if (!exported.has(module)) exported.set(module, run(module));
    return exported.get(module);
  };
  const run = (module: number): unknown => {
    const at = starts.findLastIndex((start) => start <= module);
    return packAt(at).modules[module - (starts[at] ?? 0)]?.(use, require);
  };

  return {
    use,
    used: () => [...exported.keys()],
    compiled: (pack) => packAt(pack).script.createCachedData(),
  };
}

export function packPath(folder: string, at: number): string {
  return `${folder}/pack-${at + 1}.js`;
}

export function compiledPath(path: string): string {
  return path.replace(/\.js$/, '.compiled');
}

interface Pack {
  readonly script: Script;
  readonly modules: readonly ((use: Packs['use'], require: unknown) => unknown)[];
}

function loadPack(path: string): Pack {
  const cachedData = readIfThere(compiledPath(path));
  // The build writes ASCII only, which is read twice as fast as anything that has to be decoded.
  const source = readFileSync(path, 'latin1');
  const script = new Script(source, { filename: path, ...(cachedData === undefined ? {} : { cachedData }) });
  return { script, modules: script.runInThisContext() };
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
