// Everything around one agent program: a repository with a plan, an engine, a home, and a model that follows a script.
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { ScreenReading } from '../../src/agents/agent.ts';
import { findAgent } from '../../src/agents/registry.ts';
import type { SessionView } from '../../src/core/views/session.ts';
import { quoteForShell } from '../../src/text/shell.ts';
import { livePids, textOf, tmux } from '../support/hosts.ts';
import { ndjson } from '../support/plans.ts';
import { MAIN, startEngine } from '../support/repo.ts';
import { type HostKind, type SessionRepo, sessionRepo } from '../support/session-repo.ts';
import { byMark, type Scripts } from './model/script.ts';
import { type ModelServer, startModelServer } from './model/server.ts';
import { type Program, prepareHome, trustFolder } from './programs.ts';

export interface Stage {
  readonly repo: SessionRepo;
  readonly model: ModelServer;
  /** The command for cadre, as prompts spell it. */
  readonly cadre: string;
  /** Starts a session of the program with this prompt, while the model follows these scripts. */
  start(role: string, prompt: string, scripts: (worktree: string) => Scripts): Promise<SessionView>;
  worktree(): string;
  session(): Promise<SessionView | undefined>;
  screen(): Promise<string>;
  reading(): Promise<ScreenReading>;
  /** Types like a person who has attached to the terminal. */
  type(...keys: readonly string[]): void;
  records(): readonly unknown[];
  /** Processes that did not exist before and still run. */
  left(): readonly string[];
}

export const PLAN = 'agents.md';

export async function stageFor(program: Program, host: HostKind, trusted = true): Promise<Stage> {
  const repo = sessionRepo(host);
  const model = await startModelServer();
  onTestFinished(() => model.close());
  prepareHome(program, repo.outside, model.url);
  mkdirSync(repo.home, { recursive: true });
  writeFileSync(join(repo.home, 'config.json'), JSON.stringify({ trust_worktrees: trusted }));
  const variables = program.env(model.url);
  Object.assign(repo.env, variables);
  repo.writePlan(PLAN, '# Agents\n');
  repo.cadre('register', PLAN);
  repo.cadre('move', PLAN, 'plan_start');
  await startEngine(repo);
  onTestFinished(({ task }) => {
    if (task.result?.state !== 'pass') console.log(`Last messages to the model: ${lastTurns(model)}`);
  });
  const left = leftSince();
  let first = '';
  let current = '';
  const worktree = (): string => repo.worktreeOf(first);
  const screen = async (): Promise<string> =>
    JSON.parse((await repo.session('screen', '--json', current)).stdout || '{"screen":""}').screen;
  return {
    repo,
    model,
    cadre: quoteForShell([process.execPath, MAIN]),
    async start(role, prompt, scripts) {
      const names = Object.keys(variables);
      const passing = names.length === 0 ? [] : ['--env', names.join(',')];
      // A session gets its role when it replaces another, and only then is its worktree known.
      first = (await repo.view('new', '--title', 'agent', ...passing, '-p', 'cat')).session;
      if (trusted && program.name === 'claude') trustFolder(repo.outside, repo.root);
      model.follow(byMark(scripts(worktree())));
      const file = join(repo.outside, 'prompt');
      writeFileSync(file, prompt);
      const command = quoteForShell([program.name, ...program.flags]);
      const view = await repo.view('switch', first, '--role', role, '-p', command, '--prompt-file', file);
      current = view.session;
      return view;
    },
    worktree,
    async session() {
      const { sessions } = JSON.parse((await repo.session('list', '--json')).stdout);
      return sessions.find(({ session }: SessionView) => session === current);
    },
    screen,
    async reading() {
      const shown = await screen();
      const read = findAgent(program.name).readScreen(shown);
      record(program, read, shown);
      return read;
    },
    type: (...keys) => void tmux(repo.server, 'send-keys', '-t', `=${first}:`, ...keys),
    records: () => ndjson(repo.cadre('log', '--json').stdout),
    left,
  };
}

/** Finds running processes that did not exist before. */
export function leftSince(): () => readonly string[] {
  const before = new Set(livePids());
  return () =>
    livePids()
      .filter((pid) => !before.has(pid))
      .map(commandOf)
      .filter((command) => !command.startsWith('tmux'));
}

function commandOf(pid: number): string {
  return textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

/** The time limit for one step of a program, in milliseconds. */
const PATIENCE = 120_000;

/** Polls until the condition holds. On a timeout, the error shows the session and its screen. */
export async function seen<T>(stage: Stage, look: () => T | Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    if (performance.now() > deadline) throw new Error(await whatIsThere(stage, value));
    // Every poll starts a program, and the agent needs the processor too.
    await pause(100);
  }
}

async function whatIsThere(stage: Stage, value: unknown): Promise<string> {
  return [
    `It never came to hold; last it was ${JSON.stringify(value)}.`,
    `The session: ${JSON.stringify(await stage.session())}`,
    `The screen:\n${await stage.screen()}`,
  ].join('\n');
}

export function lastTurns(model: ModelServer): string {
  const turns = model.requests.at(-1)?.slice(-4) ?? [];
  return JSON.stringify(
    turns.map(({ from, text }) => `${from}: ${text.slice(-1_000)}`),
    null,
    1,
  );
}

/** Saves each screen to CADRE_AGENTS_SCREENS, if set, for test/fixtures/screens. */
function record(program: Program, { kind }: ScreenReading, screen: string): void {
  const folder = process.env.CADRE_AGENTS_SCREENS;
  if (folder === undefined) return;
  mkdirSync(join(folder, program.name), { recursive: true });
  const name = `${kind}--${createHash('sha256').update(screen).digest('hex').slice(0, 8)}.txt`;
  writeFileSync(join(folder, program.name, name), `${screen}\n`);
}

/** Records the completed steps of a program for the table, even if the test fails halfway. */
export function reporter(program: Program, host: HostKind, story: string): (seen: string) => void {
  const start = performance.now();
  const all: string[] = [];
  onTestFinished(({ task }) => {
    const outcome = task.result?.state === 'pass' ? '' : 'FAILED after: ';
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const row = [program.name, program.version, host, seconds, `${story}: ${outcome}${all.join(', ')}`];
    const file = process.env.CADRE_AGENTS_RESULTS;
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(row)}\n`);
  });
  return (fact) => void all.push(fact);
}
