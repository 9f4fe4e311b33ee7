// How the runtimes that agents are written in end a program that failed: their last words, at the bottom of the screen.

import { oneLine } from '../../text/one-line.ts';
import type { ScreenReading } from '../agent.ts';
import { nonBlankAbove, type ScreenLine } from './screen-lines.ts';

interface LastWords {
  /** The very last line. */
  readonly last: RegExp;
  /** The line that says what happened, somewhere above it or the last line itself. */
  readonly message: RegExp;
}

const RUNTIMES: readonly LastWords[] = [
  // Node and Bun say their version after the trace.
  { last: /^(?:Node\.js v\d|Bun v\d)/, message: /^(?:Uncaught )?(?:\w*Error|error)\b.*/ },
  { last: /^note: run with `RUST_BACKTRACE/, message: /^thread '.*' (?:\(\d+\) )?panicked at\b.*/ },
  { last: /^[\w.]+(?:Error|Exception|Interrupt)\b(?::|$)/, message: /^Traceback \(most recent call last\):/ },
  // What tmux writes into a terminal whose program has ended.
  { last: /^Pane is dead\b/, message: /^Pane is dead\b.*/ },
];

const TRACE_REACH = 40;

export function readCrash(lines: readonly ScreenLine[]): ScreenReading | undefined {
  const bottom = nonBlankAbove(lines, lines.length, TRACE_REACH);
  const last = bottom.at(-1) ?? '';
  for (const runtime of RUNTIMES) {
    const message = runtime.last.test(last) ? bottom.findLast((line) => runtime.message.test(line)) : undefined;
    if (message === undefined) continue;
    // Python puts the message last, and only the heading of the trace tells it from ordinary output.
    return { kind: 'crashed', message: oneLine(message.startsWith('Traceback') ? last : message) };
  }
  return undefined;
}
