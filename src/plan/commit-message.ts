// The message of the last `git commit -m "..."` in a text, as a shell would pass it to git.

export function lastCommitMessage(text: string): string | null {
  let last: string | null = null;
  for (let at = text.indexOf(COMMAND); at !== -1; ) {
    const start = at + COMMAND.length;
    const { message, length } = readArguments(text.slice(start, start + LONGEST_COMMAND));
    last = message ?? last;
    // Skip the message: a "git commit" inside it is not a command.
    at = text.indexOf(COMMAND, start + length);
  }
  return last;
}

const COMMAND = 'git commit';
/** Longer commands are cut off, so that a text full of unterminated commands is still read in linear time. */
const LONGEST_COMMAND = 4_000;

/** The messages, joined with a blank line as git does, and how much of the text belongs to the command. */
function readArguments(text: string): { readonly message: string | null; readonly length: number } {
  const messages: string[] = [];
  let length = 0;
  for (let found = next(OPTION, text, 0); found !== undefined; found = next(OPTION, text, length)) {
    length = found.end;
    if (found.groups.message === undefined) continue;
    const value = readValue(text, length);
    if (value === undefined) break;
    messages.push(value.text);
    length = value.end;
  }
  return { message: messages.length === 0 ? null : messages.join('\n\n'), length };
}

/** One option or word; a backslash continues the line. */
const OPTION = /(?:[ \t]|\\\r?\n)+(?:(?<message>-[A-Za-z]*m|--message)(?:[ \t]+|=|(?=["']))|[^\s"'`;|&]+)/y;

function readValue(text: string, at: number): { text: string; end: number } | undefined {
  const heredoc = next(HEREDOC, text, at);
  if (heredoc !== undefined) return { text: (heredoc.groups.text ?? '').trimEnd(), end: heredoc.end };
  const quoted = next(QUOTED, text, at);
  if (quoted === undefined) return undefined;
  const { double, single, bare = '' } = quoted.groups;
  return { text: double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? bare, end: quoted.end };
}

const HEREDOC =
  /"\$\(cat <<-?[ \t]*(?<quote>["']?)(?<word>\w{1,40})\k<quote>[ \t]*\r?\n(?<text>.*?)\r?\n[ \t]*\k<word>[ \t]*\r?\n?[ \t]*\)"/sy;
const QUOTED = /"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>[^']*)'|(?<bare>[^\s"'`;|&]+)/sy;

function next(
  pattern: RegExp,
  text: string,
  at: number,
): { groups: { readonly [name: string]: string | undefined }; end: number } | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? undefined : { groups: found.groups ?? {}, end: pattern.lastIndex };
}
