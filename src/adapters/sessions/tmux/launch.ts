// Puts a program into a terminal of tmux: into the one that its predecessor had, or into a new one.
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../core/model/failure.ts';
import type { Launch } from '../../../core/ports/host.ts';
import { showText } from '../../../text/show.ts';
import type { TmuxControl } from './control.ts';
import { MARK, type Pane } from './panes.ts';
import { linkToHub, type TmuxServer } from './server.ts';

/** How long tmux may take to see that a program has ended which has ended. */
const DEATH_PATIENCE = 2_000;

/** The program of `occupant`, if there is one, has been ended before. */
export async function launchInto(
  server: TmuxServer,
  control: TmuxControl,
  launch: Launch,
  script: string,
  occupant: Pane | undefined,
): Promise<void> {
  const free = occupant === undefined ? undefined : await deadPane(server, control, occupant);
  if (occupant !== undefined && free === undefined)
    await server.change(control, ['kill-window', '-t', occupant.window]);
  const commands = free === undefined ? inNewPane(launch, script) : inDeadPane(free, launch, script);
  const { refusal } = await server.change(control, ...commands);
  if (refusal !== undefined) await launchAnyway(server, control, launch, script, refusal);
}

/** The terminal of a program that has ended, once tmux has seen it. */
async function deadPane(server: TmuxServer, control: TmuxControl, { id }: Pane): Promise<Pane | undefined> {
  const deadline = performance.now() + DEATH_PATIENCE;
  for (;;) {
    const pane = (await server.panes(control)).find((one) => one.id === id);
    if (pane === undefined || pane.life.kind === 'ended') return pane;
    if (performance.now() > deadline) return undefined;
    await pause(5);
  }
}

/** Another cadre may have been quicker, and a person may have made a session of this name. */
async function launchAnyway(
  server: TmuxServer,
  control: TmuxControl,
  launch: Launch,
  script: string,
  refusal: string,
): Promise<void> {
  const there = (await server.panes(control)).filter((pane) => pane.place === launch.place);
  if (there.some(({ session }) => session === launch.session)) return;
  if (there.length === 0 || there.some(({ session }) => session !== undefined))
    throw refused(`start "${launch.session}"`, refusal);
  await server.change(control, ['kill-session', '-t', `=${launch.place}`]);
  const again = await server.change(control, ...inNewPane(launch, script));
  if (again.refusal !== undefined) throw refused(`start "${launch.session}"`, again.refusal);
}

/** The mark is set in the same breath, so that no crash can leave a program that nobody knows. */
function inNewPane({ session, place }: Launch, script: string): readonly (readonly string[])[] {
  return [
    ['new-session', '-d', '-s', place, '-x', '200', '-y', '50', '/bin/sh', script],
    ['set-option', '-p', '-t', `=${place}:`, MARK, session],
    linkToHub(`=${place}:`),
  ];
}

function inDeadPane({ id }: Pane, { session }: Launch, script: string): readonly (readonly string[])[] {
  return [
    ['respawn-pane', '-t', id, '/bin/sh', script],
    ['set-option', '-p', '-t', id, MARK, session],
    ['clear-history', '-t', id],
  ];
}

export function refused(doing: string, refusal: string): Failure {
  return new Failure('failed', 'tmux-refused', `tmux could not ${doing}: ${showText(refusal)}`);
}
