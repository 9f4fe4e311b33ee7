// The marker and the word of each row: its most urgent truth. They carry the meaning; the colour only repeats it.
import type { SessionShown } from '../../../app/sessions.ts';
import type { Suggestion } from '../../../core/model/suggestion.ts';
import type { PlanRow, TaskView } from '../../../core/views/plan.ts';
import type { TaskState } from '../../../machines/task.ts';
import { undated } from '../../../plan/name.ts';
import type { Tone } from './theme.ts';

export interface Look {
  /** Two characters. */
  readonly marker: string;
  /** At most twelve characters. */
  readonly word: string;
  readonly tone: Tone;
}

/** `session`: of its run, where that is known; `isPaused`: its plan is. */
export function taskLook(task: TaskView, session: SessionShown | null, isPaused: boolean): Look {
  return (
    endedLook(task) ??
    brokenLook(task) ??
    askingLook(task, session) ??
    (isPaused ? PAUSED : undefined) ??
    waitingLook(task, session) ??
    stateLook(task)
  );
}

const PAUSED: Look = { marker: '~ ', word: 'paused', tone: 'dim' };

function endedLook({ state, stale, markedDone }: TaskView): Look | undefined {
  if (state === 'done') return { marker: 'ok', word: markedDone === null ? 'done' : 'marked done', tone: 'done' };
  return stale ? { marker: '--', word: 'stale', tone: 'dim' } : undefined;
}

function brokenLook({ run, halted, suspended, notStarted }: TaskView): Look | undefined {
  if (notStarted) return { marker: 'xx', word: 'not started', tone: 'broken' };
  if (run?.state === 'ERROR') return { marker: 'xx', word: 'error', tone: 'broken' };
  if (halted) return { marker: 'xx', word: 'halted', tone: 'broken' };
  if (run?.heldUp != null) return { marker: 'xx', word: 'stuck', tone: 'broken' };
  return suspended ? { marker: '||', word: 'suspended', tone: 'dim' } : undefined;
}

function askingLook({ run, owner }: TaskView, session: SessionShown | null): Look | undefined {
  if (run?.state === 'QUESTION')
    return { marker: '>>', word: 'question', tone: owner === 'user' ? 'need' : 'implement' };
  const doing = session?.activity?.doing;
  if (doing === 'asks-permission' || doing === 'asks-trust') return { marker: '? ', word: 'permission', tone: 'need' };
  return undefined;
}

function waitingLook({ run, owner }: TaskView, session: SessionShown | null): Look | undefined {
  const doing = session?.activity?.doing;
  if (run !== null && owner === 'user') return { marker: '>>', word: 'your turn', tone: 'need' };
  return doing === 'quota' ? { marker: '~ ', word: 'quota', tone: 'verify' } : undefined;
}

function stateLook({ state, run, merging, blockedBy, held }: TaskView): Look {
  if (run?.state === 'AWAIT_MERGE') {
    const isMerging = merging && run.doing === 'merge';
    return { marker: '>>', word: isMerging ? 'merging' : 'merge queue', tone: 'merge' };
  }
  if (state !== 'planned') return STATES[state];
  if (blockedBy.length > 0) return { marker: '--', word: 'blocked', tone: 'dim' };
  return held ? { marker: '  ', word: 'held', tone: 'plain' } : STATES.planned;
}

const STATES: { readonly [state in TaskState]: Look } = {
  planned: { marker: '  ', word: 'planned', tone: 'plain' },
  implementing: { marker: '>>', word: 'implement', tone: 'implement' },
  verifying: { marker: '>>', word: 'verify', tone: 'verify' },
  spec_review: { marker: '>>', word: 'spec review', tone: 'spec' },
  quality_review: { marker: '>>', word: 'quality rev.', tone: 'quality' },
  done: { marker: 'ok', word: 'done', tone: 'done' },
};

export function sessionLook({ state, activity }: SessionShown): Look {
  if (state === 'running' && activity !== null) return ACTIVITIES[activity.doing];
  return SESSIONS[state];
}

const ACTIVITIES: { readonly [doing in NonNullable<SessionShown['activity']>['doing']]: Look } = {
  works: { marker: '*', word: 'working', tone: 'good' },
  waits: { marker: '-', word: 'quiet', tone: 'plain' },
  'asks-permission': { marker: '?', word: 'asks', tone: 'need' },
  'asks-trust': { marker: '?', word: 'asks', tone: 'need' },
  quota: { marker: '~', word: 'quota', tone: 'verify' },
  crashed: { marker: 'x', word: 'error', tone: 'broken' },
  unclear: { marker: '*', word: 'running', tone: 'good' },
};

const SESSIONS: { readonly [state in SessionShown['state']]: Look } = {
  starting: { marker: '*', word: 'starting', tone: 'plain' },
  running: { marker: '*', word: 'running', tone: 'good' },
  ended: { marker: 'x', word: 'ended', tone: 'dim' },
  failed: { marker: 'x', word: 'failed', tone: 'broken' },
  gone: { marker: 'x', word: 'gone', tone: 'broken' },
  unknown: { marker: '?', word: 'unknown', tone: 'dim' },
  stopped: { marker: 'x', word: 'stopped', tone: 'dim' },
  paused: { marker: '~', word: 'paused', tone: 'dim' },
};

/** The state of a plan in a word: of its workshop while it is planned in one. */
export function planWord({ status, paused, planning }: Pick<PlanRow, 'status' | 'paused' | 'planning'>): string {
  if (planning !== null) return planning.state.replaceAll('_', ' ');
  return paused ? `${status}, paused` : status;
}

/** As a person would type it: a plan is also found without the date in its name. */
export function shortSuggestion(suggestion: Suggestion): Suggestion {
  return suggestion.on === undefined ? suggestion : { ...suggestion, on: undated(suggestion.on) };
}
