// The window: the screen of a session, its diff and commits; the detail of a task or a plan; or what a command has printed.
import { undated } from '../../../plan/name.ts';
import type { Model, Tab } from '../model/model.ts';
import { isFollowed, scrolled } from '../model/moving.ts';
import { hitsOf } from '../model/searching.ts';
import { windowKey, windowOf } from '../model/selection.ts';
import type { WindowContent } from '../model/snapshot.ts';
import type { Situation } from '../model/step.ts';
import { agentScreen } from '../terminal/agent-screen.ts';
import { type Line, line, lineText, restyled, span, wrapped } from '../terminal/styled.ts';
import { type DrawnRows, diffContent, drawn, gitContent } from './changes.ts';
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
  const all = contentOf(situation, size.columns);
  const end = Math.max(0, all.count - size.rows);
  const at = Math.min(end, scrolled(situation));
  const from = isFollowed(model, snapshot) ? end - at : at;
  const lines = withHits(situation, all.slice(from, from + size.rows), from);
  const isAway = isFollowed(model, snapshot) && at > 0;
  const note = isAway ? [...lines.slice(0, -1), line(` ${at} more lines below, G `, TONES.need)] : lines;
  const { title, right } = titles(situation);
  return { title, right: searchWords(situation) ?? right, lines: note, end };
}

function searchWords(situation: Situation): string | undefined {
  const { search } = situation.model;
  if (search === null) return undefined;
  const hits = hitsOf(situation, search.text);
  return hits.length === 0 ? undefined : `/${search.text}  ${hits.indexOf(search.at) + 1} of ${hits.length}, n N Esc`;
}

/** What contains the searched text is underlined, and the hit that is shown is inverse. */
function withHits({ model: { search } }: Situation, lines: readonly Line[], from: number): readonly Line[] {
  if (search === null) return lines;
  const wanted = search.text.toLowerCase();
  return lines.map((one, index) => {
    if (!lineText(one).toLowerCase().includes(wanted)) return one;
    return restyled(one, from + index === search.at ? { inverse: true } : { underline: true });
  });
}

function titles({ model, snapshot, rows, row }: Situation): Pick<WindowView, 'title' | 'right'> {
  if (model.output !== null) return { title: model.output.title, right: 'Esc' };
  const window = windowOf(model, snapshot, rows);
  const right =
    row?.kind === 'session' ? `${row.session.session} ${row.session.program}` : undated(window?.reference ?? '');
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

/** A diff may be long, so that only what is seen of it is drawn. */
function contentOf(situation: Situation, columns: number): DrawnRows {
  const { model, snapshot, rows } = situation;
  if (model.output !== null)
    return drawn(model.output.lines.flatMap((text) => wrapped(text, columns).map((one) => line(one))));
  const wanted = windowOf(model, snapshot, rows);
  if (wanted === undefined) return drawn(hints(situation));
  const { window } = snapshot;
  if (window === null || window.key !== windowKey(wanted)) return drawn([line(' ...', TONES.dim)]);
  return window.kind === 'diff' ? diffContent(situation, window, columns) : drawn(shown(situation, window, columns));
}

function shown(
  situation: Situation,
  window: Exclude<WindowContent, { kind: 'diff' }>,
  columns: number,
): readonly Line[] {
  switch (window.kind) {
    case 'screen':
      return screenLines(window.text);
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

/** Until there is something to look at: what this screen is. */
function hints({ snapshot: { status, plan, isNew } }: Situation): readonly Line[] {
  if (status === null) return [];
  const file =
    isNew && plan !== null
      ? [
          line(` ${undated(plan.plan)} is a plan file that is not registered yet.`),
          [],
          [span(' r', TONES.focus), span('  builds it')],
          [span(' s', TONES.focus), span('  chooses another plan, or registers this one')],
          [],
        ]
      : [];
  return [
    ...file,
    line(' This window shows what is selected: the screen of an'),
    line(' agent, a task with its checks, a plan with its goal.'),
    [],
    [span(' :', TONES.focus), span('  any command of cadre, completed with Tab')],
    [span(' ?', TONES.focus), span('  all keys')],
    [span(' q', TONES.focus), span('  quit; agents keep running')],
    ...status.problems.flatMap((problem) => wrapped(problem, 50).map((text) => line(` ${text}`, TONES.broken))),
  ];
}
