// Loads a CommonJS file with what V8 made of it at build time. Compiling the program anew at every start takes longer than
// anything else that a short command does.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** Of the built file, which is beside the files that it loads. node:module, for one of our own, takes time to load. */
declare const require: unknown;

export interface Loaded {
  readonly exports: unknown;
  /** What V8 has made of the file so far, to be kept for the next start. */
  compiled(): Buffer;
  /** What was kept did not fit: it is of another version of Node. */
  readonly isStale: boolean;
}

export function loadCompiled(path: string): Loaded {
  const cachedData = readIfThere(keptFor(path));
  // The build writes ASCII only, which is read twice as fast as anything that has to be decoded.
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'latin1')}\n})`;
  const script = new Script(source, { filename: path, ...(cachedData === undefined ? {} : { cachedData }) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, path, dirname(path));
  return {
    exports: module.exports,
    compiled: () => script.createCachedData(),
    isStale: script.cachedDataRejected === true,
  };
}

export function keptFor(path: string): string {
  return path.replace(/\.js$/, '.compiled');
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
