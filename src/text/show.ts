// Makes untrusted text safe to print on a terminal.

/** For text in quotes on one line; shortens it to less than a line. */
export function showName(text: string): string {
  const short = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return showText(short.replace(/["\\]/g, (char) => `\\${char}`));
}

/** Escapes control, format and direction characters, so that nothing acts on the terminal. */
export function showText(text: string): string {
  // Compiling the expression for all of Unicode takes as long as showing a hundred plans.
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same for text with several lines. */
export function showLines(text: string): string {
  const lines = text.split('\n').map((line) => line.split('\t').map(showText).join('\t'));
  return lines.join('\n');
}
