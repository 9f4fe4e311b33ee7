// A person at a real terminal: a tmux server of their own, keys that are sent one by one, and the screen as text.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { quoteForShell } from '../../src/text/shell.ts';
import { killServer, tmux } from './hosts.ts';
import { eventually, MAIN } from './repo.ts';
import type { SessionRepo } from './session-repo.ts';

export interface PersonAtTerminal {
  /** Types "cadre" and Enter. */
  starts(...argv: readonly string[]): void;
  /** Types a line at the shell, and Enter. */
  runs(line: string): void;
  /** Keys as tmux names them. */
  types(...keys: readonly string[]): void;
  /** Every character of the text. */
  writes(text: string): void;
  /** A click with the left button, or a turn of the wheel; from zero, at the top left. */
  clicks(row: number, column: number): void;
  wheels(row: number, column: number, by: -1 | 1): void;
  /** Waits until all of these are on the screen. */
  sees(...texts: readonly string[]): Promise<void>;
  seesNo(text: string): Promise<void>;
  screen(): string;
  /** With colours, as SGR sequences. */
  colouredScreen(): string;
  resizes(columns: number, rows: number): void;
  isOnAlternateScreen(): boolean;
  title(): string;
  /** Whether the terminal echoes and edits lines, as a shell needs it. */
  isCooked(): boolean;
  /** Sends a signal to what runs in the terminal. */
  ends(signal: string): void;
  /** The process that runs in the terminal. */
  pid(): number;
}

export interface PersonOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Where the person is; the repository where nothing is said. */
  readonly folder?: string;
}

const PATIENCE = 60_000;

export function personIn(
  repo: Pick<SessionRepo, 'env' | 'root'>,
  { columns = 120, rows = 40, env: more = {}, folder = repo.root }: PersonOptions = {},
): PersonAtTerminal {
  const server = `cadre-person-${randomBytes(4).toString('hex')}`;
  // What still ends when the test is over would start a tmux for its agents again, and nobody would stop that one.
  onTestFinished(async () => {
    const running = children();
    killServer(server);
    await eventually(
      () => running.filter(isRunning),
      (left) => left.length === 0,
    );
  });
  const variables = { ...repo.env, TERM: 'tmux-256color', ...more };
  const env = Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const size = ['-x', `${columns}`, '-y', `${rows}`];
  const opening = ['new-session', '-d', '-s', 'person', ...size, '-c', folder, 'env', '-i', ...env, 'sh'];
  const { stderr } = spawnSync('tmux', ['-L', server, '-f', '/dev/null', ...opening], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const ask = (...words: readonly string[]): string => tmux(server, ...words);
  const screen = (): string => ask('capture-pane', '-p', '-t', 'person');
  const writes = (text: string): void => void ask('send-keys', '-t', 'person', '-l', text);
  const types = (...keys: readonly string[]): void => {
    for (const key of keys) ask('send-keys', '-t', 'person', key);
  };
  const runs = (line: string): void => {
    writes(line);
    types('Enter');
  };
  const about = (what: string): string => ask('display-message', '-p', '-t', 'person', `#{${what}}`).trim();
  const children = (): readonly number[] => {
    const { stdout } = spawnSync('pgrep', ['-P', about('pane_pid')], { encoding: 'utf8' });
    return stdout.trim().split('\n').map(Number);
  };
  const child = (): number => children()[0] ?? Number.NaN;
  return {
    starts: (...argv) => runs(`clear; ${quoteForShell([process.execPath, MAIN, ...argv])}; echo "EXIT $?"`),
    runs,
    types,
    writes,
    clicks: (row, column) => writes(`\x1b[<0;${column + 1};${row + 1}M\x1b[<0;${column + 1};${row + 1}m`),
    wheels: (row, column, by) => writes(`\x1b[<${by === 1 ? 65 : 64};${column + 1};${row + 1}M`),
    sees: async (...texts) =>
      void (await eventually(screen, (shown) => texts.every((text) => shown.includes(text)), PATIENCE)),
    seesNo: async (text) => void (await eventually(screen, (shown) => !shown.includes(text), PATIENCE)),
    screen,
    colouredScreen: () => ask('capture-pane', '-e', '-p', '-t', 'person'),
    resizes: (wide, high) => void ask('resize-window', '-t', 'person', '-x', `${wide}`, '-y', `${high}`),
    isOnAlternateScreen: () => about('alternate_on') === '1',
    title: () => about('pane_title'),
    isCooked() {
      const { stdout } = spawnSync('stty', ['-a', '-F', about('pane_tty')], { encoding: 'utf8' });
      return / icanon\b/.test(stdout) && / echo\b/.test(stdout);
    },
    ends: (signal) => void spawnSync('kill', [`-${signal}`, `${child()}`]),
    pid: child,
  };
}

function isRunning(pid: number): boolean {
  return pid > 0 && existsSync(`/proc/${pid}`);
}
