// What the interface knows apart from the facts: where the person is, what is folded, and what is being typed.
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
  /** The id of the selected row, and where it was when it was last seen. */
  readonly selected: string | null;
  readonly selectedAt: number;
  readonly listTop: number;
  /** What the person folded or unfolded, by id. */
  readonly folds: ReadonlyMap<string, boolean>;
  readonly filter: string;
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
  /** What a command has printed, in place of the window. */
  readonly output: Output | null;
  /** Actions that were asked for and have not been answered. */
  readonly pending: number;
}

export type Mode =
  | { readonly kind: 'list' }
  | { readonly kind: 'plans'; readonly at: number }
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'ask'; readonly dialog: Dialog }
  | { readonly kind: 'type'; readonly prompt: Prompt; readonly line: TypedLine };

export interface Dialog {
  readonly title: string;
  readonly lines: readonly string[];
  readonly choices: readonly Choice[];
  /** What happens on Esc. */
  readonly otherwise?: readonly Command[];
}

export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly commands: readonly Command[];
  /** What is typed next instead. */
  readonly prompt?: Prompt;
}

/** A line to be typed, and what it is for. */
export interface Prompt {
  readonly purpose: Purpose;
  readonly label: string;
  readonly title: string;
  /** Above the line: a question, its suggestions. */
  readonly lines: readonly string[];
}

export type Purpose =
  | { readonly kind: 'command' }
  | { readonly kind: 'filter' }
  | {
      readonly kind: 'answer';
      readonly on: string;
      readonly suggestions: readonly string[];
      readonly skippable: boolean;
    }
  | { readonly kind: 'reject' | 'back' | 'redo'; readonly on: string }
  | { readonly kind: 'override'; readonly on: string }
  | { readonly kind: 'send'; readonly session: string }
  | { readonly kind: 'new-session' | 'new-plan' }
  | {
      readonly kind: 'comment';
      readonly of: string;
      readonly path: string;
      readonly line: number;
      readonly code: string;
    };

export interface Comment {
  readonly of: string;
  readonly path: string;
  readonly line: number;
  readonly code: string;
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
    selected: null,
    selectedAt: 0,
    listTop: 0,
    folds: new Map(),
    filter: '',
    tab: 'first',
    scroll: { key: '', lines: 0 },
    scrollEnd: 0,
    mode: LIST_MODE,
    toasts: [],
    messages: [],
    history: [],
    drafts: new Map(),
    comments: [],
    output: null,
    pending: 0,
  };
}
