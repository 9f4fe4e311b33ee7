// The terminal of this process: raw keys, the alternate screen, and the way back to how it was.
import { writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { Terminal, TerminalListener } from '../../surfaces/tui/terminal/person-terminal.ts';

/** Alternate screen, no cursor, pasted text in brackets, clicks and the wheel with places of any size. */
const TAKE = '\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1000h\x1b[?1006h';
const GIVE_BACK = '\x1b[?2026l\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l';

/** How long an escape may be the beginning of a sequence, in milliseconds. */
const ESCAPE_WAITS = 40;

export function openTerminal(env: NodeJS.ProcessEnv): Terminal {
  const { stdin, stdout } = process;
  let listener: TerminalListener | undefined;
  let isTaken = false;
  let decoder = new StringDecoder('utf8');
  let timer: NodeJS.Timeout | undefined;

  const typed = (bytes: Buffer): void => {
    clearTimeout(timer);
    listener?.typed(decoder.write(bytes));
    timer = setTimeout(() => listener?.paused(), ESCAPE_WAITS);
  };
  const resized = (): void => listener?.resized();
  const take = (): void => {
    if (isTaken) return;
    isTaken = true;
    decoder = new StringDecoder('utf8');
    stdin.setRawMode(true);
    stdin.on('data', typed);
    stdin.resume();
    writeNow(TAKE);
  };
  const giveBack = (): void => {
    if (!isTaken) return;
    isTaken = false;
    clearTimeout(timer);
    writeNow(GIVE_BACK);
    stdin.off('data', typed);
    stdin.pause();
    restoreMode(stdin);
  };
  const suspend = (): void => {
    giveBack();
    process.kill(process.pid, 'SIGSTOP');
  };
  const continued = (): void => {
    if (listener === undefined) return;
    take();
    listener.disturbed();
  };

  return {
    env,
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    open(given) {
      listener = given;
      take();
      stdout.on('resize', resized);
      process.on('SIGCONT', continued);
      process.on('SIGTSTP', suspend);
      process.on('exit', giveBack);
      // Before Node prints what went wrong, so that it can be read.
      process.on('uncaughtExceptionMonitor', giveBack);
    },
    write: writeNow,
    close() {
      listener = undefined;
      giveBack();
      stdout.off('resize', resized);
      process.off('SIGCONT', continued);
      process.off('SIGTSTP', suspend);
      process.off('exit', giveBack);
      process.off('uncaughtExceptionMonitor', giveBack);
    },
    async lend(use) {
      giveBack();
      try {
        return await use();
      } finally {
        if (listener !== undefined) {
          take();
          listener.disturbed();
        }
      }
    },
    suspend,
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
