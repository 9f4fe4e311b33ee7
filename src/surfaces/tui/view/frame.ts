// The whole screen as lines: a pure function of the model, the facts and the size.

import { slugOf, undated } from '../../../plan/name.ts';
import { shortTime } from '../../cli/text/record-line.ts';
import { commandFor } from '../../cli/text/suggestions.ts';
import { type Layout, layoutOf } from '../model/layout.ts';
import type { Model } from '../model/model.ts';
import { shownPlan } from '../model/plans.ts';
import { subjectOf } from '../model/selection.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { type Situation, situationOf } from '../model/step.ts';
import { taskLabel } from '../model/task-label.ts';
import { fitted, type Line, line, lineText, span, spread, wrapped } from '../terminal/styled.ts';
import { bottomLine, toastLines } from './bottom-line.ts';
import { type FramedSection, framed } from './framed.ts';
import { filterWords, listLines } from './list.ts';
import { sidebarView } from './sidebar.ts';
import { TONES } from './theme.ts';
import { topLine } from './top-line.ts';
import { windowView } from './window.ts';
import { planWord } from './words.ts';

export interface Frame {
  /** As many as the screen has rows, each as wide as the screen. */
  readonly lines: readonly Line[];
  readonly cursor?: { readonly row: number; readonly column: number };
  /** How far the window can be scrolled. */
  readonly scrollEnd: number;
}

export function view(model: Model, snapshot: Snapshot): Frame {
  const situation = situationOf(model, snapshot);
  const layout = layoutOf(model);
  const { rows, columns } = model.size;
  const body = BODIES[layout.kind](situation, layout);
  const bottom = bottomLine(situation);
  const toasts = toastLines(model).slice(-Math.max(0, rows - 2));
  const middle = Array.from({ length: Math.max(0, rows - 2) }, (_none, at) => fitted(body.lines[at] ?? [], columns));
  const lines = [topLine(model, snapshot), ...middle.slice(0, middle.length - toasts.length), ...toasts, bottom.line];
  const cursor = bottom.cursor === undefined ? body.cursor : { row: rows - 1, column: bottom.cursor };
  return { lines: lines.slice(0, rows), scrollEnd: body.scrollEnd, ...(cursor === undefined ? {} : { cursor }) };
}

/** The screen as plain text. */
export function frameText({ lines }: Frame): string {
  return lines.map((one) => lineText(one).trimEnd()).join('\n');
}

interface Body {
  readonly lines: readonly Line[];
  readonly cursor?: { readonly row: number; readonly column: number };
  readonly scrollEnd: number;
}

const BODIES: { readonly [kind in Layout['kind']]: (situation: Situation, layout: Layout) => Body } = {
  wide: wideBody,
  stacked: stackedBody,
  single: singleBody,
};

function wideBody(situation: Situation, { panes, latest, why }: Layout): Body {
  const { model } = situation;
  const { sidebar, list, window } = panes;
  if (sidebar === undefined || list === undefined || window === undefined) return { lines: [], scrollEnd: 0 };
  const rows = model.size.rows - 2;
  const shown = windowView(situation, window);
  const left = framed(
    sidebarView(situation, sidebar),
    { rows, columns: sidebar.columns + 2 },
    model.focus === 'sidebar',
  );
  const middle = framed(
    listSections(situation, list, latest),
    { rows, columns: list.columns + 2 },
    model.focus === 'list',
  );
  const right = framed(
    [shown, ...(why === undefined ? [] : [{ title: 'why', lines: whyLines(situation, why.columns), rows: why.rows }])],
    { rows, columns: window.columns + 2 },
    model.focus === 'window',
  );
  const lines = left.map((one, at): Line => [...one, ...(middle[at] ?? []), ...(right[at] ?? [])]);
  return { lines, scrollEnd: shown.end, ...cursorIn(shown.cursor, window) };
}

function cursorIn(
  cursor: { readonly row: number; readonly column: number } | undefined,
  box: { readonly row: number; readonly column: number },
): Pick<Body, 'cursor'> {
  return cursor === undefined ? {} : { cursor: { row: box.row + cursor.row, column: box.column + cursor.column } };
}

function listSections(
  situation: Situation,
  box: NonNullable<Layout['latest']>,
  latest: Layout['latest'],
): readonly FramedSection[] {
  const { model, snapshot } = situation;
  const { plan } = snapshot;
  const filter = filterWords(situation);
  const count =
    plan === null
      ? ''
      : `${snapshot.isNew ? 'not registered' : planWord(plan)} ${plan.progress.done}/${plan.progress.of}`;
  const title = `2 ${undated(plan?.plan ?? shownPlan(model, snapshot) ?? 'sessions')}`;
  return [
    { title, right: filter === '' ? count : filter, lines: listLines(situation, box) },
    ...(latest === undefined
      ? []
      : [{ title: 'latest', lines: latestLines(situation, latest.columns), rows: latest.rows }]),
  ];
}

function latestLines({ snapshot: { latest, plan: shown } }: Situation, columns: number): readonly Line[] {
  return latest.slice(0, 4).map(({ at, plan, task, text }) => {
    const isOther = plan !== shown?.plan;
    const about = `${isOther ? `${undated(slugOf(plan))} ` : ''}${task === null ? '' : `${taskLabel(task)} `}`;
    return fitted([span(`${shortTime(at).slice(11, 16)} `, TONES.dim), span(about, TONES.strong), span(text)], columns);
  });
}

/** Whose turn it is, and the command. */
function whyLines({ snapshot, row }: Situation, columns: number): readonly Line[] {
  const sentence =
    row?.kind === 'task'
      ? row.task.sentence
      : row?.kind === 'session'
        ? (row.task?.sentence ?? row.session.sentence)
        : (snapshot.plan?.sentence ?? '');
  const on = row?.kind === 'session' ? row.session.session : subjectOf(row, snapshot);
  const command =
    on === undefined ? '' : commandFor({ do: row?.kind === 'session' ? 'session-attach' : 'why', on: undated(on) });
  const said = wrapped(sentence.trim(), columns - 1).slice(0, 3);
  return [
    ...said.map((text) => line(` ${text}`)),
    ...Array.from({ length: 3 - said.length }, () => []),
    ...(command === '' ? [] : [line(` ${command}   (y copies)`, TONES.dim)]),
  ];
}

function stackedBody(situation: Situation, { panes: { list, window } }: Layout): Body {
  if (list === undefined || window === undefined) return { lines: [], scrollEnd: 0 };
  const shown = windowView(situation, window);
  const above = listLines(situation, list);
  const filter = filterWords(situation);
  const title = `─${shown.title.replace(/^3 /, '')}${filter === '' ? '' : `─ ${filter} `}`;
  const rule = spread(
    [span(`${title}${'─'.repeat(list.columns)}`.slice(0, Math.max(0, list.columns - shown.right.length - 1)))],
    [span(shown.right)],
    list.columns,
  );
  const lines = [...Array.from({ length: list.rows }, (_none, at) => above[at] ?? []), rule, ...shown.lines];
  return { lines, scrollEnd: shown.end, ...cursorIn(shown.cursor, window) };
}

function singleBody(situation: Situation, { panes: { list, window } }: Layout): Body {
  const box = list ?? window;
  if (box === undefined) return { lines: [], scrollEnd: 0 };
  const size = { ...box, rows: box.rows - 1 };
  const shown = windowView(situation, size);
  const isOpen = situation.model.mode.kind !== 'list' && shown.title !== windowTitle(situation);
  if (list !== undefined && !isOpen) return { lines: listLines(situation, box), scrollEnd: shown.end };
  const head = spread([span(shown.title.replace(/^3 /, ''), TONES.focus)], [span(shown.right, TONES.dim)], box.columns);
  return {
    lines: [head, ...shown.lines],
    scrollEnd: shown.end,
    ...cursorIn(shown.cursor, { row: box.row + 1, column: 0 }),
  };
}

/** What the window is called while nothing is open over it. */
function windowTitle({ model, snapshot, rows, row }: Situation): string {
  return windowView({ model: { ...model, mode: { kind: 'list' } }, snapshot, rows, row }, { rows: 1, columns: 20 })
    .title;
}
