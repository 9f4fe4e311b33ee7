// What a host keeps on disk of its sessions, so that the next cadre knows what this one has started.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, systemCode } from '../../core/model/failure.ts';
import { type PlaceId, placeId, type SessionId, sessionId } from '../../core/model/ids.ts';
import type { Host, Launch } from '../../core/ports/host.ts';
import { showText } from '../../text/show.ts';
import { launchScript } from './launch-script.ts';

export interface SessionFolders {
  pathOf(session: SessionId): string;
  /** Writes what starts the session, and tells where that is. The claim is the file that whoever runs it makes first. */
  prepare(launch: Launch, claim: 'begun' | 'run'): string;
  /** Whether its program was ever begun, whatever has become of it. */
  hasBegun(session: SessionId): boolean;
  placeOf(session: SessionId): PlaceId | undefined;
  /** The kind of host that has prepared it. */
  hostOf(session: SessionId): Host['kind'] | undefined;
  /** Its program has ended for certain, and it is not told of any more. */
  markStopped(session: SessionId): void;
  isStopped(session: SessionId): boolean;
  /** Those of this kind of host that have begun and were not stopped, with their places. */
  begun(): ReadonlyMap<SessionId, PlaceId>;
  /** A new file of the session with this text. */
  writeMessage(session: SessionId, text: string): string;
}

/** In every process of a session, and in no other: two repositories may use the same name for a session. */
export const FOLDER_VARIABLE = 'CADRE_SESSION_FOLDER';

export function sessionFolders(folder: string, kind: Host['kind']): SessionFolders {
  refuseSpecialCharacters(folder);
  const pathOf = (session: SessionId): string => join(folder, session);
  const fileOf = (session: SessionId, name: string): string => join(folder, session, name);
  const places = new Map<SessionId, PlaceId>();
  const hosts = new Map<SessionId, Host['kind']>();
  // A name is never used for another session, so one that has begun or was stopped stays so.
  const everBegun = new Set<SessionId>();
  const stopped = new Set<SessionId>();
  /** The number up to which there are messages, as far as we know. */
  const messages = new Map<SessionId, number>();

  const isStopped = (session: SessionId): boolean => {
    if (!stopped.has(session) && isStoppedIn(folder, session)) stopped.add(session);
    return stopped.has(session);
  };

  const hasBegun = (session: SessionId): boolean => {
    if (!everBegun.has(session) && existsSync(fileOf(session, 'begun'))) everBegun.add(session);
    return everBegun.has(session);
  };

  const placeOf = (session: SessionId): PlaceId | undefined => {
    const known = places.get(session) ?? placeId(readIfThere(fileOf(session, 'place')) ?? '');
    if (known !== undefined) places.set(session, known);
    return known;
  };

  const hostOf = (session: SessionId): Host['kind'] | undefined => {
    const known = hosts.get(session) ?? hostKind(readIfThere(fileOf(session, 'host')));
    if (known !== undefined) hosts.set(session, known);
    return known;
  };

  return {
    pathOf,
    placeOf,
    hostOf,
    hasBegun,
    isStopped,
    prepare(launch, claim) {
      const path = fileOf(launch.session, 'start');
      const env = { CADRE_SESSION: launch.session, ...launch.env, [FOLDER_VARIABLE]: pathOf(launch.session) };
      const script = launchScript({ ...launch, env }, fileOf(launch.session, claim));
      mkdirSync(pathOf(launch.session), { recursive: true, mode: 0o700 });
      writeFileSync(fileOf(launch.session, 'place'), launch.place);
      writeFileSync(fileOf(launch.session, 'host'), kind);
      writeFileSync(path, script, { mode: 0o600 });
      return path;
    },
    markStopped(session) {
      if (existsSync(pathOf(session))) writeFileSync(fileOf(session, 'stopped'), '');
    },
    begun() {
      const sessions = namesIn(folder).filter(
        (session) => !isStopped(session) && hostOf(session) === kind && hasBegun(session),
      );
      return new Map(
        sessions.flatMap((session) => {
          const place = placeOf(session);
          return place === undefined ? [] : [[session, place] as const];
        }),
      );
    },
    writeMessage(session, text) {
      mkdirSync(messagesIn(pathOf(session)), { recursive: true, mode: 0o700 });
      for (let number = (messages.get(session) ?? 0) + 1; ; number++) {
        const path = join(messagesIn(pathOf(session)), `${number}.md`);
        messages.set(session, number);
        if (wroteAnew(path, text)) return path;
      }
    },
  };
}

/** Its program has ended for certain, and its name is never used again. */
export function isStoppedIn(folder: string, session: SessionId): boolean {
  return existsSync(join(folder, session, 'stopped'));
}

/** Removes the folders of sessions that were stopped and are none of these; returns whose. */
export function tidySessions(folder: string, known: ReadonlySet<SessionId>): readonly SessionId[] {
  const over = namesIn(folder).filter((session) => !known.has(session) && isStoppedIn(folder, session));
  for (const session of over) rmSync(join(folder, session), { recursive: true, force: true });
  return over;
}

function hostKind(text: string | undefined): Host['kind'] | undefined {
  return text === 'tmux' || text === 'process' ? text : undefined;
}

/** Of what is said to the program in files: it may read all of it. */
export function messagesIn(sessionFolder: string): string {
  return join(sessionFolder, 'messages');
}

/** The folder's path stands in commands of tmux and sh, and in sentences to agents, as it is. */
function refuseSpecialCharacters(folder: string): void {
  if (/^\/[\p{L}\p{N}\p{M}/._@+=:,~ -]*$/u.test(folder)) return;
  throw new Failure(
    'environment',
    'bad-folder',
    `Sessions cannot be kept in "${showText(folder)}": tmux and sh would not take its path as it is. Let CADRE_HOME name a folder whose path has letters, digits, spaces and "/._@+=:,~-" only.`,
  );
}

export function namesIn(folder: string): readonly SessionId[] {
  try {
    return readdirSync(folder).flatMap((name) => sessionId(name) ?? []);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // Somebody's file may lie where folders should be.
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function wroteAnew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}
