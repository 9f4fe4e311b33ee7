// An argument list as one line that sh reads back as the same list, for settings that take nothing but such a line.

export function quoteForShell(argv: readonly string[]): string {
  return argv.map(quoted).join(' ');
}

/** Words that mean themselves stay as people type them; "=" would make an assignment of a first word. */
const PLAIN = /^(?:-[A-Za-z0-9_/.,:@%+=-]*|[A-Za-z0-9_/.,:@%+-]+)$/;

function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
