// A line that is being typed.
import { sanitize } from '../../../text/sanitize.ts';

export interface TypedLine {
  readonly text: string;
  /** Where the next character goes. */
  readonly at: number;
}

export const EMPTY_LINE: TypedLine = { text: '', at: 0 };

export function lineWith(text: string): TypedLine {
  return { text, at: text.length };
}

/** The line after the key; undefined where the key is not for it. */
export function typed(line: TypedLine, key: string): TypedLine | undefined {
  const edit = EDITS[key];
  if (edit !== undefined) return edit(line);
  return [...key].length === 1 ? inserted(line, key) : undefined;
}

/** Line ends of pasted text become spaces: only Enter sends. */
export function inserted({ text, at }: TypedLine, added: string): TypedLine {
  const plain = sanitize(added).replace(/\s+/g, ' ');
  return { text: text.slice(0, at) + plain + text.slice(at), at: at + plain.length };
}

const EDITS: { readonly [key: string]: (line: TypedLine) => TypedLine } = {
  space: (line) => inserted(line, ' '),
  backspace: (line) => removed(line, before(line)),
  delete: ({ text, at }) => ({ text: text.slice(0, at) + text.slice(after({ text, at })), at }),
  left: (line) => ({ ...line, at: before(line) }),
  right: (line) => ({ ...line, at: after(line) }),
  home: (line) => ({ ...line, at: 0 }),
  end: ({ text }) => lineWith(text),
  'ctrl-a': (line) => ({ ...line, at: 0 }),
  'ctrl-u': ({ text, at }) => ({ text: text.slice(at), at: 0 }),
  'ctrl-k': ({ text, at }) => ({ text: text.slice(0, at), at }),
  'ctrl-w': (line) => removed(line, wordStart(line)),
};

function removed({ text, at }: TypedLine, from: number): TypedLine {
  return { text: text.slice(0, from) + text.slice(at), at: from };
}

function before({ text, at }: TypedLine): number {
  return at - ([...text.slice(0, at)].at(-1)?.length ?? 0);
}

function after({ text, at }: TypedLine): number {
  return at + ([...text.slice(at)][0]?.length ?? 0);
}

function wordStart({ text, at }: TypedLine): number {
  return text.slice(0, at).replace(/\S+\s*$/, '').length;
}
