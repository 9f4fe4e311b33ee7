// A tmux server of cadre's in which no program was started, or from which all are gone: a killed cadre leaves one behind.
import { type Finished, run } from '../../system/exec.ts';
import { HUB, type ServerName, tmuxArguments, tmuxEnvironment } from './control.ts';
import { LIST_PANES } from './panes.ts';

export function isIdleServer(server: ServerName): boolean {
  const panes = ask(server, LIST_PANES);
  return panes.exitCode === 0 && panes.stdout.trim() === '' && hasHub(server);
}

/** A server that a person uses for something else has other sessions, and none of cadre's. */
function hasHub(server: ServerName): boolean {
  return ask(server, ['has-session', '-t', `=${HUB}`]).exitCode === 0;
}

/** Returns whether it did: a server in which something was started meanwhile stays. */
export function endIdleServer(server: ServerName | undefined): boolean {
  if (server === undefined || !isIdleServer(server)) return false;
  return ask(server, ['kill-session', '-t', `=${HUB}`]).exitCode === 0;
}

/** Starts no server where there is none. */
function ask(server: ServerName, command: readonly string[]): Finished {
  return run([...tmuxArguments(server), '-N', ...command], { cwd: '/', env: tmuxEnvironment() });
}
