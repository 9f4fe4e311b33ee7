// What tmux says about its panes, all of them in one answer.
import { constants } from 'node:os';
import { type SessionId, sessionId } from '../../../core/model/ids.ts';
import type { Life } from '../../../core/model/session.ts';
import { isThere, processFacts } from '../../system/processes.ts';
import { HUB } from './control.ts';

export interface Pane {
  readonly id: string;
  readonly window: string;
  /** The tmux session it is in. People may create tmux sessions that are not places. */
  readonly place: string;
  readonly pid: number;
  /** The session that was started in it; undefined if a person created the pane. */
  readonly session: SessionId | undefined;
  readonly life: Life;
  /** Its program has ended, and tmux has not collected its exit status yet. */
  readonly isUnreaped: boolean;
  /** Whether keys reach the program. */
  readonly takesInput: boolean;
  /** When its window last showed something, in milliseconds since 1970, accurate to the second. */
  readonly activity: number | undefined;
  readonly isInHub: boolean;
}

/** The pane option with the id of its session, set in the same exchange that starts the program. */
export const MARK = '@cadre_session';

// Only numbers and names that cadre chose: a title or a path could contain lines that look like answers.
const FIELDS = [
  'pane_id',
  'window_id',
  'session_name',
  'pane_pid',
  MARK,
  'pane_dead',
  'pane_dead_status',
  'pane_dead_signal',
  'pane_input_off',
  'window_activity',
  'window_linked_sessions',
];

export const LIST_PANES: readonly string[] = [
  ...['list-panes', '-a', '-f', `#{!=:#{session_name},${HUB}}`],
  ...['-F', FIELDS.map((field) => `#{${field}}`).join(':')],
];

export function parsePanes(lines: readonly string[]): readonly Pane[] {
  const panes = new Map<string, Pane>();
  // tmux lists a window twice that a person has linked into another session.
  for (const pane of lines.map(parsePane)) if (!panes.has(pane.id)) panes.set(pane.id, pane);
  return [...panes.values()];
}

function parsePane(line: string): Pane {
  const [id = '', window = '', place = '', pid = '', mark = '', dead, status = '', signal = '', off, activity, linked] =
    line.split(':');
  return {
    id,
    window,
    place,
    pid: Number(pid),
    session: sessionId(mark),
    life: dead === '1' ? lifeAfter(Number(pid), status, signal) : { kind: 'running', pid: Number(pid) },
    isUnreaped: dead === '1' && status === '' && signal === '' && !isRunning(Number(pid)),
    takesInput: off !== '1',
    activity: activity === undefined || activity === '' ? undefined : Number(activity) * 1000,
    isInHub: Number(linked) > 1,
  };
}

/** tmux calls a pane dead as soon as its terminal is closed, but a program may close its terminal and continue. */
function lifeAfter(pid: number, status: string, signal: string): Life {
  if (status !== '') return { kind: 'ended', exitCode: Number(status), signal: null };
  if (signal !== '') return { kind: 'ended', exitCode: null, signal: signalName(signal) };
  return isRunning(pid) ? { kind: 'running', pid } : { kind: 'ended', exitCode: null, signal: null };
}

function isRunning(pid: number): boolean {
  const facts = processFacts(pid);
  return facts === undefined ? isThere(pid) : !facts.isZombie;
}

/** tmux writes the signal's name without "SIG", or its number if the system has no names. */
function signalName(text: string): string {
  const known = Object.entries(constants.signals).find(([, number]) => String(number) === text)?.[0];
  return known ?? `SIG${text.toUpperCase().replace(/^SIG/, '')}`;
}
