// What the interface knows apart from the facts: where the person is, what is folded, and what is being typed.
import type { SeenRun } from '../../../core/model/run.ts';
import type { ActionName } from '../../../core/model/suggestion.ts';
import type { PlanFile } from '../../../plan/name.ts';
import type { Command } from './commands.ts';
import type { TypedLine } from './line-editor.ts';

export type Pane = 'sidebar' | 'list' | 'window';

/** The first is about the selection itself: the screen of a session, the detail of a task or of a plan. */
export const TABS = ['first', 'diff', 'git'] as const;
export type Tab = (typeof TABS)[number];

export interface Model {
  readonly size: { readonly columns: number; readonly rows: number };
  readonly focus: Pane;
  /** Where there is one pane at a time, or one fills the screen. */
  readonly isZoomed: boolean;
  /** The plan that the list shows; null: the active one, whichever that is at the start. */
  readonly plan: PlanFile | null;
  /** What new sessions run; null: the default program. */
  readonly program: string | null;
  /** The id of the selected row, and where it was when it was last seen. */
  readonly selected: string | null;
  readonly selectedAt: number;
  /** The rows that the selected one is below, the nearest first. */
  readonly selectedIn: readonly string[];
  readonly listTop: number;
  /** The selected item of the sidebar. */
  readonly sidebarAt: number;
  /** What the person folded or unfolded, by id. */
  readonly folds: ReadonlyMap<string, boolean>;
  readonly filter: string;
  /** What is searched for in the window, and the row of the hit that is shown. */
  readonly search: { readonly text: string; readonly at: number } | null;
  readonly tab: Tab;
  /** How far the window is scrolled: from the end of a screen, from the top of everything else. */
  readonly scroll: { readonly key: string; readonly lines: number };
  /** How far it can be scrolled, as it was last drawn. */
  readonly scrollEnd: number;
  readonly mode: Mode;
  readonly toasts: readonly Toast[];
  /** Everything that toasts have said. */
  readonly messages: readonly string[];
  /** Lines that were typed after ":", newest last. */
  readonly history: readonly string[];
  /** Texts that were typed and not sent, by what they are for. */
  readonly drafts: ReadonlyMap<string, string>;
  /** Comments on lines of a diff, which become the feedback. */
  readonly comments: readonly Comment[];
  /** The line of a diff that the person chose; null: the first change in view. */
  readonly diffAt: (DiffPlace & { readonly key: string; readonly mark: DiffPlace | null }) | null;
  /** What a command has printed, in place of the window. */
  readonly output: Output | null;
  /** Actions that were asked for and have not been answered. */
  readonly pending: number;
}

export type Mode =
  | { readonly kind: 'list' }
  | { readonly kind: 'plans'; readonly at: number }
  | { readonly kind: 'findings'; readonly at: number }
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'ask'; readonly dialog: Dialog }
  | { readonly kind: 'type'; readonly prompt: TextPrompt; readonly line: TypedLine };

export interface Dialog {
  readonly title: string;
  readonly lines: readonly string[];
  readonly choices: readonly Choice[];
  /** What it was asked about, as it was then: where that has moved on since, no choice is carried out. */
  readonly about?: { readonly name: string; readonly was: string };
  /** What happens on Esc. */
  readonly otherwise?: readonly Command[];
}

export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly commands: readonly Command[];
  /** What is typed next instead, and what the line starts with. */
  readonly typed?: { readonly prompt: TextPrompt; readonly text: string };
}

/** A line to be typed, and what it is for. */
export interface TextPrompt {
  readonly purpose: Purpose;
  readonly label: string;
  readonly title: string;
  /** Above the line: a question, its suggestions. */
  readonly lines: readonly string[];
}

export type Purpose =
  | { readonly kind: 'command' }
  | { readonly kind: 'filter' }
  | { readonly kind: 'search' }
  | {
      readonly kind: 'answer';
      readonly on: string;
      readonly suggestions: readonly string[];
      readonly skippable: boolean;
    }
  | { readonly kind: 'reject' | 'back' | 'redo'; readonly on: string }
  | { readonly kind: 'override'; readonly on: string; readonly seen?: SeenRun }
  | { readonly kind: 'ruling'; readonly ruling: RulingName; readonly on: string; readonly finding: string }
  | { readonly kind: 'send'; readonly session: string }
  | { readonly kind: 'new-session' | 'new-plan' }
  | {
      readonly kind: 'comment';
      readonly of: string;
      readonly path: string;
      readonly line: number;
      readonly code: string;
      readonly until: number | null;
    };

export type RulingName = Extract<ActionName, `finding-${string}`>;

/** A line of a diff. */
export interface DiffPlace {
  readonly path: string;
  readonly number: number;
  readonly kind: 'file' | 'hunk' | 'added' | 'removed' | 'same' | 'meta';
}

export interface Comment {
  readonly of: string;
  readonly path: string;
  readonly line: number;
  /** The line as the diff has it, with its sign. */
  readonly code: string;
  /** The last line that it is about, where it is about several. */
  readonly until: number | null;
  readonly text: string;
}

export interface Toast {
  readonly text: string;
  readonly tone: 'error' | 'done';
  readonly count: number;
  /** In milliseconds since 1970; an error stays until Esc. */
  readonly until: number | null;
}

export interface Output {
  readonly title: string;
  readonly lines: readonly string[];
}

export const LIST_MODE: Mode = { kind: 'list' };

export function startModel(size: Model['size']): Model {
  return {
    size,
    focus: 'list',
    isZoomed: false,
    plan: null,
    program: null,
    selected: null,
    selectedAt: 0,
    selectedIn: [],
    listTop: 0,
    sidebarAt: 0,
    folds: new Map(),
    filter: '',
    search: null,
    tab: 'first',
    scroll: { key: '', lines: 0 },
    scrollEnd: 0,
    mode: LIST_MODE,
    toasts: [],
    messages: [],
    history: [],
    drafts: new Map(),
    comments: [],
    diffAt: null,
    output: null,
    pending: 0,
  };
}
