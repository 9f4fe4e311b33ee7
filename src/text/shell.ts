// Quotes an argument list as one line for sh, for settings that accept only a command line.

export function quoteForShell(argv: readonly string[]): string {
  return argv.map(quoted).join(' ');
}

/** Words without special characters need no quotes. "=" would turn the first word into an assignment. */
const PLAIN = /^(?:-[A-Za-z0-9_/.,:@%+=-]*|[A-Za-z0-9_/.,:@%+-]+)$/;

function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
