// What comes of a key or of news: the next model, and what is to be done outside of it.
import type { Command } from './commands.ts';
import { LIST_MODE, type Model, type Toast } from './model.ts';
import { type Row, rowsOf, selectedRow } from './rows.ts';
import { windowKey, windowOf } from './selection.ts';
import type { Snapshot } from './snapshot.ts';

export interface Step {
  readonly model: Model;
  readonly commands: readonly Command[];
}

/** The model with what can be seen from it. */
export interface Situation {
  readonly model: Model;
  readonly snapshot: Snapshot;
  readonly rows: readonly Row[];
  readonly row: Row | undefined;
}

export function situationOf(model: Model, snapshot: Snapshot): Situation {
  const rows = rowsOf(model, snapshot);
  const wanted = windowOf(model, snapshot, rows);
  // What was read for another row is not of the selected one: no key may act on it.
  const isRead = wanted !== undefined && snapshot.window?.key === windowKey(wanted);
  return { model, snapshot: isRead ? snapshot : { ...snapshot, window: null }, rows, row: selectedRow(model, rows) };
}

export function become(model: Model): Step {
  return { model, commands: [] };
}

export function doing(model: Model, ...commands: readonly Command[]): Step {
  const asked = commands.filter((command) => command.do === 'perform').length;
  return { model: { ...model, pending: model.pending + asked }, commands };
}

export function backToList(model: Model): Model {
  return { ...model, mode: LIST_MODE };
}

export function refusing({ model, snapshot }: Situation, text: string): Step {
  return become(withToast(model, text, 'error', snapshot.now));
}

/** Equal ones are counted. */
export function withToast(model: Model, text: string, tone: Toast['tone'], now: number): Model {
  const same = model.toasts.find((toast) => toast.text === text && toast.tone === tone);
  const others = model.toasts.filter((toast) => toast !== same);
  const toast: Toast = {
    text,
    tone,
    count: (same?.count ?? 0) + 1,
    until: tone === 'error' ? null : now + TOAST_STAYS,
  };
  return {
    ...model,
    toasts: [...others, toast].slice(-MOST_TOASTS),
    messages: [...model.messages, text].slice(-MOST_MESSAGES),
  };
}

export function withoutOldToasts(model: Model, now: number): Model {
  const toasts = model.toasts.filter(({ until }) => until === null || until > now);
  return toasts.length === model.toasts.length ? model : { ...model, toasts };
}

/** In milliseconds. */
const TOAST_STAYS = 6_000;
const [MOST_TOASTS, MOST_MESSAGES] = [3, 200];
