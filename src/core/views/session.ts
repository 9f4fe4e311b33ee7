// A session as surfaces show it: what is wanted of it, what the host sees of it, and what its agent seems to be doing.
import type { PlanFile } from '../../plan/name.ts';
import type { Role } from '../../signals/registry.ts';
import { type Activity, activityOf, type Sight } from '../model/activity.ts';
import { type Ended, exitWords, failureOf, isLaunchFailure, type Life, type SessionEntry } from '../model/session.ts';
import { type Suggestion, suggest } from '../model/suggestion.ts';

export interface SessionView {
  readonly session: string;
  readonly title: string;
  readonly role: Role;
  readonly program: string;
  readonly branch: string;
  /** The plan that it works on; null for a session of a person's. */
  readonly plan: PlanFile | null;
  readonly state: 'starting' | 'running' | 'ended' | 'failed' | 'gone' | 'unknown' | 'stopped' | 'paused';
  readonly since: string;
  /** The wall that its program runs behind; null where there is none. */
  readonly wall: 'bubblewrap' | null;
  readonly sentence: string;
  /** Where this is known from: the hook, the screen and the output are the agent's own. */
  readonly source: 'journal' | 'host' | Activity['source'];
  /** What the agent seems to be doing while it runs. */
  readonly activity: Activity | null;
  /** What a person can do about it. */
  readonly suggestions: readonly Suggestion[];
}

/** What the host sees of a session now. */
export interface SessionSeen {
  readonly life: Life;
  readonly sight?: Sight;
}

/** `seen` is undefined where the host was not asked. */
export function viewSession(entry: SessionEntry, seen: SessionSeen | undefined, now: Date): SessionView {
  const { id, title, role, program, branch, plan = null, since } = entry;
  const fields = { session: id, title, role, program, branch, plan, since, wall: entry.wall?.wall ?? null };
  const state = stateOf(entry, seen?.life, now);
  if (state.state !== 'running' || seen?.sight === undefined) return { ...fields, ...state, activity: null };
  const activity = activityOf(seen.sight, now.getTime());
  const silent = seen.sight.lastOutput === undefined ? undefined : now.getTime() - seen.sight.lastOutput;
  return {
    ...fields,
    state: 'running',
    ...describeActivity(entry, activity, silent),
    source: activity.source,
    activity,
  };
}

type Described = Pick<SessionView, 'sentence' | 'suggestions'>;

/** `silent`: for how many milliseconds the program has written nothing. */
function describeActivity({ id }: SessionEntry, { doing, about }: Activity, silent: number | undefined): Described {
  const attach = [suggest('session-attach', id)];
  switch (doing) {
    case 'works':
      return { sentence: 'Working.', suggestions: [] };
    case 'waits':
      return { sentence: 'Waiting for input.', suggestions: [] };
    case 'asks-permission':
      return { sentence: `Asks for permission: ${asSentence(about)}`, suggestions: attach };
    case 'asks-trust':
      return { sentence: `Asks whether to trust its folder: ${asSentence(about)}`, suggestions: attach };
    case 'quota':
      return { sentence: about === null ? 'Quota used up.' : `Quota used up until ${about}.`, suggestions: [] };
    case 'crashed':
      return { sentence: `Shows an error: ${asSentence(about)}`, suggestions: [suggest('session-screen', id)] };
    case 'unclear':
      return {
        sentence: silent === undefined ? 'Running.' : `Running; no output for ${duration(silent)}.`,
        suggestions: [],
      };
  }
}

/** What a program wrote, ended like a sentence. */
function asSentence(about: string | null): string {
  const text = about ?? '';
  return /[.?!…:]$/.test(text) ? text : `${text}.`;
}

function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

type State = Pick<SessionView, 'state' | 'sentence' | 'suggestions'> & { readonly source: 'journal' | 'host' };

function stateOf(entry: SessionEntry, life: Life | undefined, now: Date): State {
  const journal = (state: State['state'], sentence: string, ...suggestions: readonly Suggestion[]): State => ({
    state,
    sentence,
    suggestions,
    source: 'journal',
  });
  const resume = suggest('session-resume', entry.id);
  if (entry.failure !== undefined) return journal('failed', failureOf(entry));
  // What the host sees now counts more than what was only decided.
  const isSeen = life?.kind === 'running' || life?.kind === 'unknown';
  if (isSeen && entry.ended === undefined) return describeLife(entry, life, now);
  if (entry.wanted === 'paused') return journal('paused', `Its work is on ${entry.branch}.`, resume);
  if (entry.wanted === 'stopped') return journal('stopped', `Its work is kept on ${entry.branch}.`);
  if (entry.ended !== undefined) return { ...describeEnd(entry, entry.ended.life, entry.ended.at), source: 'journal' };
  if (entry.up === undefined) return journal('starting', 'The engine is starting it.');
  return describeLife(entry, life, now);
}

function describeLife(entry: SessionEntry, life: Life | undefined, now: Date): State {
  switch (life?.kind) {
    case 'running':
      return { state: 'running', sentence: `Running (pid ${life.pid}).`, suggestions: [], source: 'host' };
    case 'ended':
    case 'gone':
      return { ...describeEnd(entry, life, now.toISOString()), source: 'host' };
    default:
      return { state: 'unknown', sentence: life?.why ?? 'Not checked.', suggestions: [], source: 'host' };
  }
}

function describeEnd(entry: SessionEntry, life: Ended, at: string): Omit<State, 'source'> {
  const resume = [suggest('session-resume', entry.id)];
  if (life.kind === 'gone')
    return { state: 'gone', sentence: 'Its terminal is gone. Its worktree is kept.', suggestions: resume };
  const how = exitWords(life);
  return isLaunchFailure(entry, life, new Date(at))
    ? {
        state: 'failed',
        sentence: `The program exited right after it started (${how}).`,
        suggestions: [suggest('session-screen', entry.id)],
      }
    : {
        state: 'ended',
        sentence: `The program exited (${how}), which says nothing about its work.`,
        suggestions: resume,
      };
}
