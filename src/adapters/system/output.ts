// Standard output and standard error without streams: text is out at once, and a short command does not have to load
// Node's streams.
import { writeSync } from 'node:fs';
import { systemCode } from '../../core/model/failure.ts';

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;
/** Before retrying a full pipe that another process has made non-blocking. In milliseconds. */
const PAUSE = 5;
/** A program that Node started writes to a socket, which says ECONNRESET if it was waiting or had unread text. */
const NOBODY_READS: readonly string[] = ['EPIPE', 'ECONNRESET'];

/** Returns false if nobody reads any longer: a reader may leave early, as `head` does, and that is not a failure. */
export function put(text: string): boolean {
  try {
    writeAll(STANDARD_OUTPUT, text);
    return true;
  } catch (error) {
    if (NOBODY_READS.includes(systemCode(error) ?? '')) return false;
    throw error;
  }
}

/** For people. A full disk or a reader that left is no reason to stop: there is no other place to say it. */
export function say(text: string): void {
  try {
    writeAll(STANDARD_ERROR, `${text}\n`);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

function writeAll(descriptor: number, text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}
