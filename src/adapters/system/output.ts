// Standard output without a stream: what is said is out at once, and a short command need not load Node's streams for it.
import { writeSync } from 'node:fs';
import { systemCode } from '../../core/model/failure.ts';

const STANDARD_OUTPUT = 1;
/** In milliseconds, when a pipe is full and was told by someone else not to wait. */
const PAUSE = 5;

/** Whether anyone still reads: they may leave early, as `head` does, and that is no failure. */
export function put(text: string): boolean {
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(STANDARD_OUTPUT, rest));
    } catch (error) {
      const code = systemCode(error);
      if (code === 'EPIPE') return false;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
  return true;
}
