// One program under a small supervisor script that outlasts cadre, and the files that the script leaves in the session's folder.
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { constants as system } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, systemCode } from '../../../core/model/failure.ts';
import type { Life } from '../../../core/model/session.ts';
import { startDetached } from '../../system/exec.ts';
import { isThere, parseStat, processFacts } from '../../system/processes.ts';

/**
 * Claims the session, creates the pipe, runs the program, and records its process and, at the end, its exit status. The pipe
 * is opened for reading and writing, so that it never ends and never blocks; it is opened before the program starts, and
 * then only the program keeps it open. The traps let the script record the status even if a signal goes to the whole group;
 * the program does not inherit them. The script uses shell builtins where it can, because every program that it starts
 * delays the agent by about a millisecond.
 */
const SUPERVISOR = `
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

/** How long the script may take to record the program's process, in milliseconds. */
const START_TIMEOUT = 10_000;

export async function startSupervised(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin' } = process.env;
  await startDetached(['/bin/sh', '-c', SUPERVISOR, 'cadre-hold', folder], { cwd: '/', env: { PATH, ...env } });
  const deadline = performance.now() + START_TIMEOUT;
  while (noteIn(folder, 'process') === undefined) {
    if (performance.now() > deadline)
      throw new Failure(
        'failed',
        'not-started',
        `The program in ${folder} did not start. Its output is in output.log there.`,
      );
    await pause(5);
  }
}

export function lifeOf(folder: string): Life {
  const program = noteIn(folder, 'process');
  // Nearly always it runs. Its start time tells it from a later program with the same process id, so nothing else is read.
  if (program?.started !== undefined && isRunning(program)) return { kind: 'running', pid: program.pid };
  const before = statusIn(folder);
  if (before !== undefined) return before;
  const supervisor = noteIn(folder, 'holder');
  // While the supervisor runs, it has not recorded the status yet.
  if (program !== undefined && [program, supervisor].some((note) => note !== undefined && isRunning(note)))
    return { kind: 'running', pid: program.pid };
  // It may have recorded the status since we looked.
  return statusIn(folder) ?? (program === undefined && isYoung(join(folder, 'begun')) ? STARTING : { kind: 'gone' });
}

/** The leader of the program's process group, if it still runs. */
export function leaderOf(folder: string): number | undefined {
  const [program, supervisor] = [noteIn(folder, 'process'), noteIn(folder, 'holder')];
  if (supervisor !== undefined && isRunning(supervisor)) return supervisor.pid;
  return program !== undefined && isRunning(program) ? (processFacts(program.pid)?.group ?? program.pid) : undefined;
}

/** When the supervisor was started, if that is known. */
export function supervisorStart(folder: string): number | undefined {
  const started = noteIn(folder, 'holder')?.started;
  return started === undefined ? undefined : Number(started);
}

/** Returns why the line could not be delivered, or undefined. Never blocks. */
export function writeLine(folder: string, line: string): string | undefined {
  const bytes = Buffer.from(`${line}\n`);
  try {
    const file = openSync(join(folder, 'input'), constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      if (!fstatSync(file).isFIFO()) return 'Something else is in the place of its input pipe.';
      return writeSync(file, bytes) === bytes.length ? undefined : 'Its input did not accept all of the text.';
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EAGAIN') return 'Its input is full: the program is not reading it.';
    if (code === 'ENXIO' || code === 'EPIPE') return 'The program has closed its input.';
    if (code === 'ENOENT') return 'It has no input.';
    throw error;
  }
}

/** The last bytes that the program wrote. */
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

export interface OutputFacts {
  readonly size: number;
  readonly when: number;
}

/** How much the program has written, and when it last did. */
export function outputFacts(folder: string): OutputFacts | undefined {
  const facts = statSync(join(folder, 'output.log'), { throwIfNoEntry: false });
  return facts === undefined || facts.size === 0 ? undefined : { size: facts.size, when: facts.mtimeMs };
}

const STARTING: Life = { kind: 'unknown', why: 'It is starting.' };

interface Note {
  readonly pid: number;
  /** When the process was started, if the system says so. */
  readonly started: string | undefined;
}

function noteIn(folder: string, name: string): Note | undefined {
  const [pid = '', stat = '', ...end] = (readIfExists(join(folder, name)) ?? '').split('\n');
  // The script may not have finished writing it.
  return end.length === 0 ? undefined : { pid: Number(pid), started: parseStat(stat)?.started };
}

function isRunning({ pid, started }: Note): boolean {
  if (started === undefined) return isThere(pid);
  const now = processFacts(pid);
  return now !== undefined && !now.isZombie && now.started === started;
}

function statusIn(folder: string): Life | undefined {
  const text = readIfExists(join(folder, 'ended')) ?? '';
  return text.endsWith('\n') ? lifeAfter(Number.parseInt(text, 10)) : undefined;
}

/** sh reports 128 plus the number of the signal. A program that exits with such a status looks the same. */
function lifeAfter(status: number): Life {
  const signal = Object.entries(system.signals).find(([, number]) => number === status - 128)?.[0];
  if (signal !== undefined) return { kind: 'ended', exitCode: null, signal };
  return { kind: 'ended', exitCode: status, signal: null };
}

function isYoung(path: string): boolean {
  const made = statSync(path, { throwIfNoEntry: false })?.ctimeMs;
  return made !== undefined && Date.now() - made < START_TIMEOUT;
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
