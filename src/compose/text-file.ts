// Text that a person passes in: a file, or standard input.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodeText } from '../adapters/system/signal-file.ts';
import { diskFailure, Failure, systemCode } from '../core/model/failure.ts';
import { showName } from '../text/show.ts';

export function readText(path: string): string {
  try {
    return textOfFile(readFileSync(path), path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { message } = diskFailure(error, 'read', path);
    throw new Failure('usage', systemCode(error) ?? 'unreadable', message, { cause: error });
  }
}

/** Creates a file that does not exist yet; false, and nothing is changed, where something has this name already. */
export function createText(path: string, text: string): boolean {
  let file: number;
  try {
    mkdirSync(dirname(path), { recursive: true });
    file = openSync(path, 'wx');
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw diskFailure(error, 'create', path);
  }
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
    return true;
  } catch (error) {
    // Half a plan would be read as a whole one.
    rmSync(path, { force: true });
    throw diskFailure(error, 'write', path);
  } finally {
    closeSync(file);
  }
}

/** Refuses bytes that are not text: decoding would change them silently. */
export function textOfFile(bytes: Buffer, from: string): string {
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  throw new Failure('usage', 'not-utf8', `${showName(from)} is not UTF-8 text, or contains NUL bytes.`);
}
