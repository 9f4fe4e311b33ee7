// The files that `cadre init` wants in a repository, and what that means for each file as it is.
import { markedSection, outdatedSection, sectionState, withoutSection, withSection } from './marked-section.ts';

export type Wish =
  /** A section in a file of the person's; `head` comes before it where there is no such file yet. */
  | {
      readonly kind: 'section';
      readonly path: string;
      readonly head: string;
      readonly body: string;
      readonly why: string;
    }
  /** Lines that the file must have. */
  | { readonly kind: 'lines'; readonly path: string; readonly lines: readonly string[]; readonly why: string }
  /** Written where there is none, and the person's from then on. */
  | { readonly kind: 'once'; readonly path: string; readonly text: string; readonly why: string };

export interface FileChange {
  readonly path: string;
  readonly does: 'create' | 'change' | 'keep' | 'remove';
  /** The whole text of the file afterwards; undefined where it is kept or removed. */
  readonly text?: string;
  /** What is written, or why nothing is. */
  readonly why: string;
}

export type TextOf = (path: string) => string | undefined;

export function changeFor(wish: Wish, textOf: TextOf): FileChange {
  const { path, why } = wish;
  const present = textOf(path);
  if (wish.kind === 'once')
    return present === undefined
      ? { path, does: 'create', text: wish.text, why }
      : { path, does: 'keep', why: 'it already exists' };
  if (wish.kind === 'lines') return linesChange(wish, present);
  if (present === undefined)
    return {
      path,
      does: 'create',
      text: `${wish.head}${wish.head === '' ? '' : '\n'}${markedSection(wish.body)}`,
      why,
    };
  if (sectionState(present) === 'edited')
    return { path, does: 'keep', why: 'somebody has edited the section of cadre' };
  const text = withSection(present, wish.body);
  if (text === present) return { path, does: 'keep', why: 'it is up to date' };
  const isReplaced = sectionState(present) === 'missing' && outdatedSection(present) !== undefined;
  return { path, does: 'change', text, why: isReplaced ? `${why}, instead of a section about plan-state.json` : why };
}

function linesChange({ path, lines, why }: Extract<Wish, { kind: 'lines' }>, present = ''): FileChange {
  const known = new Set(present.split(/\r?\n/));
  const missing = lines.filter((line) => !known.has(line));
  if (missing.length === 0) return { path, does: 'keep', why: 'it is up to date' };
  const gap = present === '' || present.endsWith('\n') ? '' : '\n';
  return { path, does: present === '' ? 'create' : 'change', text: `${present}${gap}${missing.join('\n')}\n`, why };
}

/** What removes it again; undefined where there is none of it. */
export function removalOf(wish: Wish, textOf: TextOf): FileChange | undefined {
  const { path } = wish;
  const present = textOf(path);
  if (present === undefined) return undefined;
  if (wish.kind === 'once')
    return present === wish.text
      ? { path, does: 'remove', why: 'it is as cadre wrote it' }
      : { path, does: 'keep', why: 'it is yours' };
  if (wish.kind === 'lines') return linesRemoval(wish, present);
  if (sectionState(present) === 'missing') return undefined;
  if (sectionState(present) === 'edited')
    return { path, does: 'keep', why: 'somebody has edited the section of cadre' };
  const rest = withoutSection(present);
  return rest.trim() === wish.head.trim()
    ? { path, does: 'remove', why: 'nothing else is in it' }
    : { path, does: 'change', text: rest, why: 'without the section of cadre' };
}

function linesRemoval({ path, lines }: Extract<Wish, { kind: 'lines' }>, present: string): FileChange | undefined {
  const rest = present.split('\n').filter((line) => !lines.includes(line.replace(/\r$/, '')));
  const text = rest.join('\n');
  if (text === present) return undefined;
  return text.trim() === ''
    ? { path, does: 'remove', why: 'nothing else is in it' }
    : { path, does: 'change', text, why: 'without the lines of cadre' };
}
