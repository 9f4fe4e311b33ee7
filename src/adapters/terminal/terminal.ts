// The terminal of this process: raw keys, the alternate screen, and the way back to how it was.
import { writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { Terminal, TerminalListener } from '../../surfaces/tui/terminal/person-terminal.ts';

/** Alternate screen, no cursor, pasted text in brackets, clicks and the wheel with places of any size. */
const TAKE = '\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1000h\x1b[?1006h';
const GIVE_BACK = '\x1b[?2026l\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l';

/** Signals that end a process, apart from those on which this program ends in order. */
const DEADLY: readonly NodeJS.Signals[] = [
  'SIGQUIT',
  'SIGABRT',
  'SIGALRM',
  'SIGVTALRM',
  'SIGUSR2',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGTRAP',
  'SIGSYS',
];

/** How long an escape may be the beginning of a sequence, in milliseconds. */
const ESCAPE_WAITS = 40;

export function openTerminal(env: NodeJS.ProcessEnv): Terminal {
  return new OwnTerminal(env);
}

class OwnTerminal implements Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly write = writeNow;
  #listener: TerminalListener | undefined;
  #isTaken = false;
  #decoder = new StringDecoder('utf8');
  #timer: NodeJS.Timeout | undefined;

  constructor(env: NodeJS.ProcessEnv) {
    this.env = env;
  }

  size(): { readonly columns: number; readonly rows: number } {
    const { columns, rows } = process.stdout;
    return { columns: columns || 80, rows: rows || 24 };
  }

  open(listener: TerminalListener): void {
    this.#listener = listener;
    this.#take();
    process.stdout.on('resize', this.#resized);
    process.on('SIGCONT', this.#continued);
    process.on('SIGTSTP', this.#stopped);
    process.on('exit', this.#giveBack);
    for (const name of DEADLY) process.on(name, this.#die);
    // Before Node prints what went wrong, so that it can be read.
    process.on('uncaughtExceptionMonitor', this.#giveBack);
  }

  close(): void {
    this.#listener = undefined;
    this.#giveBack();
    process.stdout.off('resize', this.#resized);
    process.off('SIGCONT', this.#continued);
    process.off('SIGTSTP', this.#stopped);
    process.off('exit', this.#giveBack);
    for (const name of DEADLY) process.off(name, this.#die);
    process.off('uncaughtExceptionMonitor', this.#giveBack);
  }

  async lend<Result>(use: () => Promise<Result>): Promise<Result> {
    this.#giveBack();
    try {
      return await use();
    } finally {
      this.#continued();
    }
  }

  suspend(): void {
    this.#giveBack();
    process.kill(process.pid, 'SIGSTOP');
  }

  #take(): void {
    if (this.#isTaken) return;
    this.#isTaken = true;
    this.#decoder = new StringDecoder('utf8');
    process.stdin.setRawMode(true);
    process.stdin.on('data', this.#typed);
    process.stdin.resume();
    writeNow(TAKE);
  }

  readonly #giveBack = (): void => {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    clearTimeout(this.#timer);
    writeNow(GIVE_BACK);
    process.stdin.off('data', this.#typed);
    process.stdin.pause();
    restoreMode(process.stdin);
  };

  readonly #typed = (bytes: Buffer): void => {
    clearTimeout(this.#timer);
    this.#listener?.typed(this.#decoder.write(bytes));
    this.#timer = setTimeout(() => this.#listener?.paused(), ESCAPE_WAITS);
  };

  readonly #resized = (): void => this.#listener?.resized();

  readonly #stopped = (): void => this.#listener?.stopped();

  readonly #continued = (): void => {
    if (this.#listener === undefined) return;
    this.#take();
    this.#listener.disturbed();
  };

  readonly #die = (name: NodeJS.Signals): void => {
    this.#giveBack();
    process.off(name, this.#die);
    process.kill(process.pid, name);
  };
}

/** At once, also while the process ends. A terminal that is gone is written to no more. */
function writeNow(text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EAGAIN') return;
    }
  }
}

function restoreMode(stdin: NodeJS.ReadStream): void {
  try {
    stdin.setRawMode(false);
  } catch {
    // The terminal is gone.
  }
}
