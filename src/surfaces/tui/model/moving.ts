// Moving around: the selection, folds, tabs, panes, scrolling.
import { moveInDiff, shownDiff } from './diff-cursor.ts';
import { type Box, layoutOf } from './layout.ts';
import { type Model, type Pane, TABS } from './model.ts';
import { isSelectable, type Row, rowsOf, taskRowId } from './rows.ts';
import { windowKey, windowOf } from './selection.ts';
import { moveInSidebar } from './sidebar.ts';
import type { Snapshot } from './snapshot.ts';
import { become, type Situation, type Step } from './step.ts';

/** Up or down by so many rows; what cannot be selected is passed over. */
export function move(situation: Situation, by: number): Step {
  const { model, rows } = situation;
  if (model.focus === 'window')
    return shownDiff(situation) === undefined ? scrollBy(situation, by) : moveInDiff(situation, by);
  if (model.focus === 'sidebar' && layoutOf(model).panes.sidebar !== undefined) return moveInSidebar(situation, by);
  const selectable = rows.filter(isSelectable);
  const at = selectable.findIndex(({ id }) => id === model.selected);
  const to = selectable[Math.min(selectable.length - 1, Math.max(0, at + by))];
  return become(to === undefined ? model : select(model, to));
}

export function moveToEnd(situation: Situation, end: 'first' | 'last'): Step {
  return move(situation, end === 'first' ? -FAR : FAR);
}

const FAR = 1_000_000;

export function movePage(situation: Situation, pages: number): Step {
  const box = layoutOf(situation.model).panes[situation.model.focus];
  return move(situation, Math.round(pages * Math.max(1, (box?.rows ?? 2) - 1)));
}

export function select(model: Model, row: Row): Model {
  return { ...model, selected: row.id, output: null };
}

export function foldRow({ model, rows, row }: Situation, to: 'fold' | 'unfold' | 'other'): Step {
  if (row === undefined) return become(model);
  const own = row.kind === 'phase' || (row.kind === 'task' && row.session !== null) ? row : parentOf(rows, row);
  if (own === undefined) return become(model);
  const isFolded = to === 'other' ? !own.isFolded : to === 'fold';
  // What is folded already: its parent.
  const isAbove = to === 'fold' && own === row && own.isFolded;
  const target = isAbove ? (parentOf(rows, row) ?? own) : own;
  const folds = new Map(model.folds).set(target.id, isFolded);
  return become({ ...select(model, to === 'unfold' ? row : target), folds });
}

type Foldable = Extract<Row, { kind: 'phase' | 'task' }>;

function parentOf(rows: readonly Row[], row: Row): Foldable | undefined {
  const before = rows.slice(0, rows.indexOf(row)).toReversed();
  const above = before.find(({ kind }) => kind === 'phase' || (row.kind === 'session' && kind === 'task'));
  const isOwn = row.kind === 'task' || (row.kind === 'session' && row.task !== null);
  return isOwn && (above?.kind === 'phase' || above?.kind === 'task') ? above : undefined;
}

export function turnTab({ model }: Situation, by: number): Step {
  const at = (TABS.indexOf(model.tab) + by + TABS.length) % TABS.length;
  return become({ ...model, tab: TABS[at] ?? 'first', output: null });
}

export function focusOn({ model }: Situation, focus: Pane): Step {
  return become({ ...model, focus });
}

/** Up and down as one reads: in a screen that is followed, up leaves the end. */
export function scrollBy(situation: Situation, by: number): Step {
  const { model, snapshot } = situation;
  const key = scrollKey(situation);
  const now = model.scroll.key === key ? Math.min(model.scroll.lines, model.scrollEnd) : 0;
  const toward = isFollowed(model, snapshot) ? -by : by;
  const lines = Math.min(model.scrollEnd, Math.max(0, now + toward));
  // In a diff, what is chosen is always in view.
  return become({ ...model, scroll: { key, lines }, diffAt: lines === now ? model.diffAt : null });
}

/** How far the window is scrolled now. */
export function scrolled(situation: Situation): number {
  const { model } = situation;
  return model.scroll.key === scrollKey(situation) ? model.scroll.lines : 0;
}

/** The newest lines of a screen are at its end. */
export function isFollowed(model: Model, snapshot: Snapshot): boolean {
  return model.output === null && snapshot.window?.kind === 'screen';
}

export function scrollKey({ model, snapshot, rows }: Situation): string {
  if (model.output !== null) return `output ${model.output.title}`;
  const window = windowOf(model, snapshot, rows);
  return window === undefined ? '' : windowKey(window);
}

/** The selection stays on its row; where that is gone, it moves to its task, or to what took its place. */
export function settled(model: Model, snapshot: Snapshot): Model {
  const rows = rowsOf(model, snapshot);
  const at = [model.selected, ...model.selectedIn]
    .map((id) => rows.findIndex((row) => row.id === id))
    .find((index) => index !== -1);
  const place = at ?? nearestSelectable(rows, model.selectedAt);
  const row = rows[place];
  const [selected, selectedIn] = [row?.id ?? null, containersOf(rows, place)];
  const listTop = topFor(model.listTop, place, rows.length, layoutOf(model).panes.list);
  const isSame =
    selected === model.selected &&
    selectedIn.join() === model.selectedIn.join() &&
    place === model.selectedAt &&
    listTop === model.listTop;
  // Before anything was read there is nothing to select, and nothing is lost.
  return isSame || rows.length === 0 ? model : { ...model, selected, selectedIn, selectedAt: place, listTop };
}

/** The rows that a row is below, the nearest first: of a session its task or its plan, of a task its phase. */
function containersOf(rows: readonly Row[], place: number): readonly string[] {
  const row = rows[place];
  if (row?.kind !== 'task' && (row?.kind !== 'session' || row.plan === null)) return [];
  const phase = rows.slice(0, place).findLast(({ kind }) => kind === 'phase')?.id;
  const inPhase = phase === undefined ? [] : [phase];
  if (row.kind === 'task' || row.plan === null) return inPhase;
  return row.task === null ? [`plan:${row.plan}`] : [taskRowId(row.plan, row.task.task), ...inPhase];
}

function nearestSelectable(rows: readonly Row[], at: number): number {
  const start = Math.min(Math.max(0, at), Math.max(0, rows.length - 1));
  const after = rows.findIndex((row, index) => index >= start && isSelectable(row));
  return after === -1 ? Math.max(0, rows.findLastIndex(isSelectable)) : after;
}

/** The first visible row, so that the selected one is in view. */
function topFor(top: number, at: number, count: number, box: Box | undefined): number {
  if (box === undefined) return top;
  const [least, most] = [Math.max(0, at - box.rows + 1), Math.min(at, Math.max(0, count - box.rows))];
  return Math.max(least, Math.min(top, Math.max(most, least)));
}
