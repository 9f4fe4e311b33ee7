// A text on its way into a terminal of tmux, and a screen on its way out.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { showText } from '../../../text/show.ts';
import type { TmuxControl } from './control.ts';
import type { Pane } from './panes.ts';
import type { TmuxServer } from './server.ts';

/** A buffer and a file that nothing else uses. */
export interface Passing {
  readonly buffer: string;
  readonly file: string;
}

/** How long a program may take to show anything after a paste, and to show the paste: some show nothing. */
const SIGN_PATIENCE = 500;
const PASTE_PATIENCE = 1_500;

/** How often the screen is looked at meanwhile: what it shows first may be something else. */
const LOOK_AGAIN = 50;

/**
 * Some programs take an Enter for a part of the paste for 40 ms and a redrawing after they have shown it. On a busy machine
 * that is longer, as was the time until it was shown.
 */
const SHORTEST_SETTLING = 150;
const LONGEST_SETTLING = 1_500;
const SETTLING_FACTOR = 3;

/** Why the line could not be typed, or nothing. Enter is pressed only when the program that got the text still runs. */
export async function typeLine(
  server: TmuxServer,
  control: TmuxControl,
  pane: Pane,
  line: string,
  passing: Passing & { readonly isAwaited: boolean },
): Promise<string | undefined> {
  if (pane.life.kind !== 'running') return `The program of "${pane.session}" has ended.`;
  if (!pane.takesInput) return `The terminal of "${pane.session}" takes no keys; somebody has locked it.`;
  const began = performance.now();
  const refusal = await paste(server, control, pane, line, passing);
  if (refusal !== undefined) return `The terminal of "${pane.session}" did not take the text: ${showText(refusal)}`;
  if (passing.isAwaited) await settle(server, control, pane, line, passing, began);
  const now = (await server.panes(control)).find((one) => one.id === pane.id);
  if (now?.life.kind !== 'running' || now.pid !== pane.pid)
    return `The program of "${pane.session}" ended before Enter was pressed.`;
  return (await control.ask(['send-keys', '-t', pane.id, 'Enter'])).refusal;
}

/**
 * Waits until the program has shown something, as one that takes a paste does: Enter in the same moment would be taken for
 * a part of it. Whether the program has read the text nobody can tell.
 */
async function paste(
  server: TmuxServer,
  control: TmuxControl,
  pane: Pane,
  line: string,
  { buffer, file }: Passing,
): Promise<string | undefined> {
  try {
    writeFileSync(file, line, { mode: 0o600 });
    const loaded = await control.ask(
      // Where a person has scrolled back, Enter would go to the scrolling and not to the program.
      ['copy-mode', '-q', '-t', pane.id],
      ['load-buffer', '-b', buffer, file],
    );
    if (loaded.refusal !== undefined) return loaded.refusal;
    const shown = server.outputOf(pane.id, SIGN_PATIENCE);
    const pasted = await control.ask(['paste-buffer', '-p', '-r', '-d', '-b', buffer, '-t', pane.id]);
    await shown;
    return pasted.refusal;
  } finally {
    rmSync(file, { force: true });
  }
}

/** Waits until the paste is seen, and then until the program is done with it. */
async function settle(
  server: TmuxServer,
  control: TmuxControl,
  pane: Pane,
  line: string,
  passing: Passing,
  began: number,
): Promise<void> {
  let isShown = await isOnScreen(control, pane, line, passing);
  while (!isShown && performance.now() < began + PASTE_PATIENCE) {
    await server.outputOf(pane.id, LOOK_AGAIN);
    isShown = await isOnScreen(control, pane, line, passing);
  }
  const took = isShown ? performance.now() - began : 0;
  await pause(Math.min(LONGEST_SETTLING, Math.max(SHORTEST_SETTLING, SETTLING_FACTOR * took)));
}

/** The end of the line, wherever it is broken and whatever is drawn around it. */
async function isOnScreen(control: TmuxControl, pane: Pane, line: string, passing: Passing): Promise<boolean> {
  const read = await readScreen(control, pane, passing);
  return 'screen' in read && lettersOf(read.screen).includes(lettersOf(line).slice(-END_OF_LINE));
}

/** Enough to tell two lines apart that end in the same words. */
const END_OF_LINE = 60;

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

/** What tmux says instead of the screen, or the screen. */
export async function readScreen(
  control: TmuxControl,
  pane: Pane,
  { buffer, file }: Passing,
): Promise<{ readonly refusal: string } | { readonly screen: string }> {
  try {
    // Through a file, because on a screen there may be lines that look like the end of an answer.
    const { refusal } = await control.ask(
      ['capture-pane', '-t', pane.id, '-b', buffer],
      ['save-buffer', '-b', buffer, file],
      ['delete-buffer', '-b', buffer],
    );
    return refusal === undefined ? { screen: readFileSync(file, 'utf8').trimEnd() } : { refusal };
  } finally {
    rmSync(file, { force: true });
  }
}
