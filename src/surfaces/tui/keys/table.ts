// The keys, one row each: when they are for what is selected, what they do, and how the help says it.
import {
  back,
  copy,
  enter,
  enterWord,
  maySendBack,
  next,
  nextWord,
  output,
  run,
  runWord,
  send,
  why,
} from '../model/acting.ts';
import { comment, jumpInDiff, mark, shownDiff } from '../model/diff-cursor.ts';
import { findingsOf, showFindings } from '../model/findings.ts';
import { kill, mayKill } from '../model/killing.ts';
import { layoutOf } from '../model/layout.ts';
import type { Pane } from '../model/model.ts';
import { focusOn, foldRow, move, movePage, moveToEnd, scrollBy, select, turnTab } from '../model/moving.ts';
import { goToNeed, openNeed, waitingIn } from '../model/needs.ts';
import { landSelected, modify, pause } from '../model/plan-acting.ts';
import { openPlans } from '../model/plans.ts';
import { COMMAND_PROMPT, openPrompt } from '../model/prompts.ts';
import { type Row, selectedTask } from '../model/rows.ts';
import { openSearch, searchOn } from '../model/searching.ts';
import type { ShownPlan } from '../model/snapshot.ts';
import { become, doing, refusing, type Situation, type Step } from '../model/step.ts';

export interface KeyRow {
  readonly keys: readonly string[];
  /** What it is for, as the page of keys says it. */
  readonly on: string;
  readonly does: string;
  /** In the bottom line: what it does to the selection, in a word; undefined where it does nothing. */
  readonly hint: (situation: Situation) => string | undefined;
  readonly isFor: (situation: Situation) => boolean;
  readonly step: (situation: Situation) => Step;
}

const always = (): boolean => true;
const onTask = ({ row }: Situation): boolean => selectedTask(row) !== undefined;
const onSession = ({ row }: Situation): boolean =>
  row?.kind === 'session' || (row?.kind === 'task' && row.session !== null);
const hasPlan = ({ snapshot }: Situation): boolean => snapshot.plan !== null;
const mayBuild = ({ snapshot }: Situation): boolean => snapshot.plan !== null || snapshot.status?.active != null;
const inDiff = (situation: Situation): boolean => shownDiff(situation) !== undefined;

export const KEYS: readonly KeyRow[] = [
  row(['enter', 'l'], 'task, session, phase', 'launch a planned task, attach to a session, unfold a phase', enter, {
    hint: enterWord,
  }),
  row(['i'], 'session', 'type to the agent without attaching', send, {
    isFor: onSession,
    hint: ({ row }) => (row !== undefined && 'session' in row && row.session?.state === 'running' ? 'type' : undefined),
  }),
  row(['t'], 'task, plan', 'next: launch, verify, approve', next, {
    isFor: (at) => onTask(at) || mayBuild(at),
    hint: nextWord,
  }),
  row(['b'], 'task, plan', 'send back to the implementer, with feedback', back, {
    isFor: (at) => onTask(at) || hasPlan(at),
    hint: (at) => (maySendBack(at) ? 'send back' : undefined),
  }),
  row(['r'], 'task, session, plan', 'run the plan, retry the task, resume the session', run, { hint: runWord }),
  row(['D'], 'task, session', 'kill', kill, {
    isFor: (at) => onTask(at) || onSession(at),
    hint: (at) => (mayKill(at) ? 'kill' : undefined),
  }),
  row(['w'], 'everything', 'why: whose turn it is, and what you can do', why, { hint: 'why' }),
  row(['d'], 'everything', 'the diff', showDiff, { hint: 'diff' }),
  row(['a'], 'everything', 'answer the next one who needs you', openNeed, {
    isFor: ({ snapshot }) => waitingIn(snapshot).length > 0,
    hint: 'answer',
  }),
  row(['!'], 'everything', 'go to the next one who needs you', goToNeed),
  row(['o'], 'task', 'the whole output of the last check that failed', output, {
    isFor: onTask,
    hint: ({ snapshot: { window } }) =>
      window?.kind === 'task' && window.detail.checks.some(({ passed }) => !passed) ? 'output' : undefined,
  }),
  row(['f'], 'task, plan', 'the findings of reviews and people: decide about one', showFindings, {
    isFor: (at) => onTask(at) || hasPlan(at),
    hint: ({ snapshot }) => (findingsOf(snapshot).length > 0 ? 'findings' : undefined),
  }),
  row(['p'], 'plan', 'pause the plan', pause, { isFor: hasPlan }),
  row(['L'], 'plan', 'land the plan', landSelected, {
    isFor: hasPlan,
    hint: ({ snapshot: { plan } }) => (plan !== null && mayLand(plan) ? 'land' : undefined),
  }),
  row(['m'], 'plan', 'modify the plan: plan it again', modify, { isFor: hasPlan }),
  row(['s'], 'everything', 'choose another plan', openPlans, { hint: 'plans' }),
  row(['n'], 'everything', 'start an agent in its own worktree', newSession, { hint: 'new' }),
  row(['N'], 'everything', 'work out a new plan from a brief', newPlan),
  row(['c'], 'diff', 'comment on the marked lines; comments become the feedback', comment, {
    isFor: inDiff,
    hint: 'comment',
  }),
  row(['v'], 'diff', 'mark lines, from here to where you move; again: no mark', mark, { isFor: inDiff }),
  row(['}'], 'diff', 'to the next file, finding or comment; after the last one to the next task in review', jumpOn, {
    isFor: inDiff,
    hint: 'next file',
  }),
  row(['{'], 'diff', 'to the file, finding or comment before', (at) => become(jumpInDiff(at, -1) ?? at.model), {
    isFor: inDiff,
  }),
  row(['y'], 'everything', 'copy the command for the selection', copy),
  row(['j', 'down'], 'everything', 'down', (at) => move(at, 1)),
  row(['k', 'up'], 'everything', 'up', (at) => move(at, -1)),
  row(['g', 'home'], 'everything', 'to the top', (at) => moveToEnd(at, 'first')),
  row(['G', 'end'], 'everything', 'to the end', (at) => moveToEnd(at, 'last')),
  row(['page-down'], 'everything', 'a page down', (at) => movePage(at, 1)),
  row(['page-up'], 'everything', 'a page up', (at) => movePage(at, -1)),
  row(['h', 'left'], 'list', 'fold', (at) => foldRow(at, 'fold')),
  row(['right'], 'list', 'unfold', (at) => foldRow(at, 'unfold')),
  row(['e'], 'list', 'fold or unfold', (at) => foldRow(at, 'other')),
  row(['tab', ']'], 'everything', 'next tab', (at) => tabOrPane(at, 1), { hint: 'tabs' }),
  row(['shift-tab', '['], 'everything', 'previous tab', (at) => tabOrPane(at, -1)),
  row(['J', 'ctrl-d'], 'everything', 'scroll the window down', (at) => scroll(at, 1)),
  row(['K', 'ctrl-u'], 'everything', 'scroll the window up', (at) => scroll(at, -1)),
  ...(['sidebar', 'list', 'window'] as const).map((pane: Pane, index) =>
    row([`${index + 1}`], 'everything', `to the ${pane}`, (at) => focusOn(at, pane)),
  ),
  row(['+', '_'], 'everything', 'one pane on the whole screen, and back', zoom),
  row(
    ['/'],
    'everything',
    'filter the list; in the window, search it: "n" and "N" go to the next hit and back',
    openSearch,
  ),
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
  row(['escape'], 'everything', 'close what is open: a message, an output, a search, the filter, the window', close),
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
  { isFor = always, hint }: { readonly isFor?: KeyRow['isFor']; readonly hint?: string | KeyRow['hint'] } = {},
): KeyRow {
  const word = typeof hint === 'function' ? hint : () => hint;
  return { keys, on, does, step, isFor, hint: (at) => (isFor(at) ? word(at) : undefined) };
}

/** What a key does here. One that is not for the selection says what it is for. */
export function pressed(situation: Situation, key: string): Step {
  const found = KEYS.find(({ keys }) => keys.includes(key));
  if (found === undefined) return refusing(situation, `No key is "${key}". "?" shows all keys.`);
  if (found.isFor(situation)) return found.step(situation);
  return refusing(situation, `"${key}" is for ${found.on}: ${found.does}.`);
}

/** Where the settings leave landing to the person, the plan says how. */
function mayLand({ status, landed }: ShownPlan): boolean {
  return status === 'done' && landed?.ok !== true && landed?.byHand !== true;
}

/** Where one pane is on the screen, it is in the window that the diff can be seen. */
function showDiff({ model }: Situation): Step {
  const isSingle = layoutOf(model).kind === 'single';
  const isSeen = model.tab === 'diff' && (!isSingle || model.focus === 'window');
  const focus = !isSingle ? model.focus : isSeen ? 'list' : 'window';
  return become({ ...model, tab: isSeen ? 'first' : 'diff', output: null, focus });
}

/** A person who reviews goes from one task to the next. */
function jumpOn(situation: Situation): Step {
  const { model, rows, row } = situation;
  const inDiffs = jumpInDiff(situation, 1);
  if (inDiffs !== undefined) return become(inDiffs);
  const own = selectedTask(row)?.task;
  const isNext = (one: Row): boolean =>
    one.kind === 'task' && one.task.task !== own && one.task.waysOut.includes('approve');
  const at = rows.findIndex(({ id }) => id === row?.id);
  const next = rows.slice(at + 1).find(isNext) ?? rows.find(isNext);
  return next === undefined ? refusing(situation, 'Nothing else is in review.') : become(select(model, next));
}

function newSession(situation: Situation): Step {
  const { model } = situation;
  if (model.search !== null) return searchOn(situation, 1);
  return become(
    openPrompt(model, {
      purpose: { kind: 'new-session' },
      title: 'New session: an agent in its own worktree and branch',
      label: 'prompt> ',
      lines: [
        `Empty starts ${model.program ?? 'the program'} alone; "-p codex ..." chooses another program. Ctrl-E editor  Esc keeps it`,
      ],
    }),
  );
}

function newPlan(situation: Situation): Step {
  const { model } = situation;
  if (model.search !== null) return searchOn(situation, -1);
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
  if (layoutOf(model).kind === 'single' && model.focus !== 'window') return become({ ...model, focus: 'window' });
  return turnTab(situation, by);
}

function scroll(situation: Situation, by: number): Step {
  return scrollBy(situation, by * Math.max(1, Math.floor(situation.model.size.rows / 3)));
}

function zoom({ model }: Situation): Step {
  return become({ ...model, isZoomed: !model.isZoomed });
}

/** The newest first: one thing for each Esc. What goes away in a moment anyway does not count as one. */
function close(situation: Situation): Step {
  const errors = situation.model.toasts.filter(({ tone }) => tone === 'error');
  const model = { ...situation.model, toasts: errors.slice(0, -1) };
  if (errors.length > 0) return become(model);
  if (model.output !== null) return become({ ...model, output: null });
  if (model.search !== null) return become({ ...model, search: null });
  if (model.filter !== '') return become({ ...model, filter: '' });
  if (model.isZoomed) return become({ ...model, isZoomed: false });
  return become({ ...model, focus: 'list', tab: model.focus === 'window' ? model.tab : 'first' });
}
