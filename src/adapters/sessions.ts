// Sessions for the engine: a worktree, the files that the agent program needs, and the program in its terminal.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Start, StartRequest } from '../agents/agent.ts';
import { findAgent } from '../agents/agents.ts';
import type { SessionNews } from '../core/events.ts';
import { diskFailure, Failure } from '../core/failure.ts';
import type { Host } from '../core/host.ts';
import type { Sessions, Workspaces } from '../core/ports.ts';
import type { SessionEntry } from '../core/session.ts';
import { messagesIn } from './session-folders.ts';
import { commitsGoTo, whoCommits } from './workspaces.ts';

export interface SessionPlaces {
  readonly host: Host;
  readonly workspaces: Workspaces;
  /** Where each session has a folder. */
  readonly folder: string;
  readonly inbox: string;
  readonly gitFolder: string;
  /** cadre's own environment, of which a program sees only what it may. */
  readonly env: NodeJS.ProcessEnv;
  /** How this cadre is called. */
  readonly cadre: readonly string[];
  readonly trusted: boolean;
}

export function sessions(places: SessionPlaces): Sessions {
  const { host, workspaces } = places;
  /** Nobody listens to a host before there is a session in it: that alone could start one. */
  let listening: { close(): void } | undefined;
  const listeners = new Set<() => void>();
  const listen = (): void => {
    listening ??= host.watch((news) => {
      if (news.kind === 'ended') for (const changed of listeners) changed();
    });
  };
  return {
    async start(entry, prompt, resume) {
      if (listeners.size > 0) listen();
      try {
        const worktree = workspaces.ensure(entry.place, entry.branch, entry.from);
        const start = howToStart(places, entry, worktree, prompt, resume);
        // A sandbox refuses to start with a folder that is not there.
        for (const folder of [messagesIn(join(places.folder, entry.id)), join(places.inbox, entry.id)])
          mkdirSync(folder, { recursive: true, mode: 0o700 });
        for (const file of start.files) writeFile(file.path, file.text);
        const env = { ...environment(places, entry), ...start.env };
        const { argv, input } = start;
        const launch = { session: entry.id, place: entry.place, argv, cwd: worktree, env };
        await host.start(input === undefined ? launch : { ...launch, input });
        return { kind: 'up' };
      } catch (error) {
        return failed(error);
      }
    },
    stop: (session) => host.stop(session),
    async pause(entry) {
      await host.stop(entry.id);
      workspaces.release(entry.place, entry.branch, `cadre: what ${entry.id} had when it was paused`);
    },
    async send(session, text) {
      const delivery = await host.send(session, text);
      return { kind: 'sent', problem: delivery.kind === 'delivered' ? null : delivery.why };
    },
    list() {
      if (listeners.size > 0) listen();
      return host.list();
    },
    screen: (session) => host.screen(session),
    watch(changed) {
      listeners.add(changed);
      return { close: () => void listeners.delete(changed) };
    },
    attach: (session) => host.attach(session),
    close() {
      listening?.close();
      host.close();
    },
  };
}

function howToStart(
  places: SessionPlaces,
  entry: SessionEntry,
  worktree: string,
  prompt: string,
  resume: boolean,
): Start {
  const agent = findAgent(entry.program);
  const request: StartRequest = {
    session: entry.id,
    role: entry.role,
    program: entry.program,
    flags: entry.flags,
    worktree,
    folder: join(places.folder, entry.id, 'agent'),
    messages: messagesIn(join(places.folder, entry.id)),
    prompt,
    cadre: places.cadre,
    verify: null,
    writable: [...commitsGoTo(places.gitFolder, worktree), join(places.inbox, entry.id)],
    author: whoCommits(worktree, places.env),
    trusted: places.trusted,
  };
  const again = resume ? agent.resume(request) : undefined;
  // Without a terminal nobody can type, so the form that does one prompt and ends is the right one.
  const headless = places.host.kind === 'process' ? agent.headless(request) : undefined;
  return again ?? headless ?? agent.start(request);
}

/** What every program may see. */
const USUAL = /^(?:PATH|HOME|LANG|LC_.*|USER|LOGNAME|SHELL|TMPDIR|TZ)$/;

function environment(places: SessionPlaces, entry: SessionEntry): Readonly<Record<string, string>> {
  const given = Object.entries(places.env).filter(
    ([name, value]) => value !== undefined && (USUAL.test(name) || entry.env.includes(name)),
  );
  return {
    ...(Object.fromEntries(given) as Record<string, string>),
    TERM: 'screen-256color',
    CADRE_SESSION: entry.id,
    CADRE_ROLE: entry.role,
    CADRE_INBOX: join(places.inbox, entry.id),
    ...(places.env.CADRE_HOME === undefined ? {} : { CADRE_HOME: places.env.CADRE_HOME }),
    ...(entry.plan === undefined ? {} : { CADRE_PLAN: entry.plan }),
    ...(entry.task === undefined ? {} : { CADRE_TASK: entry.task }),
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

/** What may be over in a moment is tried again; anything else is why this session cannot be. */
function failed(error: unknown): SessionNews {
  if (!(error instanceof Failure) || PASSING.includes(error.code)) throw error;
  return { kind: 'failed', why: error.message };
}

const PASSING: readonly string[] = [
  'EMFILE',
  'ENFILE',
  'ENOSPC',
  'EDQUOT',
  'EINTR',
  'EAGAIN',
  'tmux-lost',
  'tmux-silent',
];
