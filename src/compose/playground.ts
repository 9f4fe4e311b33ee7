// Creates a playground: a temporary folder with a repository, and an environment without any settings of the person.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { homeFolder, repoName } from '../adapters/repo/repo.ts';
import { serverOf } from '../adapters/sessions/open-sessions.ts';
import { tmuxArguments } from '../adapters/sessions/tmux/control.ts';
import { cleanEnvironment, networkVariables } from '../adapters/system/clean-environment.ts';
import { isInstalled, run, runMeanwhile } from '../adapters/system/exec.ts';
import { allProcesses, commandOf, tellsOfProcesses, wasStartedWith } from '../adapters/system/processes.ts';
import { SCRIPTED_PROGRAM } from '../agents/programs/scripted.ts';
import type { App } from '../app/app.ts';
import { Failure } from '../core/model/failure.ts';
import type { Playground, PlaygroundProcess, PlaygroundRequest, ProcessKind } from '../surfaces/cli/playground.ts';
import { quoteForShell } from '../text/shell.ts';
import { openApp } from './app.ts';

/** `main`: the built program; the scripted agent is in the same folder. */
export async function openPlayground(
  { files, host, clone }: PlaygroundRequest,
  { main, pid }: { readonly main: string; readonly pid: number },
): Promise<Playground> {
  if (host === 'tmux' && !isInstalled('tmux', process.env))
    throw new Failure('environment', 'no-tmux', 'tmux is not installed. Install it, or run agents as plain processes.');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), clone === undefined ? 'cadre-demo-' : 'cadre-rehearsal-')));
  const root = join(folder, 'repository');
  const guard = guardCleanup(() => removeEverything(folder, root));
  const env = clone === undefined ? environmentIn(folder, host) : personalEnvironmentIn(folder);
  putPrograms(folder, main);
  putSettings(join(folder, 'home'));
  if (clone !== undefined) shareDependencies(join(folder, 'home'));
  if (clone === undefined) putRepository(root, files, env);
  else putClone(root, clone, files, env);
  const command = clone === undefined ? 'cadre demo' : 'cadre rehearse';
  const app = openApp({ cwd: root, env, pid, command, itself: [process.execPath, main] });
  const stopEverything = async (): Promise<void> => {
    await stopApp(app);
    endServer(root);
    endProcesses(folder);
  };
  return {
    folder,
    app,
    async run(argv, where) {
      const { exitCode, stdout, stderr } = await runMeanwhile(argv, { cwd: where, env });
      return { exitCode, text: stdout + stderr };
    },
    listsProcesses: tellsOfProcesses(),
    processes: () => startedIn(folder).flatMap(processOf),
    kill: killIfThere,
    async close() {
      await stopEverything();
      guard.release();
    },
    async remove() {
      await stopEverything().finally(() => removeEverything(folder, root));
      guard.release();
    },
  };
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Cleans up however this process ends. A second Ctrl-C must not end it before it has. */
function guardCleanup(cleanUp: () => void): { release(): void } {
  const onExit = (): void => {
    process.exitCode ||= 1;
    cleanUp();
  };
  const ignore = (): void => undefined;
  process.once('exit', onExit);
  for (const name of STOP_SIGNALS) process.on(name, ignore);
  return {
    release() {
      process.off('exit', onExit);
      for (const name of STOP_SIGNALS) process.off(name, ignore);
    },
  };
}

function removeEverything(folder: string, root: string): void {
  endServer(root);
  endProcesses(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** With another home, so that the person's settings of git and cadre do not apply. */
function environmentIn(folder: string, host: PlaygroundRequest['host']): NodeJS.ProcessEnv {
  const usual = cleanEnvironment(process.env);
  return {
    ...usual,
    PATH: `${join(folder, 'bin')}:${usual.PATH ?? ''}`,
    HOME: folder,
    CADRE_HOME: join(folder, 'home'),
    GIT_CONFIG_NOSYSTEM: '1',
    ...(host === undefined ? {} : { CADRE_HOST: host }),
  };
}

/**
 * With the person's home, where tools have their caches and their own settings. Everything started here is recognized by
 * its folder for temporary files.
 */
function personalEnvironmentIn(folder: string): NodeJS.ProcessEnv {
  const usual = { ...cleanEnvironment(process.env), ...networkVariables(process.env) };
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  return {
    ...usual,
    PATH: `${join(folder, 'bin')}:${usual.PATH ?? ''}`,
    TMPDIR: temporary,
    CADRE_HOME: join(folder, 'home'),
    CADRE_HOST: 'process',
  };
}

/** The programs that plans and settings name. "node" is the one that runs this, even if a version manager picks it by home. */
function putPrograms(folder: string, main: string): void {
  mkdirSync(join(folder, 'bin'));
  symlinkSync(process.execPath, join(folder, 'bin', 'node'));
  const scripted = join(dirname(main), 'scripted-agent.js');
  for (const [name, file] of [
    ['cadre', main],
    [SCRIPTED_PROGRAM, scripted],
  ] as const) {
    const path = join(folder, 'bin', name);
    writeFileSync(path, `#!/bin/sh\nexec ${quoteForShell([process.execPath, file])} "$@"\n`);
    chmodSync(path, 0o755);
  }
}

/** Nobody waits for what happens in a playground. */
function putSettings(home: string): void {
  mkdirSync(home);
  const settings = { default_program: SCRIPTED_PROGRAM, notify: { for: [] } };
  writeFileSync(join(home, 'config.json'), `${JSON.stringify(settings)}\n`);
}

/** What is installed for a rehearsal need not be installed again for the real run. */
function shareDependencies(home: string): void {
  const kept = join(homeFolder(process.env), 'dependencies');
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  symlinkSync(kept, join(home, 'dependencies'));
}

/** A clone shares nothing with the original that could be changed through it. */
function putClone(
  root: string,
  { root: original, commit }: NonNullable<PlaygroundRequest['clone']>,
  files: PlaygroundRequest['files'],
  env: NodeJS.ProcessEnv,
): void {
  git(dirname(root), env, 'clone', '--quiet', '--no-hardlinks', '--no-checkout', original, root);
  git(root, env, 'checkout', '--quiet', '-B', 'rehearsal', commit);
  git(root, env, 'remote', 'remove', 'origin');
  putFiles(root, files);
  git(root, env, 'config', 'user.name', 'cadre rehearse');
  git(root, env, 'config', 'user.email', 'rehearsal@localhost');
  git(root, env, 'add', '--force', '--', ...Object.keys(files));
  git(root, env, 'commit', '--quiet', '--no-verify', '--allow-empty', '--message', 'A plan to rehearse');
}

function putFiles(root: string, files: PlaygroundRequest['files']): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function putRepository(root: string, files: PlaygroundRequest['files'], env: NodeJS.ProcessEnv): void {
  putFiles(root, files);
  git(root, env, 'init', '--quiet', '--initial-branch', 'main');
  git(root, env, 'config', 'user.name', 'cadre demo');
  git(root, env, 'config', 'user.email', 'demo@localhost');
  git(root, env, 'add', '--all');
  git(root, env, 'commit', '--quiet', '--message', 'A program with one measure, and a plan');
}

function git(root: string, env: NodeJS.ProcessEnv, ...words: readonly string[]): void {
  const { exitCode, stderr } = run(['git', ...words], { cwd: root, env });
  if (exitCode === 127) throw new Failure('environment', 'no-git', 'git is not installed. Install it, then try again.');
  if (exitCode !== 0) throw new Failure('failed', 'git-failed', `"git ${words.join(' ')}" failed: ${stderr.trim()}`);
}

async function stopApp(app: App): Promise<void> {
  await app.engine.stop();
  // The tmux server ends with its last terminal.
  await app.stopAllSessions();
  await app.close();
}

/** Does nothing where no server is running. tmux leaves the socket of its server behind. */
function endServer(root: string): void {
  const server = serverOf(repoName(root));
  if (server === undefined) return;
  run([...tmuxArguments(server), '-N', 'kill-server']);
  rmSync(`/tmp/tmux-${process.getuid?.()}/${server}`, { force: true });
}

/** Everything started in a playground has its folder as HOME, or a folder in it for temporary files. */
function endProcesses(folder: string): void {
  // A process may have started another one just before it was killed.
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const left = startedIn(folder);
    if (left.length === 0) return;
    for (const pid of left) killIfThere(pid);
  }
}

const MOST_PASSES = 100;

function startedIn(folder: string): readonly number[] {
  const all = tellsOfProcesses() ? allProcesses() : [];
  return all.map(({ pid }) => pid).filter((pid) => pid !== process.pid && isOf(folder, pid));
}

function isOf(folder: string, pid: number): boolean {
  return wasStartedWith(pid, `HOME=${folder}`) || wasStartedWith(pid, `TMPDIR=${join(folder, 'tmp')}`);
}

function killIfThere(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited in the meantime.
    return false;
  }
}

function processOf(pid: number): readonly PlaygroundProcess[] {
  const command = commandOf(pid) ?? '';
  const [kind] = KINDS.find(([, pattern]) => pattern.test(command)) ?? [];
  return kind === undefined ? [] : [{ pid, kind, command }];
}

/** How to recognize the programs by their command lines. */
const KINDS: readonly (readonly [ProcessKind, RegExp])[] = [
  ['engine', /\bmain\.js watch\b/],
  ['cadre run', /\bmain\.js run\b/],
  ['agent', /\bscripted-agent\.js\b/],
  ['git', /^(?:\S*\/)?git /],
];
