// The rows of the tab Diff: the lines of a diff, and beside them what reviews found there and what the person has commented.
import type { FindingView } from '../../../core/views/findings.ts';
import type { Comment } from './model.ts';

export interface DiffLine {
  readonly text: string;
  readonly kind: 'file' | 'hunk' | 'added' | 'removed' | 'same' | 'meta';
  readonly path: string;
  /** Its number in the new file, or in the old one for a removed line; 0 for other lines. */
  readonly number: number;
}

export type DiffRow =
  | { readonly kind: 'line'; readonly line: DiffLine }
  | { readonly kind: 'finding'; readonly finding: FindingView }
  | { readonly kind: 'comment'; readonly comment: Comment };

/** A diff as git prints it, line by line. */
export function diffLines(text: string): readonly DiffLine[] {
  let [path, before, after] = ['', 0, 0];
  let isBody = false;
  return text.split('\n').map((line): DiffLine => {
    const [, file] = /^diff --git a\/.* b\/(.*)$/.exec(line) ?? [];
    if (file !== undefined) {
      [path, isBody] = [file, false];
      return { text: line, kind: 'file', path, number: 0 };
    }
    const [, from, to] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line) ?? [];
    if (from !== undefined && to !== undefined) {
      [before, after, isBody] = [Number(from), Number(to), true];
      return { text: line, kind: 'hunk', path, number: 0 };
    }
    if (isBody && line.startsWith('+')) return { text: line, kind: 'added', path, number: after++ };
    if (isBody && line.startsWith('-')) return { text: line, kind: 'removed', path, number: before++ };
    if (isBody && line.startsWith(' ')) {
      before += 1;
      return { text: line, kind: 'same', path, number: after++ };
    }
    return { text: line, kind: 'meta', path, number: 0 };
  });
}

/** What is about no line of the diff comes first. */
export function diffRows(
  lines: readonly DiffLine[],
  findings: readonly FindingView[],
  comments: readonly Comment[],
): readonly DiffRow[] {
  const beside = new Map<number, DiffRow[]>();
  const add = (at: number, row: DiffRow): void => void beside.set(at, [...(beside.get(at) ?? []), row]);
  for (const finding of findings) add(lineOfFinding(lines, finding), { kind: 'finding', finding });
  for (const comment of comments) add(lineOfComment(lines, comment), { kind: 'comment', comment });
  return [
    ...(beside.get(NOWHERE) ?? []),
    ...lines.flatMap((line, at): readonly DiffRow[] => [{ kind: 'line', line }, ...(beside.get(at) ?? [])]),
  ];
}

const NOWHERE = -1;

/** A place without a line is about the whole file. */
function lineOfFinding(lines: readonly DiffLine[], { place }: FindingView): number {
  const [, path, number] = /^(.*?)(?::(\d+))?$/.exec(place ?? '') ?? [];
  const exact = lines.findIndex(
    (line) => line.path === path && line.kind !== 'removed' && line.number > 0 && line.number === Number(number),
  );
  return exact === NOWHERE ? lines.findIndex((line) => line.kind === 'file' && line.path === path) : exact;
}

/** It follows its code where that moved; where that is gone, it stays at its number. */
function lineOfComment(lines: readonly DiffLine[], { path, line: number, code }: Comment): number {
  const far = ({ number: other }: DiffLine): number => Math.abs(other - number);
  const same = lines.filter((line) => line.path === path && line.text === code);
  const nearest = same.toSorted((one, other) => far(one) - far(other))[0];
  if (nearest !== undefined) return lines.indexOf(nearest);
  return lines.findIndex((line) => line.path === path && line.number === number && line.kind !== 'removed');
}

/** What a comment can be on. */
export function isCode({ kind }: Pick<DiffLine, 'kind'>): boolean {
  return kind === 'added' || kind === 'removed' || kind === 'same';
}

export function isChanged(row: DiffRow): row is Extract<DiffRow, { kind: 'line' }> {
  return row.kind === 'line' && (row.line.kind === 'added' || row.line.kind === 'removed');
}
