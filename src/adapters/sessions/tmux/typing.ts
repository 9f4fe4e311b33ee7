// Types a text into a terminal of tmux, and reads a screen.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { showText } from '../../../text/show.ts';
import type { TmuxControl } from './control.ts';
import type { Pane } from './panes.ts';
import type { TmuxServer } from './server.ts';

/** A tmux buffer and a file that nothing else uses. */
export interface Transfer {
  readonly buffer: string;
  readonly file: string;
}

export interface Typing {
  readonly server: TmuxServer;
  readonly control: TmuxControl;
  readonly pane: Pane;
  readonly line: string;
  readonly transfer: Transfer;
  /** Whether Enter waits until the screen shows the paste. */
  readonly waitsForPaste: boolean;
}

/** How long a program may take to show anything after a paste, and to show the paste itself. Some show nothing. */
const SIGN_TIMEOUT = 500;
const PASTE_TIMEOUT = 1_500;

/** How often to read the screen meanwhile: the first thing it shows may be something else. */
const LOOK_AGAIN = 50;

/**
 * Some programs treat an Enter within 40 ms and a redraw after showing a paste as a part of it. On a busy machine that takes
 * longer, as did showing the paste.
 */
const SHORTEST_SETTLING = 150;
const LONGEST_SETTLING = 1_500;
const SETTLING_FACTOR = 3;

/** Returns why the line could not be typed, or undefined. Presses Enter only if the same program is still running. */
export async function typeLine(typing: Typing): Promise<string | undefined> {
  const { server, control, pane } = typing;
  if (pane.life.kind !== 'running') return `The program of "${pane.session}" has ended.`;
  if (!pane.takesInput) return `The terminal of "${pane.session}" accepts no input; somebody has locked it.`;
  const startedAt = performance.now();
  const refusal = await paste(typing);
  if (refusal !== undefined) return `The terminal of "${pane.session}" did not accept the text: ${showText(refusal)}`;
  if (typing.waitsForPaste) await settle(typing, startedAt);
  const now = (await server.panes(control)).find((one) => one.id === pane.id);
  if (now?.life.kind !== 'running' || now.pid !== pane.pid)
    return `The program of "${pane.session}" ended before Enter was pressed.`;
  return (await control.ask(['send-keys', '-t', pane.id, 'Enter'])).refusal;
}

/**
 * Waits until the program has shown something, as a program does that handles a paste: an immediate Enter would count as a
 * part of the paste. Nothing shows for certain that the program has read the text.
 */
async function paste({ server, control, pane, line, transfer }: Typing): Promise<string | undefined> {
  const { buffer, file } = transfer;
  try {
    writeFileSync(file, line, { mode: 0o600 });
    const loaded = await control.ask(
      // If a person has scrolled back, Enter would end the scrolling instead of reaching the program.
      ['copy-mode', '-q', '-t', pane.id],
      ['load-buffer', '-b', buffer, file],
    );
    if (loaded.refusal !== undefined) return loaded.refusal;
    const shown = server.outputOf(pane.id, SIGN_TIMEOUT);
    const pasted = await control.ask(['paste-buffer', '-p', '-r', '-d', '-b', buffer, '-t', pane.id]);
    await shown;
    return pasted.refusal;
  } finally {
    rmSync(file, { force: true });
  }
}

/** Waits until the screen shows the paste, and then until the program has handled it. */
async function settle(typing: Typing, startedAt: number): Promise<void> {
  let isShown = await isOnScreen(typing);
  while (!isShown && performance.now() < startedAt + PASTE_TIMEOUT) {
    await typing.server.outputOf(typing.pane.id, LOOK_AGAIN);
    isShown = await isOnScreen(typing);
  }
  const took = isShown ? performance.now() - startedAt : 0;
  await pause(Math.min(LONGEST_SETTLING, Math.max(SHORTEST_SETTLING, SETTLING_FACTOR * took)));
}

/** Looks for the end of the line, however it is wrapped and decorated. */
async function isOnScreen({ control, pane, line, transfer }: Typing): Promise<boolean> {
  const read = await captureScreen(control, pane, transfer);
  return 'screen' in read && lettersOf(read.screen).includes(lettersOf(line).slice(-END_OF_LINE));
}

/** Enough to distinguish two lines that end in the same words. */
const END_OF_LINE = 60;

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The screen, or what tmux says instead. */
export async function captureScreen(
  control: TmuxControl,
  pane: Pane,
  { buffer, file }: Transfer,
  options: readonly string[] = [],
): Promise<{ readonly refusal: string } | { readonly screen: string }> {
  try {
    // Through a file, because a screen may contain lines that look like the end of an answer.
    const { refusal } = await control.ask(
      ['capture-pane', ...options, '-t', pane.id, '-b', buffer],
      ['save-buffer', '-b', buffer, file],
      ['delete-buffer', '-b', buffer],
    );
    return refusal === undefined ? { screen: readFileSync(file, 'utf8').trimEnd() } : { refusal };
  } finally {
    rmSync(file, { force: true });
  }
}
