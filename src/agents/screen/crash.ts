// The last lines that common runtimes print when a program crashes, at the bottom of the screen.

import { oneLine } from '../../text/one-line.ts';
import type { ScreenReading } from '../agent.ts';
import { nonBlankAbove, type ScreenLine } from './screen-lines.ts';

interface CrashPattern {
  /** Matches the last line. */
  readonly last: RegExp;
  /** Matches the line that says what happened: the last line, or one above it. */
  readonly message: RegExp;
}

const RUNTIMES: readonly CrashPattern[] = [
  // Node and Bun print their version after the stack trace.
  { last: /^(?:Node\.js v\d|Bun v\d)/, message: /^(?:Uncaught )?(?:\w*Error|error)\b.*/ },
  { last: /^note: run with `RUST_BACKTRACE/, message: /^thread '.*' (?:\(\d+\) )?panicked at\b.*/ },
  { last: /^[\w.]+(?:Error|Exception|Interrupt)\b(?::|$)/, message: /^Traceback \(most recent call last\):/ },
  // tmux writes this when the program in a pane has exited.
  { last: /^Pane is dead\b/, message: /^Pane is dead\b.*/ },
];

const TRACE_REACH = 40;

export function readCrash(lines: readonly ScreenLine[]): ScreenReading | undefined {
  const bottom = nonBlankAbove(lines, lines.length, TRACE_REACH);
  const last = bottom.at(-1) ?? '';
  for (const runtime of RUNTIMES) {
    const message = runtime.last.test(last) ? bottom.findLast((line) => runtime.message.test(line)) : undefined;
    if (message === undefined) continue;
    // Python prints the message last, and only the heading of the trace distinguishes it from ordinary output.
    return { kind: 'crashed', message: oneLine(message.startsWith('Traceback') ? last : message) };
  }
  return undefined;
}
