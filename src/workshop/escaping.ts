// Markdown escapes for lines that a plan file would read as a heading, a label, a step, or the start of something unfinished.
// They look the same as the text without them.

/** Every such line of a text, apart from those in fences. A fence that is not closed is closed. */
export function escapedText(text: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const [, indent = '', mark = '', info = ''] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      lines.push(line);
      if (mark.startsWith(fence) && info.trim() === '') fence = undefined;
    } else if (mark !== '') {
      fence = mark;
      // A fence in a shell language, or in none, would be the command of its step.
      lines.push(`${indent}${mark}${SHELL.test(info) ? 'text' : info}`);
    } else lines.push(escapedLine(line));
  }
  return [...lines, ...(fence === undefined ? [] : [fence])].join('\n');
}

const FENCE = /^( {0,3})(`{3,}|~{3,})([^`]*)$/;
const SHELL = /^\s*(?:(?:sh|bash|shell|zsh|fish|console|terminal|shell-session|powershell|ps1|cmd|bat)(?=[\s{,]|$)|$)/i;

export function escapedLine(line: string): string {
  const [, markers = '', body = ''] = CONFLICT.test(line) ? ['', '', line] : (LINE.exec(line) ?? []);
  if (/^#{1,6}(?:\s|$)/.test(body)) return `${markers}${escapedHeading(body)}`;
  if (STARTS.some((start) => start.test(body))) return `${markers}\\${body}`;
  return `${markers}${LABEL.test(body) ? body.replace(':', '\\:') : body}`;
}

/** The markers of lists and quotes, and what follows them. */
const LINE = /^(\s*(?:(?:[-*+]|\d{1,9}[.)])\s+|>\s?)*)(.*)$/s;

const CONFLICT = /^[<>]{7} /;

/** A heading in a task is below the heading of the task. One with a number, or one that is a title, is not. */
function escapedHeading(body: string): string {
  const title = body.replace(/^#+\s*[^\p{L}\p{N}]*/u, '');
  const isRead =
    /^(?:phase|wave|task|step|files|goal|architecture|tech stack)(?![\p{L}\p{N}])|^\p{L}{3,7}\s*#?\d/iu.test(title);
  return isRead ? `\\${body}` : body.replace(/^#{1,3}(?=\s|$)/, '####');
}

/** Starts of lines that a backslash turns into text. */
const STARTS: readonly RegExp[] = [
  CONFLICT,
  // A line of dashes or "=" makes a heading of the line above it.
  /^(?:=+|-+)\s*$/,
  // HTML may continue to the end of the file.
  /^<[A-Za-z/!?]/,
  /^#{1,6}[^\s#]/,
  // A step or a heading in bold, or with a box to tick.
  /^(?:\[[ xX]\]\s+|[*_[]{1,3})\W{0,3}(?:phase|wave|task|step)\b/i,
];

/** Labels that are read, that were meant to be one, and headings without hashes. */
const LABEL =
  /^[*_]{0,3}(?:files?(?: to (?:change|modify|create))?|depend[a-z]*(?:[ -](?:up)?on)?|run|expected|goals?|architecture|(?:tech ?)?stack|requires|required|prerequisites|blocked by|waits for|after|(?:task|phase|wave)\s+[\d.]+)[*_]{0,3}\s*:/i;
