// Processor time, of programs that have ended and of processes that run: unlike the time that passes, it is nearly the same
// when other programs use the machine.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const start = promisify(execFile);

/** Of one run of a Node program with everything it started and waited for, in milliseconds. */
export async function processorTimeOf(argv, { root, env }) {
  const { stderr } = await start('bash', ['-c', SCRIPT, process.execPath, ...argv], { cwd: root, env });
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return (user + system) * 1000;
}

const SCRIPT = 'TIMEFORMAT="%3U %3S"; time "$0" "$@" > /dev/null';

/** Of running processes with all their threads so far, in milliseconds. The kernel's ticks would be too coarse. */
export function processorTimeSoFar(pids) {
  return pids
    .flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/schedstat`))
    .reduce((sum, path) => sum + Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6, 0);
}

/** Of a running process, its running children, and those that have ended: a child's time becomes the parent's when it ends. */
export function familyTimeSoFar(pid) {
  return processorTimeSoFar([pid]) + timeOfEnded(pid) + childrenOf(pid).reduce((sum, one) => sum + timeOfChild(one), 0);
}

function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** A child that ends in between is counted with the ended ones the next time. */
function timeOfChild(pid) {
  try {
    return processorTimeSoFar([pid]);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
    return 0;
  }
}

const MILLISECONDS_PER_TICK = 10;

/** The fields cutime and cstime of proc(5); the name in parentheses before them may contain anything. */
function timeOfEnded(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * MILLISECONDS_PER_TICK;
}
