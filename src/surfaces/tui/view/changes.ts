// The tabs Diff and Git: what was changed, line by line and commit by commit.
import { ageWords } from '../model/age.ts';
import { commentTarget, type DiffLine, diffLines } from '../model/commenting.ts';
import { subjectOf } from '../model/selection.ts';
import type { DiffFacts, WindowContent } from '../model/snapshot.ts';
import type { Situation } from '../model/step.ts';
import { type Line, line, type Style, span, spread } from '../terminal/styled.ts';
import { TONES } from './theme.ts';

type Diff = Extract<WindowContent, { kind: 'diff' }>;
type Git = Extract<WindowContent, { kind: 'git' }>;

/** One line of the screen for each line of the diff, so that scrolling counts lines of the diff. */
export function diffContent(situation: Situation, window: Diff, _columns: number): readonly Line[] {
  if (window.text.trim() === '') return [line(' Nothing has been committed yet.', TONES.dim), ...uncommitted(window)];
  const target = commentTarget(situation);
  const of = subjectOf(situation.row, situation.snapshot);
  const comments = situation.model.comments.filter((one) => one.of === of);
  return diffLines(window.text).flatMap((one) => {
    const isTarget =
      target !== undefined && one.path === target.path && one.number === target.number && one.kind === target.kind;
    const own = comments.filter((comment) => comment.path === one.path && comment.line === one.number && isChange(one));
    return [diffLine(one, isTarget), ...own.map((comment) => line(`     you> ${comment.text}`, TONES.need))];
  });
}

function isChange({ kind }: DiffLine): boolean {
  return kind === 'added' || kind === 'removed';
}

function diffLine({ text, kind, number }: DiffLine, isTarget: boolean): Line {
  const edge = span(isTarget ? '▌' : ' ', TONES.focus);
  if (kind === 'file') return [edge, span(text.replace(/^diff --git a\/.* b\//, ''), TONES.strong)];
  const numbered = kind === 'added' || kind === 'removed' || kind === 'same';
  const gutter = numbered ? span(`${`${number}`.padStart(4)} `, TONES.dim) : span('     ');
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
