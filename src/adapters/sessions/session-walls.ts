// Walls around the programs of sessions: whether one is wanted and there is one, what is prepared for it, and what is taken
// over from behind it.
import { join } from 'node:path';
import { findAgent } from '../../agents/registry.ts';
import { Failure } from '../../core/model/failure.ts';
import type { SessionId } from '../../core/model/ids.ts';
import type { SessionEntry } from '../../core/model/session.ts';
import type { SandboxSettings, WallInForce } from '../../core/settings/sandbox.ts';
import type { SessionKeys } from '../signals/session-keys.ts';
import { cleanEnvironment } from '../system/clean-environment.ts';
import { wallInForce } from '../system/wall.ts';
import { agentWallArguments, SPEAKING } from '../walls/agent-wall.ts';
import type { CommitImports } from '../walls/import-commits.ts';
import { type Author, makePrivateGit, privateFolderFor, privateGitIn, type WalledRepo } from '../walls/private-git.ts';
import {
  listenForSession,
  rememberedSpeaker,
  rememberSpeaker,
  type SessionSocket,
  SOCKET,
  speakingIn,
} from '../walls/session-socket.ts';
import { isStoppedIn, sessionsIn } from './session-folders.ts';

export interface SessionWalls {
  /** The wall that is in force for this session; undefined where none is wanted. Throws a Failure where one is required and missing. */
  wallFor(entry: SessionEntry): WallInForce | undefined;
  /** How its program is started behind a wall. */
  behind(entry: SessionEntry, program: WalledProgram): Behind;
  /** Listens to the socket of the session, if it has one. */
  listen(session: SessionId): void;
  /** The same for all that were started before. */
  listenToAll(): void;
  /** To be called when the session has ended: takes over what it has committed. */
  settle(session: SessionId, worktree: string | undefined): Promise<void>;
  close(): void;
}

export interface WalledProgram {
  readonly argv: readonly string[];
  readonly worktree: string;
  /** What the program is given to read. */
  readonly reads: readonly string[];
  author(): Author | null;
}

export interface Behind {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** To be called before the program is started, when no other runs in the worktree. */
  prepare(): Promise<void>;
}

export interface SessionWallsOptions {
  readonly repo: WalledRepo;
  readonly imports: CommitImports;
  /** Where each session has a folder. */
  readonly folder: string;
  readonly inbox: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cadre: readonly string[];
  readonly keys: SessionKeys;
  readonly sandbox: () => SandboxSettings;
}

export function sessionWalls(options: SessionWallsOptions): SessionWalls {
  const { repo, imports, folder, env, cadre, sandbox } = options;
  const sockets = new Map<SessionId, SessionSocket>();
  /** Once a wall was possible, it is not tried again: a program whose wall fails does not start. */
  let isPossible = false;
  const listen = (session: SessionId): void => {
    if (sockets.has(session)) return;
    const socket = listenForSession({
      folder: join(folder, session),
      cadre,
      cwd: repo.root,
      env: () => speakingEnvironment(options, session),
    });
    if (socket !== undefined) sockets.set(session, socket);
  };
  return {
    wallFor(entry) {
      const wanted = entry.sandbox ?? sandbox().agents;
      if (wanted !== 'off' && isPossible) return { wanted, wall: 'bubblewrap' };
      const inForce = wallInForce(wanted, env);
      isPossible = inForce !== undefined && inForce.wall !== null;
      if (inForce?.wall === null && inForce.wanted === 'required')
        throw new Failure(
          'environment',
          'no-sandbox',
          `Its program has to run behind a wall, and there is none: ${inForce.why}`,
        );
      return inForce;
    },
    behind(entry, { argv, worktree, reads, author }) {
      const request = { worktree, session: entry.id, author: author() };
      const own = join(folder, entry.id);
      const front = agentWallArguments({
        worktree,
        gitFolder: repo.gitFolder,
        privateGit: privateGitIn(privateFolderFor(repo, request)),
        speaking: speakingIn(own),
        reads,
        program: argv[0] ?? '',
        cadre,
        own: findAgent(entry.program).keeps,
        env,
        sandbox: sandbox(),
      });
      return {
        argv: [...front, ...argv],
        env: { ...cleanEnvironment(env, sandbox().env), CADRE_SOCKET: join(SPEAKING, SOCKET) },
        async prepare() {
          const finished = await imports.finish(worktree);
          if (finished.kind === 'refused') throw new Failure('failed', 'changed-worktree', finished.why);
          await makePrivateGit(repo, request);
          rememberSpeaker(own, {
            session: entry.id,
            role: entry.role,
            ...(entry.plan === undefined ? {} : { plan: entry.plan }),
            ...(entry.task === undefined ? {} : { task: entry.address ?? entry.task }),
          });
        },
      };
    },
    listen,
    listenToAll() {
      for (const session of sessionsIn(folder)) if (!isStoppedIn(folder, session)) listen(session);
    },
    async settle(session, worktree) {
      sockets.get(session)?.close();
      sockets.delete(session);
      if (worktree !== undefined && rememberedSpeaker(join(folder, session)) !== undefined)
        // What is refused stays where it is, and the next look at the worktree says why.
        await imports.finish(worktree);
    },
    close() {
      for (const socket of sockets.values()) socket.close();
      sockets.clear();
    },
  };
}

/** As the program of the session has it without a wall, with its own key. */
function speakingEnvironment(
  { folder, inbox, env, keys }: SessionWallsOptions,
  session: SessionId,
): Readonly<Record<string, string>> {
  const { role = 'unknown', plan, task } = rememberedSpeaker(join(folder, session)) ?? {};
  return {
    ...cleanEnvironment(env),
    CADRE_SESSION: session,
    CADRE_ROLE: role,
    CADRE_INBOX: join(inbox, session),
    CADRE_PROOF: keys.issue(session),
    ...(env.CADRE_HOME === undefined ? {} : { CADRE_HOME: env.CADRE_HOME }),
    ...(plan === undefined ? {} : { CADRE_PLAN: plan }),
    ...(task === undefined ? {} : { CADRE_TASK: task }),
  };
}
