// What a key, or news from outside, makes of the model. Pure: what is to be done outside comes back as commands.

import type { PlanFile } from '../../../plan/name.ts';
import { answerDialog, confirmation } from '../model/dialogs.ts';
import { findingsKey } from '../model/findings.ts';
import { layoutOf } from '../model/layout.ts';
import { lineWith } from '../model/line-editor.ts';
import type { Model, Pane } from '../model/model.ts';
import { move, scrollBy, select, settled } from '../model/moving.ts';
import { openNeed } from '../model/needs.ts';
import { firstPlan, plansKey } from '../model/plans.ts';
import { pasteInto, submitPrompt, typeKey } from '../model/prompts.ts';
import { isSelectable } from '../model/rows.ts';
import { search } from '../model/searching.ts';
import { openInSidebar, sidebarItemAt } from '../model/sidebar.ts';
import type { Snapshot } from '../model/snapshot.ts';
import {
  backToList,
  become,
  refusing,
  type Situation,
  type Step,
  situationOf,
  withoutOldToasts,
  withToast,
} from '../model/step.ts';
import type { Input } from '../terminal/input.ts';
import { completed } from './completing.ts';
import { pressed } from './table.ts';

export type TuiMessage =
  | Input
  | { readonly kind: 'resized'; readonly size: Model['size'] }
  /** New facts, or time went by. */
  | { readonly kind: 'read' }
  /** A screen has so many more lines than when it was last read. */
  | { readonly kind: 'grown'; readonly key: string; readonly by: number }
  /** What came of an action; an empty text says nothing. `plan`: the one that it leads to. */
  | { readonly kind: 'performed'; readonly ok: boolean; readonly text: string; readonly plan?: PlanFile }
  | { readonly kind: 'warned'; readonly text: string; readonly tone: 'error' | 'done' }
  /** What a command of the command line has printed. */
  | { readonly kind: 'printed'; readonly line: string; readonly ok: boolean; readonly lines: readonly string[] }
  /** The text as it was saved in the editor; null where that did not work. */
  | { readonly kind: 'edited'; readonly text: string | null }
  /** A command wants to know whether it may. */
  | { readonly kind: 'asked'; readonly question: string };

export function update(model: Model, message: TuiMessage, snapshot: Snapshot): Step {
  const situation = situationOf(withoutOldToasts(model, snapshot.now), snapshot);
  const { model: after, commands } = stepFor(situation, message);
  return { model: settled(after, snapshot), commands };
}

function stepFor(situation: Situation, message: TuiMessage): Step {
  const { model, snapshot } = situation;
  switch (message.kind) {
    case 'key':
      return keyStep(situation, message.name);
    case 'paste':
      return pasteStep(situation, message.text);
    case 'click':
      return clickStep(situation, message);
    case 'wheel':
      return wheelStep(situation, message);
    case 'resized':
      return become({ ...model, size: message.size });
    case 'read':
      return become(starting(model, snapshot));
    case 'grown':
      return become(grown(model, message));
    case 'performed':
      return become(performed(situation, message));
    case 'warned':
      return become(withToast(model, message.text, message.tone, snapshot.now));
    case 'printed':
      return become(printed(situation, message));
    case 'edited':
      return editedStep(situation, message.text);
    case 'asked':
      return become(asked(model, message.question));
  }
}

function keyStep(situation: Situation, key: string): Step {
  const { model } = situation;
  const { mode } = model;
  switch (mode.kind) {
    case 'list':
      return pressed(situation, key);
    case 'ask':
      return answerDialog(situation, mode.dialog, key);
    case 'plans':
      return plansKey(situation, mode.at, key);
    case 'findings':
      return findingsKey(situation, mode.at, key);
    case 'help':
      return helpKey(model, mode.top, key);
    case 'type': {
      const { prompt, line } = mode;
      if (key === 'tab' && prompt.purpose.kind === 'command') return become(completed(situation, prompt, line));
      // The draft of this one is kept.
      if (key === 'ctrl-n' && prompt.purpose.kind === 'answer') {
        const kept = typeKey(situation, prompt, line, 'escape').model;
        return openNeed({ ...situation, model: kept }, prompt.purpose.on);
      }
      if (key === 'enter' && prompt.purpose.kind === 'search')
        return search({ ...situation, model: backToList(model) }, line.text);
      return typeKey(situation, prompt, line, key);
    }
  }
}

function helpKey(model: Model, top: number, key: string): Step {
  const by = HELP_MOVES[key];
  if (by !== undefined) return become({ ...model, mode: { kind: 'help', top: Math.max(0, top + by) } });
  return become(['escape', 'q', '?', 'enter', 'ctrl-c'].includes(key) ? backToList(model) : model);
}

const HELP_MOVES: { readonly [key: string]: number } = {
  j: 1,
  down: 1,
  k: -1,
  up: -1,
  'page-down': 10,
  'page-up': -10,
  space: 10,
};

/** Pasted text is never a command. */
function pasteStep(situation: Situation, text: string): Step {
  const { model } = situation;
  if (model.mode.kind === 'type') return become(pasteInto(model, model.mode.prompt, model.mode.line, text));
  return refusing(
    situation,
    'Pasted text is not taken as keys. Press ":" first to paste a command, "i" to type to an agent.',
  );
}

interface Place {
  readonly row: number;
  readonly column: number;
}

function clickStep(situation: Situation, place: Place): Step {
  const { model, rows } = situation;
  if (model.mode.kind !== 'list') return become(model);
  const pane = paneAt(model, place);
  if (pane === undefined) return become(model);
  const focused = { ...model, focus: pane };
  const { list: box, sidebar } = layoutOf(model).panes;
  if (pane === 'sidebar' && sidebar !== undefined) {
    const at = sidebarItemAt(model, situation.snapshot, sidebar.rows, place.row - sidebar.row);
    return at === undefined ? become(focused) : openInSidebar({ ...situation, model: { ...focused, sidebarAt: at } });
  }
  const row = pane === 'list' && box !== undefined ? rows[model.listTop + place.row - box.row] : undefined;
  return become(row !== undefined && isSelectable(row) ? select(focused, row) : focused);
}

function wheelStep(situation: Situation, { by, ...place }: Place & { readonly by: -1 | 1 }): Step {
  const { model } = situation;
  if (model.mode.kind !== 'list') return become(model);
  if (paneAt(model, place) === 'window') return scrollBy(situation, by * WHEEL_LINES);
  return move(
    { ...situation, model: { ...model, focus: paneAt(model, place) === 'sidebar' ? 'sidebar' : 'list' } },
    by,
  );
}

const WHEEL_LINES = 3;

function paneAt(model: Model, { row, column }: Place): Pane | undefined {
  const panes = Object.entries(layoutOf(model).panes) as [
    Pane,
    { row: number; column: number; rows: number; columns: number },
  ][];
  return panes.find(
    ([, box]) =>
      row >= box.row && row < box.row + box.rows && column >= box.column && column < box.column + box.columns,
  )?.[0];
}

/** Who reads what has scrolled off stays where they read; the end of a screen is followed. */
function grown(model: Model, { key, by }: Extract<TuiMessage, { kind: 'grown' }>): Model {
  const { scroll } = model;
  if (scroll.key !== key || scroll.lines === 0) return model;
  return { ...model, scroll: { key, lines: scroll.lines + by }, scrollEnd: model.scrollEnd + by };
}

function performed(
  { model, snapshot }: Situation,
  { ok, text, plan }: Extract<TuiMessage, { kind: 'performed' }>,
): Model {
  const pending = Math.max(0, model.pending - 1);
  const isOther = plan !== undefined && plan !== model.plan;
  const answered = { ...model, pending, ...(isOther ? { plan, selected: null, selectedAt: 0, listTop: 0 } : {}) };
  return text === '' ? answered : withToast(answered, text, ok ? 'done' : 'error', snapshot.now);
}

/** The plan that is shown at first; later only the person chooses another. */
function starting(model: Model, snapshot: Snapshot): Model {
  const plan = model.plan ?? firstPlan(snapshot);
  return plan === model.plan ? model : { ...model, plan };
}

/** One line is a toast; more is shown in place of the window. */
function printed(
  { model, snapshot }: Situation,
  { line, ok, lines }: { readonly line: string; readonly ok: boolean; readonly lines: readonly string[] },
): Model {
  const [only, ...more] = lines;
  if (only === undefined) return ok ? model : withToast(model, `":${line}" failed.`, 'error', snapshot.now);
  if (more.length === 0) return withToast(model, only, ok ? 'done' : 'error', snapshot.now);
  const isSingle = layoutOf(model).kind === 'single';
  return { ...model, output: { title: `:${line}`, lines }, ...(isSingle ? { focus: 'window' } : {}) };
}

function editedStep(situation: Situation, text: string | null): Step {
  const { model } = situation;
  if (model.mode.kind !== 'type') return become(model);
  const { prompt, line } = model.mode;
  if (text === null) return become({ ...model, mode: { kind: 'type', prompt, line: lineWith(line.text) } });
  return submitPrompt(situation, prompt, text.trimEnd());
}

function asked(model: Model, question: string): Model {
  const dialog = confirmation(question, [], [{ do: 'reply', yes: true }]);
  return { ...model, mode: { kind: 'ask', dialog: { ...dialog, otherwise: [{ do: 'reply', yes: false }] } } };
}
