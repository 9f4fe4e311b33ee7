// The tabs Diff and Git: what was changed, line by line and commit by commit.
import { ageWords } from '../model/age.ts';
import { cursorRow, markedLines, shownDiff } from '../model/diff-cursor.ts';
import { type DiffLine, type DiffRow, isCode } from '../model/diff-rows.ts';
import type { DiffFacts, WindowContent } from '../model/snapshot.ts';
import type { Situation } from '../model/step.ts';
import { fitted, type Line, line, type Style, span, spread } from '../terminal/styled.ts';
import { findingSpans } from './findings.ts';
import { TONES } from './theme.ts';

type Diff = Extract<WindowContent, { kind: 'diff' }>;
type Git = Extract<WindowContent, { kind: 'git' }>;

/** The rows of the screen, one for each row of the diff; only those that are asked for are drawn. */
export interface DrawnRows {
  readonly count: number;
  slice(from: number, to: number): readonly Line[];
}

export function diffContent(situation: Situation, window: Diff, columns: number): DrawnRows {
  const rows = shownDiff(situation) ?? [];
  if (window.lines.every(({ text }) => text.trim() === ''))
    return drawn([line(' Nothing has been committed yet.', TONES.dim), ...uncommitted(window)]);
  const at = cursorRow(situation, rows);
  const marked = new Set(markedLines(situation));
  return {
    count: rows.length,
    slice: (from, to) =>
      rows.slice(from, to).map((row, index) => {
        const isMarked = from + index === at || (row.kind === 'line' && marked.has(row.line));
        return rowLine(row, isMarked, columns);
      }),
  };
}

export function drawn(lines: readonly Line[]): DrawnRows {
  return { count: lines.length, slice: (from, to) => lines.slice(from, to) };
}

function rowLine(row: DiffRow, isMarked: boolean, columns: number): Line {
  switch (row.kind) {
    case 'line':
      return diffLine(row.line, isMarked);
    case 'finding':
      return fitted([span('     '), ...findingSpans(row.finding)], columns);
    case 'comment':
      return fitted([span(`     you> ${row.comment.text}`, TONES.need)], columns);
  }
}

function diffLine({ text, kind, number }: DiffLine, isMarked: boolean): Line {
  const edge = span(isMarked ? '▌' : ' ', TONES.focus);
  if (kind === 'file') return [edge, span(text.replace(/^diff --git a\/.* b\//, ''), TONES.strong)];
  const gutter = isCode({ kind }) ? span(`${`${number}`.padStart(4)} `, TONES.dim) : span('     ');
  return [edge, gutter, span(text, STYLES[kind])];
}

const STYLES: { readonly [kind in Exclude<DiffLine['kind'], 'file'>]: Style } = {
  hunk: { colour: 6 },
  added: { colour: 2 },
  removed: { colour: 1 },
  same: {},
  meta: { dim: true },
};

export function gitContent(window: Git, columns: number, now: number): readonly Line[] {
  const { of, span: range, commits, files, worktree } = window;
  return [
    line(` ${of}  ${range.from.slice(0, 7)}..${range.to.slice(0, 7)}${range.merged ? '  merged' : ''}`, TONES.strong),
    ...(worktree === null ? [] : [line(` in ${worktree}`, TONES.dim)]),
    ...uncommitted(window),
    [],
    line(` ${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}`, TONES.strong),
    ...commits.map(({ commit, subject, author, at }) =>
      spread(
        [span(` ${commit.slice(0, 7)} `, TONES.implement), span(subject)],
        [span(`${author}  ${ageWords(at, now)}`, TONES.dim)],
        columns,
      ),
    ),
    [],
    line(` ${files.length} ${files.length === 1 ? 'file' : 'files'}`, TONES.strong),
    ...files.map(({ path, added, removed }) =>
      spread(
        [span(` ${path}`)],
        [span(`+${added ?? '-'}`, TONES.good), span(` -${removed ?? '-'}`, { colour: 1 })],
        columns,
      ),
    ),
  ];
}

function uncommitted({ hasUncommitted, rewrites }: DiffFacts): readonly Line[] {
  return [
    ...(hasUncommitted ? [line(' The worktree has uncommitted changes, which are not shown.', TONES.dim)] : []),
    ...(rewrites.length === 0
      ? []
      : [line(` Changes what the verify command runs: ${rewrites.join(', ')}`, TONES.need)]),
  ];
}
