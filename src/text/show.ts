// Text from outside, made safe to print on a terminal.

/** Any text made safe to print on one line and in quotes, and not longer than a line. */
export function showName(text: string): string {
  const short = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return showText(short.replace(/["\\]/g, (char) => `\\${char}`));
}

/** Control, format and direction characters become escapes: nothing in it can act on a terminal. */
export function showText(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same for text of several lines. */
export function showLines(text: string): string {
  const lines = text.split('\n').map((line) => line.split('\t').map(showText).join('\t'));
  return lines.join('\n');
}
