// The one line to type for a text: the text itself, or a request to read it from a file.
import { askToRead } from '../../agents/hand-over.ts';
import type { SessionId } from '../../core/model/ids.ts';
import { isPlainLine, sanitize } from '../../text/sanitize.ts';
import type { SessionFolders } from './session-folders.ts';

type TypedLine = { readonly kind: 'line'; readonly line: string } | { readonly kind: 'refused'; readonly why: string };

const LONGEST_TEXT = 100_000;

/** A program without bracketed paste would take the end of every line for an Enter, so longer texts go to a file. */
export function typedLine(session: SessionId, text: string, folders: SessionFolders): TypedLine {
  if (text.length > LONGEST_TEXT)
    return { kind: 'refused', why: `The text has ${text.length} characters; the limit is ${LONGEST_TEXT}.` };
  const clean = sanitize(text);
  if (clean.trim() === '') return { kind: 'refused', why: 'The text contains nothing that can be typed.' };
  if (folders.placeOf(session) === undefined) return { kind: 'refused', why: `There is no session "${session}".` };
  if (isPlainLine(clean)) return { kind: 'line', line: clean };
  return { kind: 'line', line: askToRead(folders.writeMessage(session, clean), clean) };
}
