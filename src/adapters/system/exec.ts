// The only place that starts other programs: always with argument lists, never through a shell.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants as files, openSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { systemCode } from '../../core/model/failure.ts';
import { showText } from '../../text/show.ts';

export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The signal that ended it. Its answer is unknown then, although its exit code is that of shells: 128 and the number. */
  readonly signal?: NodeJS.Signals;
}

interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

let report: ((text: string) => void) | undefined;

/** From now on this process says which programs it has run. */
export function reportPrograms(say: (text: string) => void): void {
  report = say;
}

function reported(argv: readonly string[], started: number, exitCode: number): void {
  report?.(`${Math.round(performance.now() - started)} ms, code ${exitCode}: ${showText(argv.join(' '))}`);
}

/** For programs that answer at once, so that one that hangs does not hang cadre. In milliseconds. */
const QUICK = 60_000;

/** Exit code 127 means that the program is not installed, 124 that it took too long and was killed. */
export function run(argv: readonly string[], around: Surroundings & { readonly timeLimit?: number } = {}): Finished {
  return start(argv, ['ignore', 'pipe', 'pipe'], around);
}

/** Runs a program that inherits the file as its descriptor 3. */
export function runWithFile(argv: readonly string[], file: number | undefined): Finished {
  return start(argv, ['ignore', 'pipe', 'pipe', file ?? 'ignore'], {});
}

function start(
  argv: readonly string[],
  stdio: ('ignore' | 'pipe' | number)[],
  { cwd, env, timeLimit = QUICK }: Surroundings & { readonly timeLimit?: number },
): Finished {
  const [program = '', ...rest] = argv;
  const started = performance.now();
  const result = spawnSync(program, rest, {
    stdio,
    encoding: 'utf8',
    env: { ...(env ?? process.env) },
    timeout: timeLimit,
    killSignal: 'SIGKILL',
    ...(cwd === undefined ? {} : { cwd }),
  });
  reported(argv, started, result.status ?? 1);
  if (result.error !== undefined) {
    const code = systemCode(result.error);
    if (code === 'ENOENT') return { exitCode: 127, stdout: '', stderr: `${program}: not found` };
    if (code === 'ETIMEDOUT') return { ...TOO_LATE, stdout: result.stdout ?? '', stderr: tooLong(timeLimit) };
    throw result.error;
  }
  return { ...endOf(result.status, result.signal), stdout: result.stdout, stderr: result.stderr };
}

const TOO_LATE = { exitCode: 124 };

function endOf(exitCode: number | null, signal: NodeJS.Signals | null): Pick<Finished, 'exitCode' | 'signal'> {
  return signal === null ? { exitCode: exitCode ?? 1 } : { exitCode: 128 + constants.signals[signal], signal };
}

export interface Meanwhile extends Surroundings {
  readonly input?: string | undefined;
  /** A file that is its standard input. */
  readonly inputFile?: string | undefined;
  /** After so many milliseconds the program is killed, with everything that it started. */
  readonly timeLimit?: number | undefined;
}

/** Runs a program without blocking this process, and returns when it has ended. Exit codes as above. */
export function runMeanwhile(
  argv: readonly string[],
  { cwd, env, input, inputFile, timeLimit }: Meanwhile,
): Promise<Finished> {
  const [program = '', ...rest] = argv;
  const started = performance.now();
  const file = inputFile === undefined ? undefined : openSync(inputFile, 'r');
  const child = spawn(program, rest, {
    // Its own process group, so that anything that holds its output is killed with it.
    detached: timeLimit !== undefined,
    stdio: [file ?? (input === undefined ? 'ignore' : 'pipe'), 'pipe', 'pipe'],
    env: { ...(env ?? process.env) },
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (file !== undefined) closeSync(file);
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on('data', (bytes: Buffer) => void stdout.push(bytes));
  child.stderr?.on('data', (bytes: Buffer) => void stderr.push(bytes));
  // A program that ends without reading its input reports that by its exit code.
  child.stdin?.on('error', () => undefined).end(input);
  const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');
  let isTooLate = false;
  const stopAfter = (time: number): NodeJS.Timeout =>
    setTimeout(() => {
      isTooLate = true;
      stderr.push(Buffer.from(tooLong(time)));
      killGroup(child.pid);
    }, time);
  const timer = timeLimit === undefined ? undefined : stopAfter(timeLimit);
  return new Promise((finished, failed) => {
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      reported(argv, started, code ?? 1);
      finished({ ...(isTooLate ? TOO_LATE : endOf(code, signal)), stdout: text(stdout), stderr: text(stderr) });
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      if (systemCode(error) === 'ENOENT') finished({ exitCode: 127, stdout: '', stderr: `${program}: not found` });
      else failed(error);
    });
  });
}

export interface Briefly extends Surroundings {
  readonly input: string;
  /** In milliseconds. */
  readonly timeLimit: number;
}

/** How much of its standard error is kept, in bytes, and how long it may take to arrive after the end, in milliseconds. */
const BRIEF_ERRORS = 4_096;
const ERRORS_WITHIN = 200;

/**
 * Gives a program its input and waits for its end, and for no longer than the limit. What it started in the background may
 * continue. Its standard output is ignored. Exit codes as above; 126 means that it could not be started for another reason.
 */
export function runBriefly(argv: readonly string[], { cwd, env, input, timeLimit }: Briefly): Promise<Finished> {
  const [program = '', ...rest] = argv;
  const child = spawn(program, rest, {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...(env ?? process.env) },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let errors = Buffer.alloc(0);
  child.stderr.on('data', (bytes: Buffer) => {
    errors = Buffer.concat([errors, bytes.subarray(0, BRIEF_ERRORS - errors.length)]);
  });
  // A program that ends without reading its input reports that by its exit code.
  child.stdin.on('error', () => undefined).end(input);
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    killGroup(child.pid);
  }, timeLimit);
  return new Promise((finished) => {
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      const finish = (): void => {
        child.stderr.destroy();
        finished({ ...(isTooLate ? TOO_LATE : endOf(code, signal)), stdout: '', stderr: errors.toString('utf8') });
      };
      child.once('close', finish);
      setTimeout(finish, ERRORS_WITHIN);
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      const why = systemCode(error) === 'ENOENT' ? `${program}: not found` : error.message;
      finished({ exitCode: systemCode(error) === 'ENOENT' ? 127 : 126, stdout: '', stderr: why });
    });
  });
}

function tooLong(timeLimit: number): string {
  return `It took longer than ${timeLimit / 1000} s and was stopped.`;
}

function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

/** A program that leads its own process group, with everything that it starts. */
export interface ProcessGroup {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  /** How the program itself ended. Processes that it started may still run. */
  readonly ended: Promise<Ending>;
  /** Resolves when no process has its output open. */
  readonly outputClosed: Promise<void>;
  /** Closes the output on our side, even if a process still has it open. */
  stopListening(): void;
}

export type Ending =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'not-started'; readonly why: string };

export function startGroup(
  argv: readonly string[],
  { cwd, env }: Surroundings,
  output: (bytes: Buffer) => void,
): ProcessGroup {
  const [program = '', ...rest] = argv;
  const child = spawn(program, rest, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...(env ?? process.env) },
    ...(cwd === undefined ? {} : { cwd }),
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', output);
  return {
    pid: child.pid,
    ended: new Promise((ended) => {
      child.once('exit', (exitCode, signal) =>
        ended(signal === null ? { kind: 'exited', exitCode: exitCode ?? 1 } : { kind: 'killed', signal }),
      );
      child.once('error', (error) => ended({ kind: 'not-started', why: whyNotStarted(program, error) }));
    }),
    outputClosed: new Promise((closed) => {
      child.once('close', () => closed());
      child.once('error', () => closed());
    }),
    stopListening: () => {
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    },
  };
}

function whyNotStarted(program: string, error: Error): string {
  const code = systemCode(error);
  if (code === 'ENOENT') return `"${program}" is not installed.`;
  return code === 'EACCES' ? `"${program}" cannot be run: it is not executable for you.` : `${error.message}.`;
}

/** A program that runs while we talk to it. It does not keep this process alive, and Ctrl-C does not reach it. */
export interface Talking {
  write(text: string): void;
  /** Closes its input, upon which it should end. */
  end(): void;
}

export interface Listener {
  /** Standard output, one character per byte. */
  output(text: string): void;
  /** Called once, when it has ended or could not be started, with what it wrote to standard error. */
  closed(errors: string): void;
}

export function talkTo(argv: readonly string[], { cwd, env }: Surroundings, listener: Listener): Talking {
  const [program = '', ...rest] = argv;
  const child = spawn(program, rest, {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...(env ?? process.env) },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let errors = '';
  let isClosed = false;
  const close = (why: string): void => {
    if (isClosed) return;
    isClosed = true;
    listener.closed(why);
  };
  child.stdout.setEncoding('latin1').on('data', listener.output);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.once('close', () => close(errors));
  child.once('error', (error) => close(systemCode(error) === 'ENOENT' ? `${program}: not found` : error.message));
  // Input for a program that has ended is lost; `closed` reports the end.
  child.stdin.on('error', () => undefined);
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr])
    if ('unref' in stream) (stream as Unreferable).unref();
  return {
    write: (text) => void child.stdin.write(text),
    end: () => void child.stdin.end(),
  };
}

/** A program whose input and output pass through this process. */
export interface Piped {
  readonly input: Writable;
  readonly output: Readable;
  readonly errors: Readable;
  /** Its exit code as a shell reports it, once all its output has been read. */
  readonly ended: Promise<number>;
  kill(): void;
}

export function startPiped(argv: readonly string[], { cwd, env }: Surroundings): Piped {
  const [program = '', ...rest] = argv;
  const child = spawn(program, rest, {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...(env ?? process.env) },
    ...(cwd === undefined ? {} : { cwd }),
  });
  // Input for a program that has ended is lost.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<number>((done) => {
    child.once('close', (code, signal) => done(endOf(code, signal).exitCode));
    child.once('error', () => done(127));
  });
  return { input: child.stdin, output: child.stdout, errors: child.stderr, ended, kill: () => killGroup(child.pid) };
}

interface Unreferable {
  unref(): void;
}

/**
 * Starts a program that survives this process: in its own session, without a terminal, and with none of our files but the
 * one for its output.
 */
export function startDetached(
  argv: readonly string[],
  { cwd, env }: Surroundings,
  output: number | 'ignore' = 'ignore',
): Promise<void> {
  const [program = '', ...rest] = argv;
  const child = spawn(program, rest, {
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...(env ?? process.env) },
    ...(cwd === undefined ? {} : { cwd }),
  });
  child.unref();
  return new Promise((started, failed) => {
    child.once('spawn', started);
    child.once('error', failed);
  });
}

/** A program that shares our output and survives this process. */
export interface Beside {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  /** Its exit code as a shell reports it: 128 plus the number of the signal that ended it, 127 if it does not exist. */
  readonly ended: Promise<number>;
}

export function startBeside(argv: readonly string[], { cwd, env }: Surroundings, input?: string): Beside {
  const [program = '', ...rest] = argv;
  const child = spawn(program, rest, {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'inherit', 'inherit'],
    env: { ...(env ?? process.env) },
    ...(cwd === undefined ? {} : { cwd }),
  });
  // A program that ends without reading its input is not our failure.
  child.stdin?.on('error', () => undefined).end(input);
  const ended = new Promise<number>((done) => {
    child.once('exit', (code, signal) => done(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    child.once('error', () => done(127));
  });
  return { pid: child.pid, ended };
}

/** Gives the terminal to a program until it ends, and returns its exit code. */
export function runHere(argv: readonly string[], env?: Surroundings['env']): Promise<number> {
  const [program = '', ...rest] = argv;
  const child = spawn(program, rest, { stdio: 'inherit', env: { ...(env ?? process.env) } });
  return new Promise((ended) => {
    child.once('exit', (code) => ended(code ?? 1));
    child.once('error', () => ended(127));
  });
}

/** Whether a program of this name exists on the PATH, or at its path if it is one. */
export function isInstalled(program: string, env: NodeJS.ProcessEnv): boolean {
  const folders = program.includes('/') ? [''] : (env.PATH ?? '').split(':').map((folder) => `${folder}/`);
  return folders.some((folder) => {
    try {
      accessSync(`${folder}${program}`, files.X_OK);
      return statSync(`${folder}${program}`).isFile();
    } catch {
      return false;
    }
  });
}
