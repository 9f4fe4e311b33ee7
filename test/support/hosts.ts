// Hosts for tests, each with its own folder and server. Both are removed when the test ends, passed or failed.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { ProcessHost } from '../../src/adapters/sessions/process/process-host.ts';
import type { ServerName } from '../../src/adapters/sessions/tmux/control.ts';
import { TmuxHost } from '../../src/adapters/sessions/tmux/tmux-host.ts';
import { ownPlaceOf, type SessionId, sessionId } from '../../src/core/model/ids.ts';
import type { Host, HostedSession, Launch } from '../../src/core/ports/host.ts';
import { temporaryFolder } from './pieces.ts';
import { eventually } from './repo.ts';

export interface Bench {
  /** Opens the host as one cadre process does. A second call acts as the next process. */
  open(): Host;
  /** Where hosts keep their files. */
  readonly sessions: string;
  /** Where programs run. */
  readonly work: string;
  /** The name of the tmux server; the process host does not use it. */
  readonly server: ServerName;
}

export function tmuxBench(timeout?: number, waitsForPaste = true): Bench {
  const bench = newBench();
  onTestFinished(() => killServer(bench.server));
  return withHosts(
    bench,
    () =>
      new TmuxHost({
        server: bench.server,
        folder: bench.sessions,
        waitsForPaste,
        ...(timeout === undefined ? {} : { timeout }),
      }),
  );
}

export function processBench(): Bench {
  const bench = newBench();
  return withHosts(bench, () => new ProcessHost({ folder: bench.sessions }));
}

function newBench(): Omit<Bench, 'open'> {
  const base = temporaryFolder();
  const [sessions, work] = [join(base, 'sessions'), join(base, 'work')];
  for (const folder of [sessions, work]) mkdirSync(folder);
  return { sessions, work, server: name(`cadre-test-${randomBytes(6).toString('hex')}`) };
}

function withHosts(bench: Omit<Bench, 'open'>, make: () => Host): Bench {
  // Programs that a test leaves running must not outlive it.
  onTestFinished(() => {
    for (const pid of processesWith(`CADRE_SESSION_FOLDER=${bench.sessions}/`)) killIfThere(pid);
  });
  return {
    ...bench,
    open() {
      const host = make();
      onTestFinished(() => host.close());
      return host;
    },
  };
}

export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

export function killServer(server: string): void {
  tmux(server, 'kill-server');
  for (const file of [server, `${server}.lock`]) rmSync(`/tmp/tmux-${process.getuid?.()}/${file}`, { force: true });
}

/** Runs tmux as a person would, on the test's own server. */
export function tmux(server: string, ...argv: string[]): string {
  const { TMUX: _, TMUX_TMPDIR: __, ...env } = process.env;
  return spawnSync('tmux', ['-N', '-L', server, '-f', '/dev/null', ...argv], { env, encoding: 'utf8' }).stdout;
}

export function name(text: string): SessionId {
  const made = sessionId(text);
  if (made === undefined) throw new Error(`"${text}" is not a valid id.`);
  return made;
}

/** Launches a program of test/support/programs. Its environment contains nothing else. */
export function launchOf(bench: Bench, session: string, program: string, ...argv: string[]): Launch {
  return {
    session: name(session),
    place: ownPlaceOf(name(session)),
    argv: [process.execPath, resolve('test/support/programs', program), ...argv],
    cwd: bench.work,
    env: { PATH: '/usr/bin:/bin', CADRE_SESSION: session, TERM: 'xterm-256color' },
  };
}

export function inSh(bench: Bench, session: string, script: string): Launch {
  return { ...launchOf(bench, session, ''), argv: ['/bin/sh', '-c', script] };
}

export function inPlace(place: string, launch: Launch): Launch {
  return { ...launch, place: ownPlaceOf(name(place)) };
}

export async function lifeOf(host: Host, session: string): Promise<HostedSession['life'] | undefined> {
  return (await host.list()).find((one) => one.session === session)?.life;
}

/** The file's text, once it exists and matches. */
export async function written(path: string, fits: (text: string) => boolean = (text) => text !== ''): Promise<string> {
  return eventually(() => textOf(path), fits);
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Running processes whose environment has an entry that starts like this. */
export function processesWith(entry: string): readonly number[] {
  return livePids().filter((pid) =>
    textOf(`/proc/${pid}/environ`)
      .split('\0')
      .some((one) => one.startsWith(entry)),
  );
}

export function livePids(): readonly number[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .map(Number)
    .filter((pid) => pid !== process.pid && isLive(pid));
}

export function isLive(pid: number): boolean {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat !== '' && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

export function cwdOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
