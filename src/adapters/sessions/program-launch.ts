// How the program of a session is started: its command, its environment, and the files and folders that it needs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Start, StartRequest } from '../../agents/agent.ts';
import { findAgent } from '../../agents/registry.ts';
import { diskFailure } from '../../core/model/failure.ts';
import { type Tree, treeOfSession } from '../../core/model/run-name.ts';
import type { SessionCount, SessionEntry } from '../../core/model/session.ts';
import type { Host, Launch } from '../../core/ports/host.ts';
import type { CommitAccess } from '../git/commit-access.ts';
import type { SessionKeys } from '../signals/session-keys.ts';
import { cleanEnvironment } from '../system/clean-environment.ts';
import { messagesIn } from './session-folders.ts';
import type { SessionWalls } from './session-walls.ts';
import type { SessionWorktree } from './session-worktrees.ts';

export interface ProgramPlaces {
  /** Where each session has a folder. */
  readonly folder: string;
  readonly inbox: string;
  /** Where the texts for the agents of a worktree of cadre's are; see run-files.ts. */
  readonly textsFor: (tree: Tree) => string;
  readonly commits: CommitAccess;
  /** cadre's own environment. A program sees only the allowed part of it. */
  readonly env: NodeJS.ProcessEnv;
  /** How to call this cadre. */
  readonly cadre: readonly string[];
  /** The command with which a program may verify its work. */
  readonly verify: readonly string[] | null;
  readonly trusted: boolean;
  readonly keys: SessionKeys;
  readonly walls: SessionWalls;
}

export interface ProgramStart {
  readonly entry: SessionEntry;
  readonly worktree: SessionWorktree;
  readonly prompt: string;
  readonly resume: boolean;
  readonly count: SessionCount;
  readonly host: Host['kind'];
  readonly isWalled: boolean;
}

/** A sandbox refuses to start if one of its folders is missing. */
export function prepareFolders(places: ProgramPlaces, entry: SessionEntry): void {
  for (const needed of [...shownTo(places, entry), join(places.inbox, entry.id)])
    mkdirSync(needed, { recursive: true, mode: 0o700 });
}

/** Folders that the program reads. */
function shownTo(places: ProgramPlaces, entry: SessionEntry): readonly string[] {
  const own = join(places.folder, entry.id);
  return [messagesIn(own), agentFolder(own), ...readsOf(places, entry)];
}

/** Where the settings of the program are written. */
function agentFolder(own: string): string {
  return join(own, 'agent');
}

function readsOf({ textsFor }: ProgramPlaces, entry: SessionEntry): readonly string[] {
  const tree = treeOfSession(entry);
  return tree === undefined ? [] : [textsFor(tree)];
}

/** Writes the files that the program needs, and returns how to start it. */
export function launchFor(places: ProgramPlaces, program: ProgramStart): Launch {
  const { entry, worktree, count } = program;
  const { argv, input, files, env } = startOf(places, program);
  for (const file of files) writeFile(file.path, file.text);
  const own = { ...environment(entry, count), ...worktree.variables, ...env };
  return {
    session: entry.id,
    place: entry.place,
    cwd: worktree.path,
    ...(program.isWalled
      ? behindWall(places, program, { argv, env: own })
      : { argv, env: { ...outsideWall(places, entry), ...own } }),
    ...(input === undefined ? {} : { input }),
  };
}

function behindWall(
  places: ProgramPlaces,
  { entry, worktree }: ProgramStart,
  { argv, env }: Pick<Launch, 'argv' | 'env'>,
): Pick<Launch, 'argv' | 'env' | 'before'> {
  const behind = places.walls.behind(entry, {
    argv,
    worktree: worktree.path,
    reads: shownTo(places, entry),
    author: () => places.commits.author(),
  });
  const ofProfile = cleanEnvironment(places.env, entry.env);
  return { argv: behind.argv, env: { ...ofProfile, ...behind.env, ...env }, before: behind.prepare };
}

function startOf(places: ProgramPlaces, program: ProgramStart): Start {
  const { entry, worktree, prompt, resume, host, isWalled } = program;
  const agent = findAgent(entry.program);
  const request: StartRequest = {
    session: entry.id,
    role: entry.role,
    program: entry.program,
    flags: entry.flags,
    worktree: worktree.path,
    folder: agentFolder(join(places.folder, entry.id)),
    messages: messagesIn(join(places.folder, entry.id)),
    reads: readsOf(places, entry),
    prompt,
    cadre: places.cadre,
    verify: places.verify,
    // Behind a wall there is no inbox.
    writable: [...places.commits.folders(worktree.path), ...(isWalled ? [] : [join(places.inbox, entry.id)])],
    author: () => places.commits.author(),
    grants: entry.grants,
    trusted: places.trusted,
  };
  // Nobody can type without a terminal, so the program gets its prompt at the start and ends after it.
  const isHeadless = host === 'process';
  const resumed = resume
    ? ((isHeadless ? agent.resumeHeadless(request) : undefined) ?? agent.resume(request))
    : undefined;
  return resumed ?? (isHeadless ? agent.headless(request) : undefined) ?? agent.start(request);
}

/** How it speaks for itself without a wall. */
function outsideWall(places: ProgramPlaces, entry: SessionEntry): Readonly<Record<string, string>> {
  return {
    ...cleanEnvironment(places.env, entry.env),
    CADRE_INBOX: join(places.inbox, entry.id),
    // Some programs hide variables from their commands whose names contain KEY, TOKEN or SECRET.
    CADRE_PROOF: places.keys.issue(entry.id),
    ...(places.env.CADRE_HOME === undefined ? {} : { CADRE_HOME: places.env.CADRE_HOME }),
  };
}

function environment(entry: SessionEntry, { attempt, turn }: SessionCount): Readonly<Record<string, string>> {
  return {
    TERM: 'screen-256color',
    CADRE_SESSION: entry.id,
    CADRE_ROLE: entry.role,
    ...(entry.plan === undefined ? {} : { CADRE_PLAN: entry.plan, CADRE_ATTEMPT: `${attempt}`, CADRE_TURN: `${turn}` }),
    ...(entry.task === undefined ? {} : { CADRE_TASK: entry.address ?? entry.task }),
  };
}

function writeFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    throw diskFailure(error, 'write', path);
  }
}
