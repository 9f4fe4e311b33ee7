// cadre behind a wall: it sees none of its own files, and passes the command on through the socket of its session.
import { readFileSync, writeSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { bytesIn, eachLine, writeLine } from '../adapters/walls/lines.ts';
import { systemCode } from '../core/model/failure.ts';

/** Set behind a wall only: the path of the socket. */
export const SOCKET_VARIABLE = 'CADRE_SOCKET';

/** How long it may take until an engine listens, in milliseconds: the last one may just have been killed. */
const ENGINE_WITHIN = 60_000;

const ASK_AGAIN_EVERY = 200;

/** As everywhere in cadre: refused, and a problem of the environment. */
const REFUSED = 2;
const NO_ENGINE = 5;

export async function runBehindWall(path: string, argv: readonly string[]): Promise<number> {
  const given = withBody(argv);
  if ('why' in given) return problem(given.why, REFUSED);
  const socket = await connected(path);
  if (socket === undefined)
    return problem('No engine of cadre is running outside, so nobody has heard this. Try it again later.', NO_ENGINE);
  return new Promise((ended) => {
    const end = (code: number): void => {
      socket.destroy();
      ended(code);
    };
    socket.on('error', () => undefined);
    socket.once('close', () => end(problem('cadre was stopped before it had answered. Try it again.', NO_ENGINE)));
    eachLine(socket, (line) => {
      const answer = Object(JSON.parse(line ?? '{}'));
      write(1, bytesIn(answer.output));
      write(2, bytesIn(answer.errors));
      if (typeof answer.refused === 'string') end(problem(answer.refused, REFUSED));
      if (typeof answer.code === 'number') end(answer.code);
    });
    writeLine(socket, { argv: given.argv });
    sendInput(socket, given);
  });
}

interface Given {
  readonly argv: readonly string[];
  /** Undefined: the standard input of this process, if the command reads it. */
  readonly body?: Buffer;
}

/** Outside, the path would be that of another file: the body is read here. */
function withBody(argv: readonly string[]): Given | { readonly why: string } {
  const at = argv.findIndex((word) => word === '--body-file' || word.startsWith('--body-file='));
  if (argv[0] !== 'signal' || at < 0) return { argv };
  const isOne = argv[at] !== '--body-file';
  const file = isOne ? argv[at]?.slice('--body-file='.length) : argv[at + 1];
  if (file === undefined || file === '-') return { argv };
  try {
    const body = readFileSync(file);
    return { argv: [...argv.slice(0, at), '--body-file=-', ...argv.slice(at + (isOne ? 1 : 2))], body };
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return { why: `Could not read ${JSON.stringify(file)}.` };
  }
}

function sendInput(socket: Socket, { argv, body }: Given): void {
  const end = (): void => writeLine(socket, { end: true });
  if (body !== undefined) {
    writeLine(socket, { input: body.toString('base64') });
    return end();
  }
  if (!readsInput(argv)) return;
  process.stdin.on('data', (bytes: Buffer) => writeLine(socket, { input: bytes.toString('base64') }));
  process.stdin.once('end', end);
}

/** Any other command would keep an input that nobody closes open for ever. */
function readsInput(argv: readonly string[]): boolean {
  const isHook = argv[0] === 'hook' && argv.filter((word) => word !== '--').length < 3;
  return isHook || argv[0] === 'mcp' || argv.some((word, at) => word === '--body-file=-' || isDash(argv, at));
}

function isDash(argv: readonly string[], at: number): boolean {
  return argv[at] === '-' && argv[at - 1] === '--body-file';
}

async function connected(path: string): Promise<Socket | undefined> {
  const deadline = performance.now() + ENGINE_WITHIN;
  for (;;) {
    const socket = await connect(path);
    if (socket !== undefined || performance.now() > deadline) return socket;
    await pause(ASK_AGAIN_EVERY);
  }
}

function connect(path: string): Promise<Socket | undefined> {
  return new Promise((done) => {
    const socket = createConnection(path);
    socket.once('connect', () => done(socket));
    socket.once('error', () => done(undefined));
  });
}

/** Completely, also into a pipe that is read slowly. */
function write(file: number, bytes: Buffer | undefined): void {
  for (let at = 0; bytes !== undefined && at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') return;
    }
  }
}

function problem(why: string, code: number): number {
  write(2, Buffer.from(`${why}\n`));
  return code;
}
