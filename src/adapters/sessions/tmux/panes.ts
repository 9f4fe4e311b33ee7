// What tmux says of its panes, in one answer for all of them.
import { constants } from 'node:os';
import { type SessionId, sessionId } from '../../../core/model/ids.ts';
import type { Life } from '../../../core/model/life.ts';
import { isThere, processFacts } from '../../system/processes.ts';
import { HUB } from './control.ts';

export interface Pane {
  readonly id: string;
  readonly window: string;
  /** The tmux session it is in; a person may have made others than our places. */
  readonly place: string;
  readonly pid: number;
  /** The session that was started in it; nothing where a person has made it. */
  readonly session: SessionId | undefined;
  readonly life: Life;
  /** Its program has ended, and tmux has not asked the system how. */
  readonly isUnreaped: boolean;
  /** Whether keys reach the program. */
  readonly takesInput: boolean;
  /** When its window last showed something, to the second. */
  readonly activity: number | undefined;
  readonly isInHub: boolean;
}

/** The option of a pane that says whose it is: set in the same breath as the program is started. */
export const MARK = '@cadre_session';

// Only numbers and names of ours: a title or a path could hold lines that look like answers.
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
  // A window that a person has linked elsewhere is told of twice.
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
    isUnreaped: dead === '1' && status === '' && signal === '' && !goesOn(Number(pid)),
    takesInput: off !== '1',
    activity: activity === undefined || activity === '' ? undefined : Number(activity) * 1000,
    isInHub: Number(linked) > 1,
  };
}

/** tmux calls a pane dead as soon as its terminal is closed; a program may close it and go on. */
function lifeAfter(pid: number, status: string, signal: string): Life {
  if (status !== '') return { kind: 'ended', exitCode: Number(status), signal: null };
  if (signal !== '') return { kind: 'ended', exitCode: null, signal: signalName(signal) };
  return goesOn(pid) ? { kind: 'running', pid } : { kind: 'ended', exitCode: null, signal: null };
}

function goesOn(pid: number): boolean {
  const facts = processFacts(pid);
  return facts === undefined ? isThere(pid) : !facts.isZombie;
}

/** Where the system has names for signals tmux writes them without "SIG", else the number. */
function signalName(text: string): string {
  const known = Object.entries(constants.signals).find(([, number]) => String(number) === text)?.[0];
  return known ?? `SIG${text.toUpperCase().replace(/^SIG/, '')}`;
}
