// What makes a terminal draw attention to itself: the bell, and OSC 9, which some terminals show as a notification.
import type { Delivery } from '../../core/ports/notify.ts';
import type { NotifySettings } from '../../core/settings/notify.ts';
import { oneLine } from '../../text/one-line.ts';

export interface Ringing {
  /** What to write to the terminal. */
  readonly bytes: string;
  readonly deliveries: readonly Delivery[];
}

/** For a terminal with this environment. */
export function ringing(
  { bell, osc9 }: Pick<NotifySettings, 'bell' | 'osc9'>,
  text: string,
  env: NodeJS.ProcessEnv,
): Ringing {
  const shows = osc9 === 'on' || (osc9 === 'auto' && isKnownToShow(env));
  const rung: Delivery = bell
    ? { channel: 'bell', result: 'sent', sentence: 'Rang the bell of this terminal.' }
    : { channel: 'bell', result: 'off', sentence: 'The bell is off in the settings.' };
  return {
    bytes: `${shows ? notice(text, env) : ''}${bell ? BELL : ''}`,
    deliveries: [rung, shows ? SHOWN : osc9 === 'off' ? OSC9_OFF : NOT_KNOWN],
  };
}

const SHOWN: Delivery = { channel: 'osc9', result: 'sent', sentence: 'Sent OSC 9 to this terminal.' };
const OSC9_OFF: Delivery = { channel: 'osc9', result: 'off', sentence: 'OSC 9 is off in the settings.' };
const NOT_KNOWN: Delivery = {
  channel: 'osc9',
  result: 'missing',
  sentence: 'This terminal is not known to show OSC 9.',
};

/** Where the output is not a terminal. */
export const NO_TERMINAL: readonly Delivery[] = (['bell', 'osc9'] as const).map((channel) => ({
  channel,
  result: 'missing',
  sentence: 'The output is not a terminal.',
}));

/** By what terminals put into TERM_PROGRAM and TERM. */
function isKnownToShow({ TERM_PROGRAM = '', TERM = '' }: NodeJS.ProcessEnv): boolean {
  return /^(?:iTerm\.app|WezTerm|WarpTerminal|ghostty)$/.test(TERM_PROGRAM) || /^(?:xterm-kitty|foot)/.test(TERM);
}

const BELL = '\u0007';

/** The first word keeps the text from being read as a number, which has other meanings. tmux passes on what is wrapped. */
function notice(text: string, { TMUX = '' }: NodeJS.ProcessEnv): string {
  const sequence = `\u001b]9;cadre: ${oneLine(text)}${BELL}`;
  return TMUX === '' ? sequence : `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`;
}
