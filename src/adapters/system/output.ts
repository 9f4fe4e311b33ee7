// Standard output without a stream: text is out at once, and a short command does not have to load Node's streams.
import { writeSync } from 'node:fs';
import { systemCode } from '../../core/model/failure.ts';

const STANDARD_OUTPUT = 1;
/** Before retrying a full pipe that another process has made non-blocking. In milliseconds. */
const PAUSE = 5;

/** Returns false if nobody reads any longer: a reader may leave early, as `head` does, and that is not a failure. */
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
