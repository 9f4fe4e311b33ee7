// What a host keeps on disk about its sessions, so that the next cadre process knows what this one started.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, systemCode } from '../../core/model/failure.ts';
import { type PlaceId, placeId, type SessionId, sessionId } from '../../core/model/ids.ts';
import type { Host, Launch } from '../../core/ports/host.ts';
import { showText } from '../../text/show.ts';
import { realPath } from '../git/real-path.ts';
import type { Workplace } from '../system/stopping.ts';
import { launchScript } from './launch-script.ts';

export interface SessionFolders {
  pathOf(session: SessionId): string;
  /** Writes the script that starts the session and returns its path. `claim` names the file that the script creates first. */
  prepare(launch: Launch, claim: 'begun' | 'run'): string;
  /** Whether its program was ever started; it may have ended since. */
  hasStarted(session: SessionId): boolean;
  placeOf(session: SessionId): PlaceId | undefined;
  /** Where its program was started, and when, if it was. */
  workplaceOf(session: SessionId): Workplace | undefined;
  /** The kind of host that prepared it. */
  hostOf(session: SessionId): Host['kind'] | undefined;
  /** Records that every process of the session has ended; it is no longer listed. */
  markStopped(session: SessionId): void;
  isStopped(session: SessionId): boolean;
  /** The sessions of this kind of host that were started and not stopped, with their places. */
  started(): ReadonlyMap<SessionId, PlaceId>;
  /** Everything whose change may concern a session of this kind of host, also one that another process starts. */
  watchedPaths(): readonly string[];
  /** Writes the text to a new file of the session and returns its path. */
  writeMessage(session: SessionId, text: string): string;
}

/** Set in every process of a session, and in no other: session ids repeat across repositories. */
export const FOLDER_VARIABLE = 'CADRE_SESSION_FOLDER';

export function sessionFolders(folder: string, kind: Host['kind']): SessionFolders {
  requirePlainPath(folder);
  const pathOf = (session: SessionId): string => join(folder, session);
  const fileOf = (session: SessionId, name: string): string => join(folder, session, name);
  const places = new Map<SessionId, PlaceId>();
  const hosts = new Map<SessionId, Host['kind']>();
  // An id is never used for another session, so a started or stopped session stays so.
  const everStarted = new Set<SessionId>();
  const stopped = new Set<SessionId>();
  /** The number of the last message, as far as we know. */
  const messages = new Map<SessionId, number>();

  const isStopped = (session: SessionId): boolean => {
    if (!stopped.has(session) && isStoppedIn(folder, session)) stopped.add(session);
    return stopped.has(session);
  };

  const hasStarted = (session: SessionId): boolean => {
    if (!everStarted.has(session) && existsSync(fileOf(session, 'begun'))) everStarted.add(session);
    return everStarted.has(session);
  };

  const placeOf = (session: SessionId): PlaceId | undefined => {
    const known = places.get(session) ?? placeId(readIfExists(fileOf(session, 'place')) ?? '');
    if (known !== undefined) places.set(session, known);
    return known;
  };

  const hostOf = (session: SessionId): Host['kind'] | undefined => {
    const known = hosts.get(session) ?? hostKind(readIfExists(fileOf(session, 'host')));
    if (known !== undefined) hosts.set(session, known);
    return known;
  };

  return {
    pathOf,
    placeOf,
    hostOf,
    hasStarted,
    isStopped,
    workplaceOf: (session) => workplaceIn(pathOf(session)),
    prepare(launch, claim) {
      const path = fileOf(launch.session, 'start');
      const env = { CADRE_SESSION: launch.session, ...launch.env, [FOLDER_VARIABLE]: pathOf(launch.session) };
      const script = launchScript({ ...launch, env }, fileOf(launch.session, claim));
      mkdirSync(pathOf(launch.session), { recursive: true, mode: 0o700 });
      writeFileSync(fileOf(launch.session, 'place'), launch.place);
      writeFileSync(fileOf(launch.session, 'host'), kind);
      writeFileSync(fileOf(launch.session, 'cwd'), launch.cwd);
      writeFileSync(path, script, { mode: 0o600 });
      return path;
    },
    markStopped(session) {
      if (existsSync(pathOf(session))) writeFileSync(fileOf(session, 'stopped'), '');
    },
    started() {
      const sessions = sessionsIn(folder).filter(
        (session) => !isStopped(session) && hostOf(session) === kind && hasStarted(session),
      );
      return new Map(
        sessions.flatMap((session) => {
          const place = placeOf(session);
          return place === undefined ? [] : [[session, place] as const];
        }),
      );
    },
    watchedPaths() {
      const sessions = sessionsIn(folder).filter(
        (session) => !isStopped(session) && (hostOf(session) ?? kind) === kind,
      );
      return [folder, ...sessions.map(pathOf)];
    },
    writeMessage(session, text) {
      mkdirSync(messagesIn(pathOf(session)), { recursive: true, mode: 0o700 });
      for (let number = (messages.get(session) ?? 0) + 1; ; number++) {
        const path = join(messagesIn(pathOf(session)), `${number}.md`);
        messages.set(session, number);
        if (writeNew(path, text)) return path;
      }
    },
  };
}

/** The folder that the program of the session was started in. */
export function folderOf(folder: string, session: SessionId): string | undefined {
  return readIfExists(join(folder, session, 'cwd'));
}

/** Whether every process of the session has ended. Its id is never used again. */
export function isStoppedIn(folder: string, session: SessionId): boolean {
  return existsSync(join(folder, session, 'stopped'));
}

/** Removes the folders of stopped sessions that are not among these, and returns their ids. */
export function tidySessions(folder: string, known: ReadonlySet<SessionId>): readonly SessionId[] {
  const stopped = sessionsIn(folder).filter((session) => !known.has(session) && isStoppedIn(folder, session));
  for (const session of stopped) rmSync(join(folder, session), { recursive: true, force: true });
  return stopped;
}

function workplaceIn(folder: string): Workplace | undefined {
  const cwd = readIfExists(join(folder, 'cwd'));
  const began = statSync(join(folder, 'begun'), { throwIfNoEntry: false });
  if (cwd === undefined || began === undefined) return undefined;
  // The worktree may have been removed; what works in a removed folder is found by its old path.
  return { folder: realPath(cwd), from: began.ctimeMs };
}

/** The content of the file `host`. */
function hostKind(text: string | undefined): Host['kind'] | undefined {
  return text === 'tmux' || text === 'process' ? text : undefined;
}

/** The folder of texts that are handed to the program as files. It may read all of it. */
export function messagesIn(sessionFolder: string): string {
  return join(sessionFolder, 'messages');
}

/** The path appears unquoted in commands of tmux and sh, and in sentences to agents. */
function requirePlainPath(folder: string): void {
  if (/^\/[\p{L}\p{N}\p{M}/._@+=:,~ -]*$/u.test(folder)) return;
  throw new Failure(
    'environment',
    'bad-folder',
    `Sessions cannot be kept in "${showText(folder)}": tmux and sh would misread its path. Set CADRE_HOME to a folder whose path has only letters, digits, spaces and "/._@+=:,~-".`,
  );
}

export function sessionsIn(folder: string): readonly SessionId[] {
  try {
    return readdirSync(folder).flatMap((name) => sessionId(name) ?? []);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // Somebody may have put a file where a folder should be.
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function writeNew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}
