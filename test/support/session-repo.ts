// A temporary repository with its own host. None of its sessions outlives the test.
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { repoName } from '../../src/adapters/repo/repo.ts';
import type { SessionView } from '../../src/core/views/session.ts';
import { killIfThere, killServer, processesWith, textOf, written } from './hosts.ts';
import { type Ran, type Repo, temporaryRepo } from './repo.ts';
import { start } from './several.ts';

export type HostKind = 'tmux' | 'process';

export interface SessionRepo extends Repo {
  /** The name of the tmux server of this repository. */
  readonly server: string;
  /** A folder beside the repository to which test programs may write. */
  readonly outside: string;
  /** Runs `cadre session ...` without blocking the test. */
  session(...argv: readonly string[]): Promise<Ran>;
  /** Runs a command that must succeed, and returns the session that it reports. */
  view(...argv: readonly string[]): Promise<SessionView>;
  sessions(...argv: readonly string[]): readonly SessionView[];
  worktreeOf(place: string): string;
}

export function sessionRepo(host: HostKind, folder?: string): SessionRepo {
  const repo = temporaryRepo(folder);
  repo.env.CADRE_HOST = host;
  const server = `cadre-${repoName(repo.root).slice(-12)}`;
  onTestFinished(() => {
    // Even if the test started with the other host.
    killServer(server);
    // Also an engine that was only starting when the one before was killed; then the agents, which it could restart.
    for (const entry of [`CADRE_HOME=${repo.home}`, `CADRE_SESSION_FOLDER=${repo.home}/`])
      for (const pid of processesWith(entry)) killIfThere(pid);
  });
  const session = (...argv: readonly string[]): Promise<Ran> =>
    start(['session', ...argv], { cwd: repo.root, env: repo.env });
  return {
    ...repo,
    server,
    outside: resolve(repo.root, '..'),
    session,
    async view(...argv) {
      const [command = '', ...rest] = argv;
      const ran = await session(command, '--json', ...rest);
      if (ran.code !== 0)
        throw new Error(`"session ${argv.join(' ')}" failed (${ran.code}): ${ran.stdout}${ran.stderr}`);
      return JSON.parse(ran.stdout).session;
    },
    sessions: (...argv) => (repo.json('session', 'list', ...argv) as { sessions: readonly SessionView[] }).sessions,
    worktreeOf: (place) => `${repo.state()}/worktrees/adhoc/${place}`,
  };
}

/** A program of test/support/programs with its arguments, for `--program`. */
export function program(name: string, ...argv: readonly string[]): string {
  return [process.execPath, resolve('test/support/programs', name), ...argv].map(quoted).join(' ');
}

/** A script for sh, for `--program`. */
export function inSh(script: string): string {
  return ['sh', '-c', script].map(quoted).join(' ');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** A session in which clerk.mjs is listening. It writes every line that it receives to its report. */
export async function clerkIn(
  repo: SessionRepo,
  title: string,
): Promise<{ readonly view: SessionView; readonly report: string; readonly pid: number }> {
  const report = `${repo.outside}/${title}.heard`;
  const view = await repo.view('new', '--title', title, '-p', program('clerk.mjs', report));
  const pid = Number.parseInt(await written(report), 10);
  return { view, report, pid };
}

export function heardBy(report: string): readonly string[] {
  return textOf(report).split('\n').slice(1, -1);
}
