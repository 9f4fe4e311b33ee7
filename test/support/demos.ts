// Starts "cadre demo" in its own temporary folder, and looks at what it leaves behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { repoName } from '../../src/adapters/repo/repo.ts';
import { livePids, textOf } from './hosts.ts';
import { temporaryFolder } from './pieces.ts';
import { MAIN } from './repo.ts';

/** It takes well under a minute; more on a machine that runs all other tests too. */
export const DEMO_TIME_LIMIT = 170_000;

export interface Demo {
  readonly process: ChildProcess;
  /** Resolves when a line of its output matches. */
  line(matches: RegExp): Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  /** What is left of it: files in its temporary folder, tmux sockets, and processes started from there. */
  left(): {
    readonly files: readonly string[];
    readonly sockets: readonly string[];
    readonly processes: readonly number[];
  };
}

export function startDemo(...options: readonly string[]): Demo {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [MAIN, 'demo', ...options], {
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, TZ: 'UTC' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const look of waiting) look();
    });
  const ended = new Promise<{ code: number | null; output: string }>((done) =>
    child.once('close', (code) => done({ code, output })),
  );
  return {
    process: child,
    ended,
    line: (matches) =>
      new Promise((found, failed) => {
        const look = (): void => void (matches.test(output) && found());
        waiting.add(look);
        look();
        ended.then(() => failed(new Error(`The demo ended without ${matches}:\n${output}`)));
      }),
    left: () => ({
      files: readdirSync(folder),
      sockets: socketsOf(output),
      processes: livePids().filter((pid) => textOf(`/proc/${pid}/environ`).includes(folder)),
    }),
  };
}

/** The tmux socket of the repository that the output names. */
function socketsOf(output: string): readonly string[] {
  const [folder = ''] = /\/\S*\/cadre-demo-\w+/.exec(output) ?? [];
  expect(folder).not.toBe('');
  const server = `cadre-${repoName(join(folder, 'repository')).slice(-12)}`;
  const sockets = `/tmp/tmux-${process.getuid?.()}`;
  return existsSync(sockets) ? readdirSync(sockets).filter((name) => name === server) : [];
}
