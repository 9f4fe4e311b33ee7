// Starts a program in a terminal of tmux: in the one of its predecessor, or in a new one.
import { setTimeout as pause } from 'node:timers/promises';
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

/** How long tmux may take to notice that a program has ended, in milliseconds. */
const DEATH_TIMEOUT = 2_000;

/** The program of `occupant` has already been stopped. */
export async function launchInto(terminal: TerminalLaunch, occupant: Pane | undefined): Promise<void> {
  const { server, control } = terminal;
  const free = occupant === undefined ? undefined : await deadPane(terminal, occupant);
  if (occupant !== undefined && free === undefined)
    await server.change(control, ['kill-window', '-t', occupant.window]);
  const commands = free === undefined ? inNewPane(terminal) : inDeadPane(free, terminal);
  const { refusal } = await server.change(control, ...commands);
  if (refusal !== undefined) await launchAnyway(terminal, refusal);
}

/** The terminal of a program that has ended, once tmux has noticed. */
async function deadPane({ server, control }: TerminalLaunch, { id }: Pane): Promise<Pane | undefined> {
  const deadline = performance.now() + DEATH_TIMEOUT;
  for (;;) {
    const pane = (await server.panes(control)).find((one) => one.id === id);
    if (pane === undefined || pane.life.kind === 'ended') return pane;
    if (performance.now() > deadline) return undefined;
    await pause(5);
  }
}

/** Another cadre may have been faster, or a person may have created a tmux session with this name. */
async function launchAnyway(terminal: TerminalLaunch, refusal: string): Promise<void> {
  const { server, control, launch } = terminal;
  const existing = (await server.panes(control)).filter((pane) => pane.place === launch.place);
  if (existing.some(({ session }) => session === launch.session)) return;
  if (existing.length === 0 || existing.some(({ session }) => session !== undefined))
    throw tmuxRefused(`start "${launch.session}"`, refusal);
  await server.change(control, ['kill-session', '-t', `=${launch.place}`]);
  const again = await server.change(control, ...inNewPane(terminal));
  if (again.refusal !== undefined) throw tmuxRefused(`start "${launch.session}"`, again.refusal);
}

/** The mark is set in the same exchange, so that no crash leaves a program that nobody knows. */
function inNewPane({ launch: { session, place }, script }: TerminalLaunch): readonly (readonly string[])[] {
  return [
    ['new-session', '-d', '-s', place, '-x', '200', '-y', '50', '/bin/sh', script],
    ['set-option', '-p', '-t', `=${place}:`, MARK, session],
    linkToHub(`=${place}:`),
  ];
}

function inDeadPane({ id }: Pane, { launch: { session }, script }: TerminalLaunch): readonly (readonly string[])[] {
  return [
    ['respawn-pane', '-t', id, '/bin/sh', script],
    ['set-option', '-p', '-t', id, MARK, session],
    ['clear-history', '-t', id],
  ];
}

export function tmuxRefused(doing: string, refusal: string): Failure {
  return new Failure('failed', 'tmux-refused', `tmux could not ${doing}: ${showText(refusal)}`);
}
