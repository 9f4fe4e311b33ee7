// The socket of a session: what a client says and hears, and what nonsense does not do.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  listenForSession,
  rememberSpeaker,
  type SessionSocket,
  SOCKET,
  speakingIn,
} from '../../../src/adapters/walls/session-socket.ts';
import { randomFrom } from '../../simulation/random.ts';
import { temporaryFolder } from '../../support/pieces.ts';

/** In place of cadre: says what it was called with, repeats its input, and ends with code 3. */
const ECHO = `
process.stdout.write(JSON.stringify({ argv: process.argv.slice(2), session: process.env.CADRE_SESSION }) + '\\n');
process.stderr.write('warned');
process.stdin.pipe(process.stdout);
process.stdin.on('end', () => process.exit(3));
`;

interface Bench {
  readonly folder: string;
  listen(): SessionSocket;
  /** Sends these lines, and returns what came until the other side closed. */
  say(...lines: readonly string[]): Promise<Heard>;
}

interface Heard {
  readonly output: string;
  readonly errors: string;
  readonly code: number | undefined;
  readonly refused: string | undefined;
}

function socketBench(): Bench {
  // Deeper than the path of a socket may be.
  const folder = join(temporaryFolder(), 'a-folder-with-a-rather-long-name'.repeat(4), 's3');
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'echo.cjs');
  writeFileSync(program, ECHO);
  rememberSpeaker(folder, { session: 's3', role: 'implementer', plan: 'build-it.md', task: '2' });
  const env = (): Readonly<Record<string, string>> => ({ PATH: process.env.PATH ?? '', CADRE_SESSION: 's3' });
  return {
    folder,
    listen() {
      const socket = listenForSession({ folder, cadre: [process.execPath, program], cwd: folder, env });
      if (socket === undefined) throw new Error('Nobody listens.');
      onTestFinished(() => socket.close());
      return socket;
    },
    say: (...lines) => talk(folder, lines),
  };
}

function connection(folder: string): Socket {
  process.chdir(speakingIn(folder));
  return createConnection(`./${SOCKET}`);
}

async function talk(folder: string, lines: readonly string[]): Promise<Heard> {
  const socket = connection(folder);
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  socket.on('error', () => undefined);
  socket.write(lines.map((line) => `${line}\n`).join(''));
  await new Promise((closed) => socket.once('close', closed));
  const heard = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const joined = (name: string): string =>
    Buffer.concat(
      heard.flatMap((one) => (one[name] === undefined ? [] : [Buffer.from(one[name], 'base64')])),
    ).toString();
  return {
    output: joined('output'),
    errors: joined('errors'),
    code: heard.find((one) => one.code !== undefined)?.code,
    refused: heard.find((one) => one.refused !== undefined)?.refused,
  };
}

const here = process.cwd();
const home = (): void => process.chdir(here);

test('a command runs as the session, with its input, output and exit code', async () => {
  onTestFinished(home);
  const bench = socketBench();
  bench.listen();
  const input = Buffer.from('ä question').toString('base64');
  const heard = await bench.say(
    JSON.stringify({ argv: ['signal', 'question', '--body-file', '-'] }),
    JSON.stringify({ input }),
    JSON.stringify({ end: true }),
  );
  const said = { argv: ['signal', '--body-file=-', '--', 'question'], session: 's3' };
  expect(heard).toEqual({
    output: `${JSON.stringify(said)}\nä question`,
    errors: 'warned',
    code: 3,
    refused: undefined,
  });
});

test('what the role may not do is refused, and starts nothing', async () => {
  onTestFinished(home);
  const bench = socketBench();
  bench.listen();
  const heard = await bench.say(JSON.stringify({ argv: ['cancel', 'build-it'] }));
  expect(heard).toMatchObject({ output: '', code: undefined, refused: expect.stringContaining('cannot be run') });
});

test('another engine listens in the place of one that was killed', async () => {
  onTestFinished(home);
  const bench = socketBench();
  bench.listen();
  bench.listen();
  expect((await bench.say(JSON.stringify({ argv: ['status'] }))).code).toBe(3);
});

test('a session that is not behind a wall has no socket', () => {
  const folder = temporaryFolder();
  expect(listenForSession({ folder, cadre: [], cwd: folder, env: () => ({}) })).toBeUndefined();
});

const random = randomFrom(7);

/** Broken in its own way: no JSON, other kinds of values, deep nesting, bytes that are no text. */
function nonsense(at: number): string {
  const kinds: readonly (() => string)[] = [
    () => '{"argv":',
    () => 'null',
    () => '[]',
    () => JSON.stringify({ argv: 'cancel' }),
    () => JSON.stringify({ argv: [at] }),
    () => JSON.stringify({ argv: ['status\0'] }),
    () => JSON.stringify({ argv: ['signal', '--body-file'] }),
    () => JSON.stringify({ argv: ['__proto__'] }),
    () => JSON.stringify({ argv: ['constructor', 'x'] }),
    () => `${'['.repeat(1 + random.below(5_000))}`,
    () => String.fromCharCode(...Array.from({ length: 20 }, () => 1 + random.below(250))).replaceAll('\n', ' '),
    () => JSON.stringify({ input: 'x', end: true }),
    () => JSON.stringify({ argv: ['why', '--', `${'x'.repeat(random.below(300))}#${at}`] }),
  ];
  return kinds[at % kinds.length]?.() ?? '';
}

test('1,000 messages that make no sense each get a clear answer, and afterwards it still works', async () => {
  onTestFinished(home);
  const bench = socketBench();
  bench.listen();
  for (let at = 0; at < 1_000; at++) {
    const said = nonsense(at);
    const { refused, output, code } = await bench.say(said);
    expect([said, refused?.length ?? 0, output, code]).toEqual([said, expect.any(Number), '', undefined]);
    expect(refused).toMatch(/^\S.*\.$/s);
  }
  expect((await bench.say(JSON.stringify({ argv: ['status'] }))).code).toBe(3);
});

test('a line that does not end is refused before it fills the memory', async () => {
  onTestFinished(home);
  const bench = socketBench();
  bench.listen();
  expect((await bench.say('x'.repeat(9 * 1_024 * 1_024))).refused).toContain('not a message');
});
