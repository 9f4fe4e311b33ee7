// The one line that is typed for a text: the text itself, or where a file with it is.
import { askToRead } from '../../agents/hand-over.ts';
import type { SessionId } from '../../core/model/ids.ts';
import { isPlainLine, sanitize } from '../../text/sanitize.ts';
import type { SessionFolders } from './session-folders.ts';

export type Line =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'refused'; readonly why: string };

const LONGEST_TEXT = 100_000;

/** A text of several lines would be pressed with Enter after each where the program knows no bracketed paste. */
export function lineFor(session: SessionId, text: string, folders: SessionFolders): Line {
  if (text.length > LONGEST_TEXT)
    return { kind: 'refused', why: `The text has ${text.length} characters; more than ${LONGEST_TEXT} are not sent.` };
  const clean = sanitize(text);
  if (clean.trim() === '') return { kind: 'refused', why: 'There is nothing in the text that could be typed.' };
  if (folders.placeOf(session) === undefined) return { kind: 'refused', why: `There is no session "${session}".` };
  if (isPlainLine(clean)) return { kind: 'line', line: clean };
  return { kind: 'line', line: askToRead(folders.writeMessage(session, clean), clean) };
}
