// Text from anywhere made into text that nothing acts on: what is typed for a program, and what a program has written.

/**
 * Only what can be seen, spaces, tabs and line ends. Out go control characters, escape, what turns the direction of
 * writing, and what has no width: a terminal or a program would act on them, and a person would not see them.
 */
export function sanitize(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(UNSEEN, '');
}

/** A lone half of a surrogate pair is one of \p{C}; so are code points that stand for nothing. */
const UNSEEN = /(?![\n\t])[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

/** The longest line that any terminal and any pipe takes at once, in bytes; macOS has the least of both. */
const LONGEST_LINE = 500;

/**
 * Whether a program takes a line as it is, whatever it makes of the keys in it. A tab would complete something and a line
 * end would be Enter where the program knows no bracketed paste; agents take some first characters and a mention of a
 * file as commands to themselves, and a backslash before Enter as a line end.
 */
export function isPlainLine(text: string): boolean {
  return (
    !/[\n\t]/.test(text) &&
    !/^\s*[/!#@&?]|\s@|\\\s*$/u.test(text) &&
    new TextEncoder().encode(text).length <= LONGEST_LINE
  );
}

/** The end of what a program wrote, as lines on a screen without colours would show it. */
export function lastLines(output: string, count: number): string {
  const lines = output.replace(ESCAPES, '').replace(/\r+\n/g, '\n').split('\n').map(visiblePart);
  if (lines.at(-1) === '') lines.pop();
  return lines.slice(-count).join('\n');
}

/** Commands to the terminal: with parameters, with a text up to its end, and short ones. */
const ESCAPES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/g;

/** A line that was written over shows what was written last. */
function visiblePart(line: string): string {
  return sanitize(line.slice(line.lastIndexOf('\r') + 1));
}
