// Chooses the host of a repository's sessions and connects the parts.

import type { Host } from '../../core/ports/host.ts';
import type { Sessions } from '../../core/ports/sessions.ts';
import type { SandboxSettings } from '../../core/settings/sandbox.ts';
import { commitAccess } from '../git/commit-access.ts';
import type { Repo } from '../repo/repo.ts';
import { sessionKeys } from '../signals/session-keys.ts';
import { disk } from '../system/disk.ts';
import { run } from '../system/exec.ts';
import type { Runs } from '../worktrees/open-runs.ts';
import { textsFor } from '../worktrees/run-files.ts';
import { bothHosts } from './both-hosts.ts';
import { ProcessHost } from './process/process-host.ts';
import { reports } from './reports.ts';
import { sessionWalls } from './session-walls.ts';
import { sessionWorktrees } from './session-worktrees.ts';
import { sessions } from './sessions.ts';
import type { ServerName } from './tmux/control.ts';
import { TmuxHost } from './tmux/tmux-host.ts';

export interface SessionSettings {
  readonly host: 'auto' | 'tmux' | 'process';
  readonly trusted: boolean;
  readonly cadre: readonly string[];
  /** The command that prepares a worktree. */
  readonly setup: readonly string[];
  /** The command with which a program may verify its work. */
  readonly verify: readonly string[] | null;
  /** Asked each time, because a person may change the settings while the engine is running. */
  readonly sandbox: () => SandboxSettings;
}

/** How long the setup of a plan reviewer's worktree may take, in milliseconds. */
const SETUP_TIMEOUT = 15 * 60_000;

export function openSessions(repo: Repo, env: NodeJS.ProcessEnv, runs: Runs, settings: SessionSettings): Sessions {
  const keys = sessionKeys(disk, repo.sessions);
  const { cadre, sandbox } = settings;
  return sessions({
    host: openHost(repo, settings.host),
    worktrees: sessionWorktrees(runs.adhoc, runs.trees, {
      setup: settings.setup,
      patience: SETUP_TIMEOUT,
    }),
    verify: settings.verify,
    folder: repo.sessions,
    inbox: repo.inbox,
    textsFor: (tree) => textsFor(repo.runs, tree),
    commits: commitAccess({ ...repo, env }),
    env,
    keys,
    cadre,
    walls: sessionWalls({ ...runs.walled, folder: repo.sessions, inbox: repo.inbox, env, cadre, keys, sandbox }),
    trusted: settings.trusted,
    reports: reports(repo.reports),
  });
}

function openHost(repo: Repo, wanted: SessionSettings['host']): Host {
  const isTmux = wanted === 'tmux' || (wanted === 'auto' && run(['tmux', '-V']).exitCode === 0);
  const server = serverOf(repo.state);
  const processes = new ProcessHost({ folder: repo.sessions });
  if (server === undefined) return processes;
  const terminals = new TmuxHost({ server, folder: repo.sessions });
  return isTmux ? bothHosts(terminals, processes, repo.sessions) : bothHosts(processes, terminals, repo.sessions);
}

/** The tmux server of a repository. The name of its state folder ends in a hash of its path, so no two share a server. */
export function serverOf(state: string): ServerName | undefined {
  const name = `cadre-${state.slice(-12)}`;
  return /^[\w-]+$/.test(name) ? name : undefined;
}
