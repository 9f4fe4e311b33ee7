// The lines of a prompt: typed at this terminal, with completion and history, or read from standard input.
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { homeFolder } from '../adapters/repo/repo.ts';
import { disk } from '../adapters/system/disk.ts';
import { type LineHistory, lineHistory, MOST_LINES } from '../adapters/system/line-history.ts';
import { fileLocks } from '../adapters/system/lock.ts';
import { Failure, systemCode } from '../core/model/failure.ts';
import type { LineReading, Lines } from '../surfaces/cli/repl/lines.ts';

export interface LineSource {
  readonly isAtTerminal: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly stop: AbortSignal;
}

export function openLines(reading: LineReading, { isAtTerminal, env, stop }: LineSource): Lines {
  const lines = isAtTerminal
    ? typedLines(reading, historyIn(env), stop)
    : createInterface({ input: process.stdin, signal: stop });
  return { areTyped: isAtTerminal, [Symbol.asyncIterator]: () => lines[Symbol.asyncIterator]() };
}

function historyIn(env: NodeJS.ProcessEnv): LineHistory {
  return lineHistory(disk, fileLocks({ command: 'cadre repl' }), join(homeFolder(env), 'repl-history'));
}

/**
 * Each line has its own interface, so that the terminal is as usual while a command runs: the command may ask something, and
 * Ctrl-C is for it.
 */
async function* typedLines(reading: LineReading, history: LineHistory, stop: AbortSignal): AsyncGenerator<string> {
  let typedAhead = '';
  while (!stop.aborted) {
    const read = await readLines(reading, readable(history), typedAhead, stop);
    if (read === undefined) return;
    typedAhead = read.rest;
    for (const line of read.lines) {
      await kept(history, line);
      yield line;
    }
  }
}

interface ReadLines {
  /** More than one where several were pasted. */
  readonly lines: readonly string[];
  /** What was typed behind them. */
  readonly rest: string;
}

/** Undefined at the end of the input. */
async function readLines(
  { prompt, complete }: LineReading,
  past: readonly string[],
  typedAhead: string,
  stop: AbortSignal,
): Promise<ReadLines | undefined> {
  const reader = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: true,
    prompt,
    history: past.toReversed(),
    historySize: MOST_LINES,
    removeHistoryDuplicates: true,
    signal: stop,
    completer: (line: string, answer: (error: null, found: [string[], string]) => void) => {
      complete(line).then(
        ({ matches, replaces }) => answer(null, [[...matches], replaces]),
        () => answer(null, [[], line]),
      );
    },
  });
  const lines: string[] = [];
  const hasRead = new Promise<boolean>((done) => {
    reader.on('line', (line) => {
      lines.push(line);
      done(true);
    });
    reader.once('close', () => done(false));
    reader.on('SIGINT', () => clearLine(reader));
  });
  reader.prompt();
  reader.write(typedAhead);
  if (!(await hasRead)) {
    process.stderr.write('\n');
    return undefined;
  }
  const rest = reader.line;
  reader.close();
  return { lines, rest };
}

/** Ctrl-C drops what is typed, as in a shell. */
function clearLine(reader: Interface): void {
  process.stderr.write('^C\n');
  reader.write(null, { ctrl: true, name: 'e' });
  reader.write(null, { ctrl: true, name: 'u' });
  reader.prompt();
}

/** Without its history the prompt works as well. */
function readable(history: LineHistory): readonly string[] {
  try {
    return history.read();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

async function kept(history: LineHistory, line: string): Promise<void> {
  try {
    await history.add(line);
  } catch (error) {
    if (!(error instanceof Failure) && systemCode(error) === undefined) throw error;
  }
}
