// Runs a command of the project in a worktree: with a time limit, its output kept, and everything it started ended.
import { setMaxListeners } from 'node:events';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { lastLines } from '../../text/sanitize.ts';
import { cleanEnvironment, networkVariables } from './clean-environment.ts';
import { type Ending, startGroup } from './exec.ts';
import { startedWith, startOfProcess } from './processes.ts';
import { type Belonging, endEverything } from './stopping.ts';
import type { Walled, WallFor } from './wall.ts';

export interface CommandRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** cadre's environment, of which the command sees only the safe part. */
  readonly env: NodeJS.ProcessEnv;
  /** Further variables for the command. */
  readonly given: Readonly<Record<string, string>>;
  /** The file for its output. */
  readonly output: string;
  /** In milliseconds. */
  readonly patience: number;
  readonly stop?: AbortSignal | undefined;
}

export type CommandEnd = (Ending | { readonly kind: 'too-long' } | { readonly kind: 'stopped' }) & {
  /** The last lines of its output, safe to show. */
  readonly tail: string;
};

/**
 * In the environment of everything that a command starts, so that processes which outlive cadre can be found. The session
 * is set because agents write the tests: a "cadre" that a test calls speaks as an agent, one that may not do anything.
 */
const marked = (cwd: string) => ({ CADRE_COMMAND_IN: cwd, CADRE_SESSION: 'command' });

export type RunCommand = (request: CommandRequest) => Promise<CommandEnd>;

/** An earlier cadre may have been killed while it ran a command. Only the engine runs commands, so one check is enough. */
export function commandRunner(wallFor: WallFor = async () => ({ kind: 'open' })): RunCommand {
  let leftBehind: Set<string> | undefined;
  return async (request) => {
    leftBehind ??= new Set(startedWith('CADRE_COMMAND_IN'));
    if (leftBehind.delete(request.cwd)) await endEverything(belongingTo(request));
    return runCommand(request, await wallFor(request.cwd));
  };
}

function belongingTo({ cwd }: CommandRequest): Belonging {
  return { leader: undefined, entry: `CADRE_COMMAND_IN=${cwd}` };
}

async function runCommand(request: CommandRequest, walled: Walled): Promise<CommandEnd> {
  const { argv, cwd, patience, stop } = request;
  if (walled.kind === 'refused') return { kind: 'not-started', why: walled.why, tail: '' };
  const output = boundedOutput(request.output);
  const [front, named] = walled.kind === 'open' ? [[], []] : [walled.front, walled.env];
  const env = {
    ...cleanEnvironment(request.env, ['CADRE_HOME', ...named]),
    ...networkVariables(request.env),
    TERM: 'dumb',
    CI: 'true',
    ...request.given,
    ...marked(cwd),
  };
  const program = startGroup([...front, ...argv], { cwd, env }, output.take);
  const ended = await firstOf(
    program.ended.then((end) => (walled.kind === 'open' ? end : behindWall(end))),
    patience,
    stop,
  );
  await endEverything({ ...belongingTo(request), leader: program.pid, since: startOfProcess(process.pid) });
  const timer = setTimeout(program.stopListening, STOP_LISTENING_AFTER);
  await program.outputClosed;
  clearTimeout(timer);
  return { ...ended, tail: output.close() };
}

/** bubblewrap exits like a shell if the command was killed. */
function behindWall(end: Ending): Ending {
  const signal = end.kind === 'exited' ? KILLED[end.exitCode] : undefined;
  return signal === undefined ? end : { kind: 'killed', signal };
}

const KILLED: Readonly<Record<number, 'SIGKILL' | 'SIGTERM'>> = { 137: 'SIGKILL', 143: 'SIGTERM' };

/** A process that still has the output open by then has escaped every search, and is not waited for. In milliseconds. */
const STOP_LISTENING_AFTER = 1_000;

type Cut = Ending | { readonly kind: 'too-long' } | { readonly kind: 'stopped' };

async function firstOf(ended: Promise<Ending>, patience: number, stop: AbortSignal | undefined): Promise<Cut> {
  if (stop?.aborted) return { kind: 'stopped' };
  let cut: (how: Cut) => void = () => undefined;
  const isCut = new Promise<Cut>((resolve) => {
    cut = resolve;
  });
  const timer = setTimeout(() => cut({ kind: 'too-long' }), patience);
  const stopped = (): void => cut({ kind: 'stopped' });
  if (stop !== undefined) {
    // Every command that runs has a listener, and Node takes more than ten for a leak.
    setMaxListeners(0, stop);
    stop.addEventListener('abort', stopped);
  }
  try {
    return await Promise.race([ended, isCut]);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', stopped);
  }
}

/** How much of the start of an output is kept, and how much of its end. In bytes. */
export const KEPT_OUTPUT = 256 * 1024;

/** The most that a tail has. */
const TAIL_LINES = 60;
const TAIL_CHARACTERS = 8_000;

interface Output {
  take(bytes: Buffer): void;
  /** Completes the file and returns the tail. */
  close(): string;
}

/** A file with the start and the end of an output of any length. */
export function boundedOutput(path: string): Output {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'w', 0o600);
  const start = Buffer.alloc(KEPT_OUTPUT);
  let started = 0;
  /** A ring buffer for everything after the start. */
  const ring = Buffer.alloc(KEPT_OUTPUT);
  let later = 0;

  const takeLater = (bytes: Buffer): void => {
    for (let rest = bytes.subarray(-KEPT_OUTPUT); rest.length > 0; ) {
      const at = (later + bytes.length - rest.length) % KEPT_OUTPUT;
      rest = rest.subarray(rest.copy(ring, at));
    }
    later += bytes.length;
  };

  const end = (): Buffer => {
    if (later <= KEPT_OUTPUT) return ring.subarray(0, later);
    const at = later % KEPT_OUTPUT;
    return Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
  };

  return {
    take(bytes) {
      const first = bytes.copy(start, started);
      if (first > 0) writeSync(file, bytes, 0, first);
      started += first;
      takeLater(bytes.subarray(first));
    },
    close() {
      const gap = Math.max(0, later - KEPT_OUTPUT);
      if (gap > 0) writeSync(file, `\n[cadre left out ${gap} bytes here]\n`);
      writeSync(file, end());
      closeSync(file);
      const all = gap > 0 ? end() : Buffer.concat([start.subarray(0, started), end()]);
      const text = all.subarray(-4 * TAIL_CHARACTERS).toString('utf8');
      return lastLines(text, TAIL_LINES).slice(-TAIL_CHARACTERS);
    },
  };
}
