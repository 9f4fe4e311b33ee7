// What was typed at the terminal of this process before anybody asked for it: read without waiting, and so dropped.
import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { systemCode } from '../../core/model/failure.ts';

/** The lines that were typed, the last of them perhaps without its end. Blank ones are left out. */
export function dropTyped(stdin: ReadStream): readonly string[] {
  const { isRaw } = stdin;
  // Raw, because a terminal keeps a line back until it is ended.
  stdin.setRawMode(true);
  const typed = heldBack(stdin) + waiting();
  stdin.setRawMode(isRaw);
  return typed
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** What the stream has read already. Reading an empty stream would start it. */
function heldBack(stdin: ReadStream): string {
  return stdin.readableLength > 0 ? String(stdin.read()) : '';
}

/** A separate descriptor does not wait, and changes nothing for the others of this terminal. */
function waiting(): string {
  let terminal: number | undefined;
  const chunks: Buffer[] = [];
  try {
    terminal = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    for (;;) {
      const chunk = Buffer.alloc(4096);
      const length = readSync(terminal, chunk);
      if (length === 0) break;
      chunks.push(chunk.subarray(0, length));
    }
  } catch (error) {
    // Nothing more was typed, or the process has no terminal.
    if (systemCode(error) === undefined) throw error;
  } finally {
    if (terminal !== undefined) closeSync(terminal);
  }
  return Buffer.concat(chunks).toString('utf8');
}
