// Untrusted text for one line of a screen or a prompt.
import { showText } from './show.ts';

const LONGEST = 500;

/** On one line, of limited length, without anything that a terminal would act on. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return showText(line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line);
}
