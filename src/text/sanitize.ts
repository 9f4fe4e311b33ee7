// Makes untrusted text inert: what is typed into a program, and what a program has printed.

/**
 * Keeps visible characters, spaces, tabs and line ends. Removes control characters, escapes, direction changes and
 * zero-width characters: a terminal or a program would act on them, and a person would not see them.
 */
export function sanitize(text: string): string {
  // \p{C} includes lone surrogates and unassigned code points. Not a constant: V8 takes long to build such a set.
  const unseen = /(?![\n\t])[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(unseen, '');
}

/** The longest line, in bytes, that every terminal and pipe accepts at once; macOS has the lowest limits. */
const LONGEST_LINE = 500;

/**
 * Whether a program reads the line as plain text when it is typed. Without bracketed paste, a tab would complete something
 * and a line end would be Enter. Agents read some first characters and file mentions as commands, and a backslash before
 * Enter as a line break.
 */
export function isPlainLine(text: string): boolean {
  return (
    !/[\n\t]/.test(text) &&
    !/^\s*[/!#@&?]|\s@|\\\s*$/u.test(text) &&
    new TextEncoder().encode(text).length <= LONGEST_LINE
  );
}

/** The end of a program's output, as it would look on a screen without colours. */
export function lastLines(output: string, count: number): string {
  const lines = output.replace(ESCAPES, '').replace(/\r+\n/g, '\n').split('\n').map(visiblePart);
  if (lines.at(-1) === '') lines.pop();
  return lines.slice(-count).join('\n');
}

/** Escape sequences: CSI, string sequences, and short ones. */
const ESCAPES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/g;

/** After a carriage return, only the last text of a line is visible. */
function visiblePart(line: string): string {
  return sanitize(line.slice(line.lastIndexOf('\r') + 1));
}
