// The window: the screen of a session, its diff and commits; the detail of a task or a plan; or what a command has printed.
import type { Model, Tab } from '../model/model.ts';
import { isFollowed, scrolled } from '../model/moving.ts';
import { windowKey, windowOf } from '../model/selection.ts';
import type { WindowContent } from '../model/snapshot.ts';
import type { Situation } from '../model/step.ts';
import { agentScreen } from '../terminal/agent-screen.ts';
import { type Line, line, span, wrapped } from '../terminal/styled.ts';
import { diffContent, gitContent } from './changes.ts';
import { overlayLines } from './overlay.ts';
import { planContent } from './plan-detail.ts';
import { taskContent } from './task-detail.ts';
import { TONES } from './theme.ts';

export interface WindowView {
  readonly title: string;
  readonly right: string;
  readonly lines: readonly Line[];
  /** How far it can be scrolled. */
  readonly end: number;
  readonly cursor?: { readonly row: number; readonly column: number };
}

export function windowView(
  situation: Situation,
  size: { readonly rows: number; readonly columns: number },
): WindowView {
  const overlay = overlayLines(situation, size);
  if (overlay !== undefined) return { ...overlay, end: 0 };
  const { model, snapshot } = situation;
  const all = contentLines(situation, size.columns);
  const end = Math.max(0, all.length - size.rows);
  const at = Math.min(end, scrolled(model, snapshot));
  const from = isFollowed(model, snapshot) ? end - at : at;
  const lines = all.slice(from, from + size.rows);
  const isAway = isFollowed(model, snapshot) && at > 0;
  const note = isAway ? [...lines.slice(0, -1), line(` ${at} more lines below, G `, TONES.need)] : lines;
  return { ...titles(situation), lines: note, end };
}

function titles({ model, snapshot, rows, row }: Situation): Pick<WindowView, 'title' | 'right'> {
  if (model.output !== null) return { title: `:${model.output.title}`, right: 'Esc' };
  const window = windowOf(model, snapshot, rows);
  const right = row?.kind === 'session' ? `${row.session.session} ${row.session.program}` : (window?.reference ?? '');
  return { title: `3 ${tabWords(model, window?.of ?? 'plan')}`, right };
}

const FIRST_TABS = { session: 'Preview', task: 'Task', plan: 'Plan' } as const;
const TAB_WORDS: { readonly [tab in Exclude<Tab, 'first'>]: string } = { diff: 'Diff', git: 'Git' };

function tabWords({ tab }: Model, of: keyof typeof FIRST_TABS): string {
  const names = [
    ['first', FIRST_TABS[of]],
    ['diff', TAB_WORDS.diff],
    ['git', TAB_WORDS.git],
  ] as const;
  return names.map(([name, word]) => (name === tab ? `[${word}]` : word)).join(' | ');
}

function contentLines(situation: Situation, columns: number): readonly Line[] {
  const { model, snapshot, rows } = situation;
  if (model.output !== null)
    return model.output.lines.flatMap((text) => wrapped(text, columns).map((one) => line(one)));
  const wanted = windowOf(model, snapshot, rows);
  if (wanted === undefined) return hints(situation);
  const { window } = snapshot;
  if (window === null || window.key !== windowKey(wanted)) return [line(' ...', TONES.dim)];
  return shown(situation, window, columns);
}

function shown(situation: Situation, window: WindowContent, columns: number): readonly Line[] {
  switch (window.kind) {
    case 'screen':
      return screenLines(window.text);
    case 'diff':
      return diffContent(situation, window, columns);
    case 'git':
      return gitContent(window, columns, situation.snapshot.now);
    case 'task':
      return taskContent(situation, window, columns);
    case 'plan':
      return planContent(situation, window, columns);
    case 'message':
      return wrapped(window.text, columns - 1).map((text) => line(` ${text}`));
  }
}

function screenLines(text: string): readonly Line[] {
  const lines = agentScreen(text);
  const last = lines.findLastIndex((one) => one.some((part) => part.text.trim() !== ''));
  return last === -1 ? [line(' Nothing on its screen yet.', TONES.dim)] : lines.slice(0, last + 1);
}

/** Until there is something to look at. */
function hints({ snapshot: { status } }: Situation): readonly Line[] {
  if (status === null) return [];
  return [
    [span(' n', TONES.focus), span('  start an agent in its own worktree and branch')],
    [span(' N', TONES.focus), span('  work out a plan with a planner')],
    [span(' ?', TONES.focus), span('  all keys')],
    [span(' q', TONES.focus), span('  quit; agents keep running')],
    ...status.problems.flatMap((problem) => wrapped(problem, 50).map((text) => line(` ${text}`, TONES.broken))),
  ];
}
