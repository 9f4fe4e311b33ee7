// A repository with two runs, a person's home folder around it, and an agent behind its wall in the first of them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Reached } from '../../src/adapters/system/failpoints.ts';
import { agentWallArguments } from '../../src/adapters/walls/agent-wall.ts';
import { type CommitImports, commitImports } from '../../src/adapters/walls/import-commits.ts';
import { makePrivateGit, privateFolderFor, privateGitIn } from '../../src/adapters/walls/private-git.ts';
import { treeContext } from '../../src/adapters/worktrees/tree-context.ts';
import { type SessionId, sessionIdFor } from '../../src/core/model/ids.ts';
import type { Tree, TreeName } from '../../src/core/model/run-name.ts';
import { SANDBOX } from '../../src/core/settings/sandbox.ts';
import { BRANCH, openBench, PLAN, RUN, type RunBench, runBench } from './run-bench.ts';
import type { Attempt } from './wall-attempts.ts';

export const OTHER_RUN: Tree = { plan: PLAN, name: 't2-a1' as TreeName };

export interface AgentWallBench extends RunBench {
  readonly imports: CommitImports;
  readonly session: SessionId;
  /** The private git folder of the session, and the folder around it. */
  readonly privateGit: string;
  readonly folder: string;
  /** Runs a shell script behind the wall, and returns what it printed. Throws if it fails. */
  inside(script: string): string;
  /** Tries everything behind the wall, and returns what succeeded. `before`: words before those of the wall. */
  probe(attempts: readonly Attempt[], before?: readonly string[]): Record<string, 'yes' | 'no'>;
  /** What must be the same afterwards: the person's files, cadre's, and what git has. */
  snapshot(): Readonly<Record<string, string>>;
  /** The branch of the run, as the repository has it. */
  tip(): string;
  /** Imports as another process of cadre does, that may end at a step. */
  importsAs(reached: Reached): CommitImports;
  /** Another session, of what the repository has now. */
  restart(): Promise<void>;
}

export async function agentWallBench(): Promise<AgentWallBench> {
  const bench = runBench();
  for (const run of [RUN, OTHER_RUN]) {
    const made = await bench.setUp(run);
    if (made.kind !== 'ready') throw new Error(made.why);
  }
  const session = sessionIdFor(3);
  const context = treeContext(bench.places);
  const repo = { ...context, reached: () => undefined };
  const request = { worktree: bench.path, session, author: { name: 'agent', email: 'agent@localhost' } };
  await makePrivateGit(repo, request);
  const folder = privateFolderFor(repo, request);
  const at = (...names: readonly string[]): string => join(bench.base, ...names);
  const person = personIn(at);
  const speaking = at('state', 'speaking', session);
  mkdirSync(speaking, { recursive: true });
  const server = createServer((socket) => socket.end());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const agent = createServer();
  await new Promise<void>((listening) => agent.listen(at('agent-socket'), listening));
  const mark = `${process.pid}-${bench.base.slice(-6)}`;
  const outside = spawn('bash', ['-c', `exec -a outside-${mark} sleep 1000`]);
  onTestFinished(() => ended(outside, server, agent));
  const address = server.address();
  const given = {
    ...{ ROOT: bench.root, GIT: join(bench.root, '.git'), OTHER: bench.pathOf(OTHER_RUN), STATE: at('state') },
    ...{ OWN: join(bench.root, '.git', 'worktrees', 't1-a1'), NOTE: join(folder, 'note.json'), MARK: mark },
    ...{ SOCKET: at('agent-socket'), PORT: String(typeof address === 'object' ? address?.port : '') },
  };
  const front = (): readonly string[] =>
    agentWallArguments({
      worktree: bench.path,
      gitFolder: join(bench.root, '.git'),
      privateGit: privateGitIn(folder),
      speaking,
      reads: [],
      program: 'bash',
      cadre: [process.execPath],
      own: ['.agent'],
      env: bench.env,
      sandbox: SANDBOX,
    });
  const start = (before: readonly string[], script: string) => {
    const environment = Object.entries({ PATH: process.env.PATH, HOME: bench.base, ...given });
    const clean = ['env', '-i', ...environment.map(([name, value]) => `${name}=${value}`)];
    const [program = '', ...argv] = [...before, ...clean, ...front(), 'bash', '-c', script];
    return spawnSync(program, argv, { cwd: bench.path, env: { ...process.env, SECRET: 'token' }, encoding: 'utf8' });
  };
  return {
    ...bench,
    session,
    folder,
    privateGit: privateGitIn(folder),
    imports: commitImports(repo),
    inside(script) {
      const ran = start([], `set -e\n${script}`);
      if (ran.status !== 0) throw new Error(`${ran.stdout}\n${ran.stderr}`);
      return ran.stdout;
    },
    probe(attempts, before = []) {
      const script = attempts
        .map(({ sh }, index) => `if (${sh}) >/dev/null 2>&1; then echo "${index} yes"; else echo "${index} no"; fi`)
        .join('\n');
      const ran = start(before, script);
      const lines = ran.stdout.trim().split('\n');
      if (lines.length !== attempts.length) throw new Error(`${ran.stdout}\n${ran.stderr}`);
      const answers = lines.map((line): [string, 'yes' | 'no'] => {
        const [index, answer] = line.split(' ');
        return [attempts[Number(index)]?.what ?? '', answer === 'yes' ? 'yes' : 'no'];
      });
      return Object.fromEntries(answers);
    },
    snapshot() {
      const refs = bench.git(bench.root, 'for-each-ref');
      const texts = [...Object.keys(person), 'repo/.git/config', 'repo/.git/HEAD', 'repo/tracked'];
      const git = readdirSync(join(bench.root, '.git')).concat(readdirSync(join(bench.root, '.git', 'hooks')));
      const made = ['probe', 'repo/evil', `../probe-${mark}`].filter((name) => existsSync(at(name)));
      const found = texts.map((name) => [name, readFileSync(at(name), 'utf8')] as const);
      const other = readdirSync(bench.pathOf(OTHER_RUN), { recursive: true }).join(' ');
      return { ...Object.fromEntries(found), refs, git: git.sort().join(' '), made: made.join(' '), other };
    },
    tip: () => bench.commit(BRANCH),
    importsAs: (reached) => commitImports({ ...treeContext(openBench(bench.base).places), reached }),
    async restart() {
      await makePrivateGit(repo, request);
    },
  };
}

/** A person's files, and those of cadre that concern others. */
function personIn(at: (...names: readonly string[]) => string): Readonly<Record<string, string>> {
  const files = {
    'private.txt': 'private',
    '.ssh/id_ed25519': 'key',
    '.netrc': 'password',
    'config.json': '{}',
    'state/journal/1.jsonl': '{}',
    'state/inbox/s7/new/0.json': '{}',
    'state/sessions/s7/keys': 'digest',
    'repo/docs/plans/.signals/.keep': '',
  };
  for (const [name, text] of Object.entries({ ...files, '.agent/credentials': 'own' })) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
  chmodSync(at(), 0o755);
  return files;
}

function ended(outside: ChildProcess, ...servers: readonly ReturnType<typeof createServer>[]): void {
  outside.kill('SIGKILL');
  for (const server of servers) server.close();
}
