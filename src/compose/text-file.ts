// Text that a person passes in: a file, or standard input.
import { readFileSync } from 'node:fs';
import { decodeText } from '../adapters/system/signal-file.ts';
import { diskFailure, Failure, systemCode } from '../core/model/failure.ts';
import { showName } from '../text/show.ts';

export function readText(path: string): string {
  try {
    return textOf(readFileSync(path), path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { message } = diskFailure(error, 'read', path);
    throw new Failure('usage', systemCode(error) ?? 'unreadable', message, { cause: error });
  }
}

/** Refuses bytes that are not text: decoding would change them silently. */
export function textOf(bytes: Buffer, from: string): string {
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  throw new Failure('usage', 'not-utf8', `${showName(from)} is not UTF-8 text, or contains NUL bytes.`);
}
