// The line of the diff that a comment is on: moved line by line, or to the next file or remark, with the window following.
import { type DiffLine, type DiffRow, diffRows, isChanged, isCode } from './diff-rows.ts';
import { layoutOf } from './layout.ts';
import type { DiffPlace, Model } from './model.ts';
import { openPrompt } from './prompts.ts';
import { subjectOf, windowKey, windowOf } from './selection.ts';
import { become, refusing, type Situation, type Step } from './step.ts';

/** Undefined where no diff is shown. */
export function shownDiff({ model, snapshot, row }: Situation): readonly DiffRow[] | undefined {
  const { window } = snapshot;
  if (model.output !== null || window?.kind !== 'diff') return undefined;
  const of = subjectOf(row, snapshot);
  return diffRows(
    window.lines,
    window.findings,
    model.comments.filter((one) => one.of === of),
  );
}

/** Where the cursor is among these rows: where the person left it, or else at the first change in view. */
export function cursorRow(situation: Situation, rows: readonly DiffRow[]): number {
  const { diffAt } = situation.model;
  const own = diffAt?.key === keyOf(situation) ? rows.findIndex((row) => isAt(row, diffAt)) : -1;
  if (own !== -1) return own;
  const from = topOf(situation);
  const changed = rows.findIndex((row, index) => index >= from && isChanged(row));
  return changed === -1 ? rows.findLastIndex(isChanged) : changed;
}

/** The lines from the mark to the cursor, in the order of the file; without a mark only that of the cursor. */
export function markedLines(situation: Situation): readonly DiffLine[] {
  const rows = shownDiff(situation) ?? [];
  const at = cursorRow(situation, rows);
  const { diffAt } = situation.model;
  const mark = diffAt?.key === keyOf(situation) ? diffAt.mark : null;
  const other = mark === null ? at : rows.findIndex((row) => isAt(row, mark));
  const [from, to] = other === -1 ? [at, at] : [Math.min(at, other), Math.max(at, other)];
  const path = pathOf(rows[at]);
  return rows.slice(Math.max(0, from), to + 1).flatMap((row) => {
    return row.kind === 'line' && isCode(row.line) && row.line.path === path ? [row.line] : [];
  });
}

export function moveInDiff(situation: Situation, by: number): Step {
  const rows = shownDiff(situation) ?? [];
  const lines = rows.flatMap((row, index) => (row.kind === 'line' && isCode(row.line) ? [index] : []));
  const at = lines.indexOf(cursorRow(situation, rows));
  const to = lines[Math.max(0, Math.min(at + by, lines.length - 1))];
  return become(to === undefined ? situation.model : withCursor(situation, rows, to));
}

/** To the next file, finding or comment; undefined after the last one. */
export function jumpInDiff(situation: Situation, by: -1 | 1): Model | undefined {
  const rows = shownDiff(situation) ?? [];
  const at = cursorRow(situation, rows);
  const places = rows.flatMap((row, index) => (isPlace(row) ? [lineFor(rows, index)] : [])).filter((to) => to !== -1);
  const to = by === 1 ? places.find((place) => place > at) : places.findLast((place) => place < at);
  return to === undefined ? undefined : withCursor(situation, rows, to);
}

/** Another press takes the mark away. */
export function mark(situation: Situation): Step {
  const rows = shownDiff(situation) ?? [];
  const at = cursorRow(situation, rows);
  const row = rows[at];
  if (row?.kind !== 'line') return refusing(situation, 'There is no changed line to mark.');
  const model = withCursor(situation, rows, at);
  const { diffAt } = model;
  if (diffAt === null) return become(model);
  return become({ ...model, diffAt: { ...diffAt, mark: diffAt.mark === null ? placeOf(row.line) : null } });
}

function isPlace(row: DiffRow): boolean {
  return row.kind !== 'line' || row.line.kind === 'file';
}

/** A remark is below its line, and a file above its first one. */
function lineFor(rows: readonly DiffRow[], at: number): number {
  const row = rows[at];
  if (row?.kind === 'line' && row.line.kind === 'file')
    return rows.findIndex((one, index) => index > at && isChanged(one) && one.line.path === row.line.path);
  return rows.findLastIndex((one, index) => index < at && one.kind === 'line' && isCode(one.line));
}

/** The window follows, with the row in view. */
function withCursor(situation: Situation, rows: readonly DiffRow[], at: number): Model {
  const { model } = situation;
  const row = rows[at];
  if (row?.kind !== 'line') return model;
  const key = keyOf(situation);
  const height = windowRows(model);
  const top = topOf(situation);
  const lines = at < top ? Math.max(0, at - 1) : at >= top + height ? at - height + 1 : top;
  const before = model.diffAt?.key === key ? model.diffAt.mark : null;
  return { ...model, scroll: { key, lines }, diffAt: { key, ...placeOf(row.line), mark: before } };
}

export function windowRows(model: Model): number {
  const { kind, panes } = layoutOf({ ...model, focus: model.focus === 'sidebar' ? 'list' : model.focus });
  return Math.max(1, (panes.window?.rows ?? 2) - (kind === 'single' ? 1 : 0));
}

function placeOf({ path, number, kind }: DiffLine): DiffPlace {
  return { path, number, kind };
}

function isAt(row: DiffRow, { path, number, kind }: DiffPlace): boolean {
  return row.kind === 'line' && row.line.path === path && row.line.number === number && row.line.kind === kind;
}

function pathOf(row: DiffRow | undefined): string {
  return row?.kind === 'line' ? row.line.path : '';
}

function topOf(situation: Situation): number {
  const { scroll, scrollEnd } = situation.model;
  return scroll.key === keyOf(situation) ? Math.min(scroll.lines, scrollEnd) : 0;
}

function keyOf({ model, snapshot, rows }: Situation): string {
  const window = windowOf(model, snapshot, rows);
  return window === undefined ? '' : windowKey(window);
}

/** Comments become the feedback: each a paragraph, and so a finding. */
export function comment(situation: Situation): Step {
  const { model, snapshot, row } = situation;
  const lines = markedLines(situation);
  const of = subjectOf(row, snapshot);
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined || of === undefined)
    return refusing(situation, 'There is no changed line to comment on.');
  const { path, number: line, text: code } = first;
  const known = model.comments.find(
    (one) => one.of === of && one.path === path && one.line === line && one.code === code,
  );
  const isRange = last !== first;
  return become(
    openPrompt(
      model,
      {
        purpose: { kind: 'comment', of, path, line, code, until: isRange ? last.number : null },
        title: `Comment on ${path}:${line}${isRange ? ` to ${last.number}` : ''}`,
        label: 'you> ',
        lines: [code, 'Enter adds it to the feedback that "b" sends; empty removes it.'],
      },
      known?.text,
    ),
  );
}
