// Starts a program in a new terminal of tmux: in the tmux session of its place, instead of the terminal of its predecessor.
import { Failure } from '../../../core/model/failure.ts';
import type { Launch } from '../../../core/ports/host.ts';
import { showText } from '../../../text/show.ts';
import type { TmuxControl } from './control.ts';
import { MARK, type Pane } from './panes.ts';
import { linkToHub, type TmuxServer } from './server.ts';

export interface TerminalLaunch {
  readonly server: TmuxServer;
  readonly control: TmuxControl;
  readonly launch: Launch;
  readonly script: string;
}

/**
 * The program of `occupant` has already been stopped. Its terminal is replaced by a new one in the same tmux session, so that
 * a person who is attached stays attached: tmux 3.3 crashes, and takes every program with it, when the program that
 * `respawn-pane` starts ends at once.
 */
export async function launchInto(terminal: TerminalLaunch, occupant: Pane | undefined): Promise<void> {
  const { server, control } = terminal;
  const commands = occupant === undefined ? inNewSession(terminal) : insteadOf(occupant, terminal);
  const { refusal } = await server.change(control, ...commands);
  if (refusal !== undefined) await launchAnyway(terminal, occupant, refusal);
}

/**
 * Another cadre may have been faster, or a person may have created a tmux session with this name, or moved the terminal of
 * the occupant out of the one with this name.
 */
async function launchAnyway(terminal: TerminalLaunch, occupant: Pane | undefined, refusal: string): Promise<void> {
  const { server, control, launch } = terminal;
  const panes = await server.panes(control);
  if (panes.some(({ session }) => session === launch.session)) return;
  const existing = panes.filter((pane) => pane.place === launch.place);
  const isTaken = existing.some(({ session }) => session !== undefined);
  const inTheWay = existing.length > 0 ? ['kill-session', '-t', `=${launch.place}`] : closing(occupant);
  if (isTaken || inTheWay === undefined) throw tmuxRefused(`start "${launch.session}"`, refusal);
  await server.change(control, inTheWay);
  const again = await server.change(control, ...inNewSession(terminal));
  if (again.refusal !== undefined) throw tmuxRefused(`start "${launch.session}"`, again.refusal);
}

function inNewSession(terminal: TerminalLaunch): readonly (readonly string[])[] {
  const { place } = terminal.launch;
  return [['new-session', '-d', '-s', place, '-x', '200', '-y', '50', ...program(terminal)], ...known(terminal)];
}

function insteadOf(occupant: Pane, terminal: TerminalLaunch): readonly (readonly string[])[] {
  const { place } = terminal.launch;
  return [['new-window', '-t', `=${place}:`, ...program(terminal)], ...known(terminal), closing(occupant)];
}

function program({ script }: TerminalLaunch): readonly string[] {
  return ['/bin/sh', script];
}

/** The mark is set in the same exchange, so that no crash leaves a program that nobody knows. */
function known({ launch: { session, place } }: TerminalLaunch): readonly (readonly string[])[] {
  return [['set-option', '-p', '-t', `=${place}:`, MARK, session], linkToHub(`=${place}:`)];
}

function closing(occupant: Pane): readonly string[];
function closing(occupant: Pane | undefined): readonly string[] | undefined;
function closing(occupant: Pane | undefined): readonly string[] | undefined {
  return occupant === undefined ? undefined : ['kill-pane', '-t', occupant.id];
}

export function tmuxRefused(doing: string, refusal: string): Failure {
  return new Failure('failed', 'tmux-refused', `tmux could not ${doing}: ${showText(refusal)}`);
}
