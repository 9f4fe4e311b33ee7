// One program held by a small script that outlasts cadre: what the script leaves in the session's folder, and what it says.
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { constants as system } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, systemCode } from '../../../core/model/failure.ts';
import type { Life } from '../../../core/model/life.ts';
import { startDetached } from '../../system/exec.ts';
import { isThere, parseStat, processFacts } from '../../system/processes.ts';

/**
 * Claims the session, makes the pipe, runs the program, and writes down who it is and, at the end, its status. A pipe opened
 * for reading and writing never ends and never blocks; opened before the program starts it is there from the first moment,
 * and then only the program keeps it. The traps are there because a signal to the whole group must not keep the status from
 * being written; the program does not inherit them. Most of it is done by the shell itself: a program more is a millisecond
 * more before the agent begins.
 */
const HOLD = `
cd -- "$1" || exit 1
set -C
command : >begun || exit 0
set +C
mkfifo -m 600 input || exit 1
trap : TERM HUP INT
note() {
  stat=
  [ -r "/proc/$2/stat" ] && read -r stat <"/proc/$2/stat"
  printf '%s\\n%s\\n' "$2" "$stat" >"$1"
}
note holder $$
exec 3<>input
/bin/sh "$1/start" <&3 3<&- >>output.log 2>&1 &
exec 3<&-
note process $!
while :; do
  wait $!
  status=$?
  kill -0 $! 2>/dev/null || break
  [ $status = 127 ] && break
done
echo $status >ended
`;

/** How long the script may take to write down what it has started. */
const START_PATIENCE = 10_000;

export async function hold(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin' } = process.env;
  await startDetached(['/bin/sh', '-c', HOLD, 'cadre-hold', folder], { cwd: '/', env: { PATH, ...env } });
  const deadline = performance.now() + START_PATIENCE;
  while (noteIn(folder, 'process') === undefined) {
    if (performance.now() > deadline)
      throw new Failure('failed', 'not-started', `The program in ${folder} did not start. Look into its output.log.`);
    await pause(5);
  }
}

export function lifeOf(folder: string): Life {
  const before = statusIn(folder);
  if (before !== undefined) return before;
  const [program, holder] = [noteIn(folder, 'process'), noteIn(folder, 'holder')];
  // While the script lives its last word has not been said.
  if (program !== undefined && [program, holder].some((note) => note !== undefined && runs(note)))
    return { kind: 'running', pid: program.pid };
  // It may have said it since we looked.
  return statusIn(folder) ?? (program === undefined && isYoung(join(folder, 'begun')) ? STARTING : { kind: 'gone' });
}

/** The process whose group is the program's, where both are certainly what they were. */
export function leaderOf(folder: string): number | undefined {
  const [program, holder] = [noteIn(folder, 'process'), noteIn(folder, 'holder')];
  if (holder !== undefined && runs(holder)) return holder.pid;
  return program !== undefined && runs(program) ? (processFacts(program.pid)?.group ?? program.pid) : undefined;
}

/** When the script was started that holds the program, where that is known. */
export function heldSince(folder: string): number | undefined {
  const started = noteIn(folder, 'holder')?.started;
  return started === undefined ? undefined : Number(started);
}

/** Why the line could not be handed over whole, or nothing. Never waits. */
export function writeLine(folder: string, line: string): string | undefined {
  const bytes = Buffer.from(`${line}\n`);
  try {
    const file = openSync(join(folder, 'input'), constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      if (!fstatSync(file).isFIFO()) return 'Something else stands in the place of its input.';
      return writeSync(file, bytes) === bytes.length ? undefined : 'Its input did not take all of the text.';
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EAGAIN') return 'Its input is full: the program does not read it.';
    if (code === 'ENXIO' || code === 'EPIPE') return 'The program has closed its input.';
    if (code === 'ENOENT') return 'It has no input.';
    throw error;
  }
}

/** The last bytes that the program has written. */
export function endOfOutput(folder: string, most: number): string {
  try {
    const file = openSync(join(folder, 'output.log'), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, most));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, size - bytes.length)).toString('utf8');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}

export interface Written {
  readonly size: number;
  readonly when: number;
}

/** How much the program has written so far, and when it last did. */
export function writtenBy(folder: string): Written | undefined {
  const facts = statSync(join(folder, 'output.log'), { throwIfNoEntry: false });
  return facts === undefined || facts.size === 0 ? undefined : { size: facts.size, when: facts.mtimeMs };
}

const STARTING: Life = { kind: 'unknown', why: 'It is being started.' };

interface Note {
  readonly pid: number;
  /** When the process was started, where the system tells. */
  readonly started: string | undefined;
}

function noteIn(folder: string, name: string): Note | undefined {
  const [pid = '', stat = '', ...end] = (readIfThere(join(folder, name)) ?? '').split('\n');
  // It may be about to be written.
  return end.length === 0 ? undefined : { pid: Number(pid), started: parseStat(stat)?.started };
}

function runs({ pid, started }: Note): boolean {
  if (started === undefined) return isThere(pid);
  const now = processFacts(pid);
  return now !== undefined && !now.isZombie && now.started === started;
}

function statusIn(folder: string): Life | undefined {
  const text = readIfThere(join(folder, 'ended')) ?? '';
  return text.endsWith('\n') ? lifeAfter(Number.parseInt(text, 10)) : undefined;
}

/** sh says 128 and the signal's number; a program that exits with such a number by itself cannot be told apart. */
function lifeAfter(status: number): Life {
  const signal = Object.entries(system.signals).find(([, number]) => number === status - 128)?.[0];
  if (signal !== undefined) return { kind: 'ended', exitCode: null, signal };
  return { kind: 'ended', exitCode: status, signal: null };
}

function isYoung(path: string): boolean {
  const made = statSync(path, { throwIfNoEntry: false })?.ctimeMs;
  return made !== undefined && Date.now() - made < START_PATIENCE;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
