// The keys, one row each: when they are for what is selected, what they do, and how the help says it.
import { back, copy, enter, kill, land, modify, next, pause, run, send, taskOf, why } from '../model/acting.ts';
import { comment } from '../model/commenting.ts';
import type { Pane } from '../model/model.ts';
import { focusOn, fold, move, movePage, moveToEnd, scrollBy, turnTab } from '../model/moving.ts';
import { goToNeed, openNeed, waitingIn } from '../model/needs.ts';
import { openPlans } from '../model/plans.ts';
import { COMMAND_PROMPT, FILTER_PROMPT, openPrompt } from '../model/prompts.ts';
import { become, doing, refusing, type Situation, type Step } from '../model/step.ts';

export interface KeyRow {
  readonly keys: readonly string[];
  /** What it is for, as the page of keys says it. */
  readonly on: string;
  readonly does: string;
  /** In the bottom line, while it is for the selection; the short word. */
  readonly hint?: string;
  readonly isFor: (situation: Situation) => boolean;
  readonly step: (situation: Situation) => Step;
}

const always = (): boolean => true;
const onTask = ({ row }: Situation): boolean => taskOf(row) !== undefined;
const onSession = ({ row }: Situation): boolean =>
  row?.kind === 'session' || (row?.kind === 'task' && row.session !== null);
const hasPlan = ({ snapshot }: Situation): boolean => snapshot.plan !== null;
const mayBuild = ({ snapshot }: Situation): boolean => snapshot.plan !== null || snapshot.status?.active != null;
const inDiff = ({ model, snapshot }: Situation): boolean => model.tab === 'diff' && snapshot.window?.kind === 'diff';

export const KEYS: readonly KeyRow[] = [
  row(['enter', 'l'], 'task, session, phase', 'launch a planned task, attach to a session, unfold a phase', enter, {
    hint: 'open',
  }),
  row(['i'], 'session', 'type to the agent without attaching', send, { isFor: onSession, hint: 'type' }),
  row(['t'], 'task, plan', 'next: launch, verify, approve', next, {
    isFor: (at) => onTask(at) || mayBuild(at),
    hint: 'next',
  }),
  row(['b'], 'task, plan', 'send back to the implementer, with feedback', back, {
    isFor: (at) => onTask(at) || hasPlan(at),
    hint: 'back',
  }),
  row(['D'], 'task, session', 'kill', kill, { isFor: (at) => onTask(at) || onSession(at), hint: 'kill' }),
  row(['w'], 'everything', 'why: whose turn it is, and what you can do', why, { hint: 'why' }),
  row(['d'], 'everything', 'the diff', showDiff, { hint: 'diff' }),
  row(['a'], 'everything', 'answer the next one who needs you', openNeed, {
    isFor: ({ snapshot }) => waitingIn(snapshot).length > 0,
    hint: 'answer',
  }),
  row(['!'], 'everything', 'go to the next one who needs you', goToNeed),
  row(['r'], 'task, session, plan', 'run the plan, retry the task, resume the session', run, { hint: 'run' }),
  row(['p'], 'plan', 'pause the plan', pause, { isFor: hasPlan }),
  row(['L'], 'plan', 'land the plan', land, { isFor: hasPlan }),
  row(['m'], 'plan', 'modify the plan: plan it again', modify, { isFor: hasPlan }),
  row(['s'], 'everything', 'choose another plan', openPlans, { hint: 'plans' }),
  row(['n'], 'everything', 'start an agent in its own worktree', newSession, { hint: 'new' }),
  row(['N'], 'everything', 'work out a new plan from a brief', newPlan),
  row(['c'], 'diff', 'comment on the first visible changed line; comments become the feedback', comment, {
    isFor: inDiff,
  }),
  row(['y'], 'everything', 'copy the command for the selection', copy),
  row(['j', 'down'], 'everything', 'down', (at) => move(at, 1)),
  row(['k', 'up'], 'everything', 'up', (at) => move(at, -1)),
  row(['g', 'home'], 'everything', 'to the top', (at) => moveToEnd(at, 'first')),
  row(['G', 'end'], 'everything', 'to the end', (at) => moveToEnd(at, 'last')),
  row(['page-down'], 'everything', 'a page down', (at) => movePage(at, 1)),
  row(['page-up'], 'everything', 'a page up', (at) => movePage(at, -1)),
  row(['h', 'left'], 'list', 'fold', (at) => fold(at, 'fold')),
  row(['right'], 'list', 'unfold', (at) => fold(at, 'unfold')),
  row(['e'], 'list', 'fold or unfold', (at) => fold(at, 'other')),
  row(['tab', ']'], 'everything', 'next tab', (at) => tabOrPane(at, 1), { hint: 'tabs' }),
  row(['shift-tab', '['], 'everything', 'previous tab', (at) => tabOrPane(at, -1)),
  row(['J', 'ctrl-d'], 'everything', 'scroll the window down', (at) => scroll(at, 1)),
  row(['K', 'ctrl-u'], 'everything', 'scroll the window up', (at) => scroll(at, -1)),
  ...(['sidebar', 'list', 'window'] as const).map((pane: Pane, index) =>
    row([`${index + 1}`], 'everything', `to the ${pane}`, (at) => focusOn(at, pane)),
  ),
  row(['+', '_'], 'everything', 'one pane on the whole screen, and back', zoom),
  row(['/'], 'everything', 'filter the list', ({ model }) => become(openPrompt(model, FILTER_PROMPT, model.filter))),
  row(
    [':'],
    'everything',
    'any command of cadre; Tab completes it',
    ({ model }) => become(openPrompt(model, COMMAND_PROMPT, '')),
    {
      hint: 'command',
    },
  ),
  row(['?'], 'everything', 'the keys', ({ model }) => become({ ...model, mode: { kind: 'help', top: 0 } }), {
    hint: 'keys',
  }),
  row(['escape'], 'everything', 'close what is open: a message, an output, the filter, the window', close),
  row(['ctrl-l'], 'everything', 'draw the screen again', ({ model }) => doing(model, { do: 'redraw' })),
  row(['ctrl-z'], 'everything', 'suspend cadre; "fg" brings it back', ({ model }) => doing(model, { do: 'suspend' })),
  row(
    ['q', 'ctrl-c'],
    'everything',
    'quit; agents and the engine continue',
    ({ model }) => doing(model, { do: 'quit' }),
    {
      hint: 'quit',
    },
  ),
];

function row(
  keys: readonly string[],
  on: string,
  does: string,
  step: KeyRow['step'],
  { isFor = always, hint }: { readonly isFor?: KeyRow['isFor']; readonly hint?: string } = {},
): KeyRow {
  return { keys, on, does, step, isFor, ...(hint === undefined ? {} : { hint }) };
}

/** What a key does here. One that is not for the selection says what it is for. */
export function pressed(situation: Situation, key: string): Step {
  const found = KEYS.find(({ keys }) => keys.includes(key));
  if (found === undefined) return become(situation.model);
  if (found.isFor(situation)) return found.step(situation);
  return refusing(situation, `"${key}" is for ${found.on}: ${found.does}.`);
}

function showDiff({ model }: Situation): Step {
  return become({ ...model, tab: model.tab === 'diff' ? 'first' : 'diff', output: null });
}

function newSession({ model }: Situation): Step {
  return become(
    openPrompt(model, {
      purpose: { kind: 'new-session' },
      title: 'New session: an agent in its own worktree and branch',
      label: 'prompt> ',
      lines: ['Empty starts the program alone; "-p codex ..." chooses another program. Ctrl-E editor  Esc keeps it'],
    }),
  );
}

function newPlan({ model }: Situation): Step {
  return become(
    openPrompt(model, {
      purpose: { kind: 'new-plan' },
      title: 'New plan: a planner asks, you answer, and a plan comes of it',
      label: 'brief> ',
      lines: ['Say what you want built. Enter starts the planner. Ctrl-E editor  Esc keeps it'],
    }),
  );
}

/** Where one pane is on the screen, the window is the other. */
function tabOrPane(situation: Situation, by: number): Step {
  const { model } = situation;
  const { columns, rows } = model.size;
  const isSingle = model.isZoomed || columns < 64 || rows < 20;
  if (isSingle && model.focus !== 'window') return become({ ...model, focus: 'window' });
  return turnTab(situation, by);
}

function scroll({ model, snapshot }: Situation, by: number): Step {
  return scrollBy(model, snapshot, by * Math.max(1, Math.floor(model.size.rows / 3)));
}

function zoom({ model }: Situation): Step {
  return become({ ...model, isZoomed: !model.isZoomed });
}

/** The newest first: one thing for each Esc. */
function close({ model }: Situation): Step {
  if (model.toasts.length > 0) return become({ ...model, toasts: model.toasts.slice(0, -1) });
  if (model.output !== null) return become({ ...model, output: null });
  if (model.filter !== '') return become({ ...model, filter: '' });
  if (model.isZoomed) return become({ ...model, isZoomed: false });
  return become({ ...model, focus: 'list', tab: model.focus === 'window' ? model.tab : 'first' });
}
