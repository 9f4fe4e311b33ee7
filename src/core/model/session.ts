// A session: one agent program, started once in one terminal. The journal knows what is wanted of it, the host what it does.

import type { PlanFile } from '../../plan/name.ts';
import type { Role } from '../../signals/registry.ts';
import { type Activity, activityOf, needsAnswer, type Sight } from './activity.ts';
import type { OnMachine, PlaceId, SessionId } from './ids.ts';
import type { Life } from './life.ts';
import { type Suggestion, suggest } from './suggestion.ts';

/** What never changes about a session. */
export interface SessionFields extends OnMachine {
  readonly id: SessionId;
  /** The terminal and worktree that sessions use one after the other. */
  readonly place: PlaceId;
  readonly title: string;
  readonly role: Role;
  readonly program: string;
  readonly flags: readonly string[];
  /** Names of additional environment variables that the program may see. */
  readonly env: readonly string[];
  /** The branch of its worktree, and the commit that the branch started from. */
  readonly branch: string;
  readonly from: string;
  readonly plan?: PlanFile;
  /** The task's id. */
  readonly task?: string;
  /** The run that cadre started it for: the attempt at that task of that plan. */
  readonly attempt?: number;
  /** cadre started it to review the whole plan: its worktree is detached at the commit `from`. */
  readonly reviews?: true;
}

export interface SessionEntry extends SessionFields {
  /** `paused`: its work is committed and its worktree removed. */
  readonly wanted: 'running' | 'stopped' | 'paused';
  readonly since: string;
  /** When its program was started. */
  readonly up?: string;
  /** Why it could not be started. */
  readonly failure?: string;
  readonly ended?: { readonly life: Ended; readonly at: string };
  /** The session that replaced it in its place. */
  readonly followedBy?: SessionId;
  /** The outcome of the last text that was sent to it. */
  readonly lastSent?: { readonly at: string; readonly problem: string | null };
}

export type Ended = Extract<Life, { kind: 'ended' | 'gone' }>;

/** A program that fails this soon after its start counts as not started. */
export const LAUNCH_FAILED_WITHIN = 5_000;

export interface SessionView {
  readonly session: string;
  readonly title: string;
  readonly role: Role;
  readonly program: string;
  readonly branch: string;
  readonly state: 'starting' | 'running' | 'ended' | 'failed' | 'gone' | 'unknown' | 'stopped' | 'paused';
  readonly since: string;
  readonly sentence: string;
  /** What the person can do next. */
  readonly try: readonly Suggestion[];
  /** Where this is known from. `hook`, `screen` and `output` come from the agent itself. */
  readonly source: 'journal' | 'host' | Activity['source'];
  /** What the agent seems to be doing while it runs. */
  readonly activity: Activity | null;
}

/** What the host sees of a session now. */
export interface SessionSeen {
  readonly life: Life;
  readonly sight?: Sight;
}

/** The number of this session among those with its role for its task or plan: the one that fixes something is the second. */
export function attemptOf(sessions: Iterable<SessionEntry>, entry: SessionEntry): number {
  let count = 0;
  for (const one of sessions) {
    if (one.role === entry.role && one.plan === entry.plan && one.task === entry.task) count++;
    if (one.id === entry.id) break;
  }
  return count;
}

/** `seen`: what the host says now; undefined where it was not asked. */
export function viewSession(entry: SessionEntry, seen: SessionSeen | undefined, now: Date): SessionView {
  const { id, title, role, program, branch, since } = entry;
  const fields = { session: id, title, role, program, branch, since };
  const state = stateOf(entry, seen?.life, now);
  if (state.state !== 'running' || seen?.sight === undefined) return { ...fields, ...state, activity: null };
  const activity = activityOf(seen.sight, now.getTime());
  const told = describeActivity(activity, seen.sight.lastOutput, now.getTime());
  return {
    ...fields,
    state: 'running',
    ...told,
    try: afterActivity(entry, activity),
    source: activity.source,
    activity,
  };
}

function describeActivity(
  { doing, about }: Activity,
  lastOutput: number | undefined,
  now: number,
): Pick<SessionView, 'sentence'> {
  switch (doing) {
    case 'works':
      return { sentence: 'It is working.' };
    case 'waits':
      return { sentence: 'It is waiting for input.' };
    case 'asks-permission':
      return { sentence: `It asks for permission: ${asSentence(about)}` };
    case 'asks-trust':
      return { sentence: `It asks whether to trust its folder: ${asSentence(about)}` };
    case 'quota':
      return { sentence: about === null ? 'Its quota is used up.' : `Its quota is used up, until ${about}.` };
    case 'crashed':
      return { sentence: `It shows an error: ${asSentence(about)}` };
    case 'unclear':
      return {
        sentence:
          lastOutput === undefined
            ? 'It is running; what it does is not known.'
            : `It is running, but has written nothing for ${silence(now - lastOutput)}.`,
      };
  }
}

function afterActivity({ id }: SessionEntry, activity: Activity): readonly Suggestion[] {
  if (needsAnswer(activity)) return [suggest('session-attach', id)];
  return activity.doing === 'crashed' ? [suggest('session-screen', id)] : [];
}

/** Text of a program, ended with a full stop if it has no ending. */
function asSentence(about: string | null): string {
  const text = about ?? '';
  return /[.?!…:]$/.test(text) ? text : `${text}.`;
}

function silence(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

type State = Pick<SessionView, 'state' | 'sentence' | 'try'> & { readonly source: 'journal' | 'host' };

function stateOf(entry: SessionEntry, seen: Life | undefined, now: Date): State {
  const journal = (state: State['state'], sentence: string, ...instead: readonly Suggestion[]): State => ({
    state,
    sentence,
    try: instead,
    source: 'journal',
  });
  if (entry.failure !== undefined)
    return journal('failed', entry.up === undefined ? `It could not be started: ${entry.failure}` : entry.failure);
  // What the host sees now counts more than what was only decided.
  const isSeen = seen?.kind === 'running' || seen?.kind === 'unknown';
  if (isSeen && entry.ended === undefined) return describeLife(entry, seen, now);
  if (entry.wanted === 'paused')
    return journal('paused', `Its work is on ${entry.branch}.`, suggest('session-resume', entry.id));
  if (entry.wanted === 'stopped') return journal('stopped', `Its work is kept on ${entry.branch}.`);
  if (entry.ended !== undefined) return { ...describeEnd(entry, entry.ended.life, entry.ended.at), source: 'journal' };
  if (entry.up === undefined) return journal('starting', 'The engine is starting it.');
  return describeLife(entry, seen, now);
}

function describeLife(entry: SessionEntry, seen: Life | undefined, now: Date): State {
  switch (seen?.kind) {
    case 'running':
      return { state: 'running', sentence: `Its program is running (pid ${seen.pid}).`, try: [], source: 'host' };
    case 'ended':
    case 'gone':
      return { ...describeEnd(entry, seen, now.toISOString()), source: 'host' };
    default:
      return { state: 'unknown', sentence: seen?.why ?? 'Its state is not known.', try: [], source: 'host' };
  }
}

function describeEnd(entry: SessionEntry, life: Ended, at: string): Omit<State, 'source'> {
  const again = [suggest('session-resume', entry.id)];
  if (life.kind === 'gone')
    return { state: 'gone', sentence: 'Its terminal is gone. Its worktree is kept.', try: again };
  const how = life.signal === null ? `exit code ${life.exitCode ?? 'unknown'}` : `signal ${life.signal}`;
  return isLaunchFailure(entry, life, new Date(at))
    ? {
        state: 'failed',
        sentence: `Its program ended right after it started (${how}).`,
        try: [suggest('session-screen', entry.id)],
      }
    : { state: 'ended', sentence: `Its program has ended (${how}). That says nothing about its work.`, try: again };
}

/** It failed so soon that it never really ran. */
export function isLaunchFailure(entry: SessionEntry, life: Ended, at: Date): boolean {
  if (life.kind === 'gone' || life.exitCode === 0 || entry.up === undefined) return false;
  return at.getTime() - Date.parse(entry.up) < LAUNCH_FAILED_WITHIN;
}
