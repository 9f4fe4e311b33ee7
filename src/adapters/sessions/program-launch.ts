// How the program of a session is started: its command, its environment, and the files and folders that it needs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Start, StartRequest } from '../../agents/agent.ts';
import { findAgent } from '../../agents/registry.ts';
import { diskFailure } from '../../core/model/failure.ts';
import type { SessionCount, SessionEntry } from '../../core/model/session.ts';
import type { Host, Launch } from '../../core/ports/host.ts';
import type { CommitAccess } from '../git/commit-access.ts';
import { cleanEnvironment } from '../system/clean-environment.ts';
import { messagesIn } from './session-folders.ts';
import type { SessionWorktree } from './session-worktrees.ts';

export interface ProgramPlaces {
  /** Where each session has a folder. */
  readonly folder: string;
  readonly inbox: string;
  readonly commits: CommitAccess;
  /** cadre's own environment. A program sees only the allowed part of it. */
  readonly env: NodeJS.ProcessEnv;
  /** How to call this cadre. */
  readonly cadre: readonly string[];
  /** The command with which a program may verify its work. */
  readonly verify: readonly string[] | null;
  readonly trusted: boolean;
}

export interface ProgramStart {
  readonly entry: SessionEntry;
  readonly worktree: SessionWorktree;
  readonly prompt: string;
  readonly resume: boolean;
  readonly count: SessionCount;
  readonly host: Host['kind'];
}

/** A sandbox refuses to start if one of its folders is missing. */
export function prepareFolders({ folder, inbox }: ProgramPlaces, { id }: SessionEntry): void {
  for (const needed of [messagesIn(join(folder, id)), join(inbox, id)])
    mkdirSync(needed, { recursive: true, mode: 0o700 });
}

/** Writes the files that the program needs, and returns how to start it. */
export function launchFor(places: ProgramPlaces, program: ProgramStart): Launch {
  const { entry, worktree, count } = program;
  const { argv, input, files, env } = startOf(places, program);
  for (const file of files) writeFile(file.path, file.text);
  return {
    session: entry.id,
    place: entry.place,
    argv,
    cwd: worktree.path,
    env: { ...environment(places, entry, count), ...worktree.variables, ...env },
    ...(input === undefined ? {} : { input }),
  };
}

function startOf(places: ProgramPlaces, { entry, worktree, prompt, resume, host }: ProgramStart): Start {
  const agent = findAgent(entry.program);
  const request: StartRequest = {
    session: entry.id,
    role: entry.role,
    program: entry.program,
    flags: entry.flags,
    worktree: worktree.path,
    folder: join(places.folder, entry.id, 'agent'),
    messages: messagesIn(join(places.folder, entry.id)),
    prompt,
    cadre: places.cadre,
    verify: places.verify,
    writable: [...places.commits.folders(worktree.path), join(places.inbox, entry.id)],
    author: () => places.commits.author(),
    trusted: places.trusted,
  };
  // Nobody can type without a terminal, so the program gets its prompt at the start and ends after it.
  const isHeadless = host === 'process';
  const resumed = resume
    ? ((isHeadless ? agent.resumeHeadless(request) : undefined) ?? agent.resume(request))
    : undefined;
  return resumed ?? (isHeadless ? agent.headless(request) : undefined) ?? agent.start(request);
}

function environment(
  places: ProgramPlaces,
  entry: SessionEntry,
  { attempt, turn }: SessionCount,
): Readonly<Record<string, string>> {
  return {
    ...cleanEnvironment(places.env, entry.env),
    TERM: 'screen-256color',
    CADRE_SESSION: entry.id,
    CADRE_ROLE: entry.role,
    CADRE_INBOX: join(places.inbox, entry.id),
    ...(places.env.CADRE_HOME === undefined ? {} : { CADRE_HOME: places.env.CADRE_HOME }),
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
