// The contract of the port Host: one suite for every host, with real programs.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ProcessHost } from '../../src/adapters/sessions/process/process-host.ts';
import { TmuxHost } from '../../src/adapters/sessions/tmux/tmux-host.ts';
import type { Host, HostEvent, Launch } from '../../src/core/ports/host.ts';
import {
  type Bench,
  inPlace,
  inSh,
  isLive,
  killIfThere,
  launchOf,
  lifeOf,
  name,
  processBench,
  processesWith,
  textOf,
  tmuxBench,
  written,
} from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { contentsOf, failureOf } from '../support/pieces.ts';
import { eventually } from '../support/repo.ts';

needing('tmux', () => describe('tmux', () => promises(tmuxBench)));
describe('plain processes', () => promises(processBench));

const HOSTILE = [
  ...Array.from({ length: 127 }, (_, code) => String.fromCharCode(code + 1)),
  '',
  ' ',
  '-n',
  '--',
  "it's",
  '"double"',
  '$(touch canary)',
  '`touch canary`',
  '#(touch canary)',
  '#{pane_id}',
  '; touch canary ;',
  'a\nb\r\nc\n',
  '*?[a-z]{1,2}~',
  'K=V',
  '\\',
  '%1 =x: @0',
  'żółw 漢字 🐢 e\u0301',
  'x'.repeat(100_000),
];

function promises(makeBench: () => Bench): void {
  test('arguments arrive byte for byte', async () => {
    const bench = makeBench();
    await bench.open().start(launchOf(bench, 'a', 'witness.mjs', reportIn(bench), '0', ...HOSTILE));
    expect((await witnessed(bench)).argv).toEqual([reportIn(bench), '0', ...HOSTILE]);
    expect(readdirSync(bench.work)).not.toContain('canary');
  });

  test.each(['with space', 'quo\'te"s', 'line\nend', 'żółw 漢字', '#(touch canary)', '$(touch canary);`x`', '-p'])(
    'the program runs in the folder %j',
    async (folder) => {
      const bench = makeBench();
      const cwd = join(bench.work, folder);
      mkdirSync(cwd);
      await bench.open().start({ ...launchOf(bench, 'a', 'witness.mjs', reportIn(bench), '0'), cwd });
      expect((await witnessed(bench)).cwd).toBe(cwd);
      expect(readdirSync(bench.work)).not.toContain('canary');
    },
  );

  test('the environment is the given one plus the variables of the session, and nothing else', async () => {
    const canaries = Array.from({ length: 20 }, (_, number) => `CADRE_TEST_CANARY_${number}`);
    for (const canary of canaries) process.env[canary] = 'secret';
    onTestFinished(() => {
      for (const canary of canaries) delete process.env[canary];
    });
    const bench = makeBench();
    const env = { PATH: '/usr/bin:/bin', EMPTY: '', MANY: 'a\nb = "c" \'d\' $HOME #(touch canary)', ŻÓŁW: '漢' };
    await bench.open().start({ ...launchOf(bench, 'a', 'witness.mjs', reportIn(bench), 'stay'), env });
    expect((await witnessed(bench)).env).toEqual({
      ...env,
      CADRE_SESSION: 'a',
      CADRE_SESSION_FOLDER: join(bench.sessions, 'a'),
    });
    expect(processesWith('CADRE_TEST_CANARY')).toEqual([]);
  });

  test('a program without input reads an empty input', async () => {
    const bench = makeBench();
    const host = bench.open();
    await host.start({ ...inSh(bench, 'a', 'cat; exit 3'), input: 'none' });
    expect(await eventually(() => lifeOf(host, 'a'), isOver)).toEqual({ kind: 'ended', exitCode: 3, signal: null });
  });

  test('the environment is not left on disk', async () => {
    const bench = makeBench();
    const launch = launchOf(bench, 'a', 'witness.mjs', reportIn(bench), 'stay');
    await bench.open().start({ ...launch, env: { ...launch.env, TOKEN: 'the-secret' } });
    await witnessed(bench);
    expect([...contentsOf(bench.sessions)].filter(([, text]) => text.includes('the-secret'))).toEqual([]);
  });

  test.each([
    ['exit 0', { exitCode: 0, signal: null }],
    ['exit 3', { exitCode: 3, signal: null }],
    ['kill -KILL $$', { exitCode: null, signal: 'SIGKILL' }],
    ['kill -TERM $$', { exitCode: null, signal: 'SIGTERM' }],
  ])('this cadre and the next one know how a program ended: %s', async (script, how) => {
    const bench = makeBench();
    const host = bench.open();
    await host.start(inSh(bench, 'a', script));
    expect(await eventually(() => lifeOf(host, 'a'), isOver)).toEqual({ kind: 'ended', ...how });
    host.close();
    expect(await lifeOf(bench.open(), 'a')).toEqual({ kind: 'ended', ...how });
  });

  test('a missing program or folder ends the session at once with a telling status', async () => {
    const bench = makeBench();
    const host = bench.open();
    await host.start({ ...inSh(bench, 'a', ''), argv: ['/not/there'] });
    await host.start({ ...inSh(bench, 'b', ''), cwd: '/not/there' });
    expect(await eventually(() => lifeOf(host, 'a'), isOver)).toMatchObject({ exitCode: 127 });
    expect(await eventually(() => lifeOf(host, 'b'), isOver)).toMatchObject({ exitCode: 126 });
  });

  test.each([
    ['no program', { argv: [] }],
    ['a program that env would treat as a variable', { argv: ['A=b'] }],
    ['a NUL character', { argv: ['/bin/sh', '\0'] }],
    ['a relative path', { cwd: 'somewhere' }],
    ['a variable without a name', { env: { '': 'x' } }],
    ['a variable that env would treat as an option', { env: { '-u': 'x' } }],
  ])('refuses to start, with a reason: %s', async (_what, part: Partial<Launch>) => {
    const bench = makeBench();
    const host = bench.open();
    expect((await failureOf(() => host.start({ ...inSh(bench, 'a', ':'), ...part }))).code).toBe('bad-launch');
    expect(await host.list()).toEqual([]);
  });

  test('a session starts only once: with two concurrent calls, while it runs, after it ended, after it was stopped', async () => {
    const bench = makeBench();
    const [one, other] = [bench.open(), bench.open()];
    const launch = launchOf(bench, 'a', 'witness.mjs', reportIn(bench), 'stay');
    await Promise.all([one.start(launch), other.start(launch), one.start(launch)]);
    const { pid } = await witnessed(bench);
    await other.start(launch);
    expect(await lifeOf(other, 'a')).toEqual({ kind: 'running', pid });
    process.kill(pid, 'SIGKILL');
    await eventually(() => lifeOf(one, 'a'), isOver);
    await one.start(launch);
    await one.stop(name('a'));
    await bench.open().start(launch);
    expect(await one.list()).toEqual([]);
    expect(textOf(`${reportIn(bench)}.starts`)).toBe('x');
  });

  test('sessions outlive cadre, and the next cadre finds them all', async () => {
    const bench = makeBench();
    const first = bench.open();
    for (const session of ['a', 'b', 'c']) await first.start(inSh(bench, session, 'read line'));
    const before = await first.list();
    first.close();
    const after = await bench.open().list();
    expect(after.map(({ session, place, life }) => ({ session, place, life }))).toEqual(
      before.map(({ session, place, life }) => ({ session, place, life })),
    );
    expect(after.map(({ life }) => life.kind)).toEqual(['running', 'running', 'running']);
  });

  test('stopping a session leaves those with longer and shorter names running', async () => {
    const bench = makeBench();
    const host = bench.open();
    for (const session of ['a', 'ab', 'abc']) await host.start(inSh(bench, session, 'read line'));
    await host.stop(name('ab'));
    await host.stop(name('ab'));
    await host.stop(name('never-started'));
    const left = await host.list();
    expect(left.map(({ session, life }) => [session, life.kind])).toEqual([
      ['a', 'running'],
      ['abc', 'running'],
    ]);
  });

  test('a session of another repository with the same id is not touched', async () => {
    const [bench, neighbour] = [makeBench(), makeBench()];
    const [host, other] = [bench.open(), neighbour.open()];
    await host.start(inSh(bench, 'a', 'read line'));
    await other.start(inSh(neighbour, 'a', 'read line'));
    await host.stop(name('a'));
    expect(await host.list()).toEqual([]);
    expect((await lifeOf(other, 'a'))?.kind).toBe('running');
  });

  test('a coloured screen has the text of the screen, and nothing but colours besides', async () => {
    const bench = makeBench();
    const host = bench.open();
    await host.start(inSh(bench, 'a', 'printf "\\033]0;title\\007\\033[31mred\\033[0m plain\\n"; read line'));
    const screen = await eventually(
      () => host.colouredScreen(name('a')),
      (text) => text.includes('plain'),
    );
    expect(screen.replace(/\x1b\[[0-9;]*m/g, '')).toContain('red plain');
    expect(screen.replace(/\x1b\[[0-9;]*m/g, '')).not.toContain('\x1b');
  });

  test('a line is typed unchanged, and the screen shows it', async () => {
    const bench = makeBench();
    const host = bench.open();
    await host.start(inSh(bench, 'a', 'read line; printf "got <%s>\\n" "$line"; read line'));
    expect(await host.send(name('a'), 'żółw $(touch canary) \u001b[31m\u202e"quoted"\u0003')).toEqual({
      kind: 'delivered',
    });
    const screen = await eventually(
      () => host.screen(name('a')),
      (text) => text.includes('got'),
    );
    expect(screen).toContain('got <żółw $(touch canary) [31m"quoted">');
    expect(readdirSync(bench.work)).toEqual([]);
  });

  test.each([
    'two\nlines',
    '/clear',
    '  !rm -rf x',
    '#remember',
    '@file',
    'see @file',
    'a\ttab',
    'ends in \\',
    'long '.repeat(200),
  ])('a text that a program would act on is passed in a file: %#', async (text) => {
    const bench = makeBench();
    const host = bench.open();
    await host.start(inSh(bench, 'a', 'read line; printf %s "$line" > heard'));
    expect(await host.send(name('a'), text)).toEqual({ kind: 'delivered' });
    const path = join(bench.sessions, 'a', 'messages', '1.md');
    expect(await written(join(bench.work, 'heard'))).toBe(`Read ${path} and do what it says.`);
    expect(textOf(path)).toBe(text);
  });

  test('refuses a text that cannot be delivered, with a reason', async () => {
    const bench = makeBench();
    const host = bench.open();
    const whyNot = async (session: string, text: string): Promise<string> => {
      const delivery = await host.send(name(session), text);
      return delivery.kind === 'delivered' ? 'delivered' : delivery.why;
    };
    await host.start(inSh(bench, 'over', 'exit 0'));
    await eventually(() => lifeOf(host, 'over'), isOver);
    await host.start(inSh(bench, 'a', 'read line'));
    expect(await whyNot('never-started', 'x')).toMatch('There is no session "never-started".');
    expect(await whyNot('a', '\u001b\u0000\u200b\n')).toMatch('The text contains nothing that can be typed');
    expect(await whyNot('a', 'x'.repeat(100_001))).toMatch('the limit is 100000');
    expect(await whyNot('over', 'x')).toMatch(/^The program of "over"/);
    await host.stop(name('over'));
    expect(await whyNot('over', 'x')).not.toBe('delivered');
  });

  test('listeners are told of output and ends as they happen', async () => {
    const bench = makeBench();
    const host = bench.open();
    await host.start(inSh(bench, 'a', 'read line; echo "$line"; read line; exit 5'));
    const events: HostEvent[] = [];
    const watching = host.watch((one) => events.push(one));
    await host.start(inSh(bench, 'b', 'exit 6'));
    await host.send(name('a'), 'hello');
    await eventually(() => events, has('output', 'a'));
    await host.send(name('a'), 'end');
    await eventually(() => events, has('ended', 'a'));
    await eventually(() => events, has('ended', 'b'));
    expect(events.filter(({ kind }) => kind === 'ended')).toEqual(
      expect.arrayContaining([
        { kind: 'ended', session: 'a', life: { kind: 'ended', exitCode: 5, signal: null } },
        { kind: 'ended', session: 'b', life: { kind: 'ended', exitCode: 6, signal: null } },
      ]),
    );
    watching.close();
    const [session] = (await host.list()).filter((one) => one.session === 'a');
    expect(Math.abs((session?.lastOutput ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  test('listeners are told of sessions that another cadre started', async () => {
    const bench = makeBench();
    const [one, other] = [bench.open(), bench.open()];
    const events: HostEvent[] = [];
    one.watch((some) => events.push(some));
    await other.start(inSh(bench, 'a', 'while read line; do echo "$line"; done'));
    // The listening host may not know the session yet, so the program writes until it is noticed.
    await eventually(
      async () => {
        await other.send(name('a'), 'hello');
        return events;
      },
      has('output', 'a'),
    );
    await other.stop(name('a'));
    await eventually(() => events, has('ended', 'a'));
  });

  test('processes that a program left behind are stopped with it, even if it ended long ago', async () => {
    const bench = makeBench();
    const host = bench.open();
    await host.start(
      inSh(bench, 'a', 'trap "" HUP; setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo $! > left; exit 0'),
    );
    await eventually(() => lifeOf(host, 'a'), isOver);
    const left = Number(await written(join(bench.work, 'left')));
    expect(isLive(left)).toBe(true);
    await host.stop(name('a'));
    expect(isLive(left)).toBe(false);
  });

  test('a process that left its session and forgot its environment is stopped too, and one of a person is not', async () => {
    const bench = makeBench();
    const host = bench.open();
    const forgotten = 'env -i setsid -f sh -c "echo \\$\\$ >forgotten; exec sleep 1000" </dev/null >/dev/null 2>&1';
    await host.start(inSh(bench, 'a', `${forgotten}; exec sleep 1000`));
    await host.start(
      inSh(bench, 'b', 'setsid -f sh -c "echo \\$\\$ >other; exec sleep 1000" >/dev/null; exec sleep 1000'),
    );
    const [left, other] = [await written(join(bench.work, 'forgotten')), await written(join(bench.work, 'other'))];
    const mine = spawn('sleep', ['1000'], { cwd: bench.work, env: {} });
    onTestFinished(() => {
      for (const pid of [left, other]) killIfThere(Number(pid));
      mine.kill('SIGKILL');
    });
    await host.stop(name('a'));
    expect([left, other, `${mine.pid}`].map((pid) => isLive(Number(pid)))).toEqual([false, true, true]);
  });

  test('twenty switches in a row leave no process, terminal or open file behind', async () => {
    const bench = makeBench();
    const host = bench.open();
    const launch = (number: number): Launch => inPlace('p', inSh(bench, `s${number}`, 'read line'));
    await host.start(launch(0));
    const open = openFiles();
    for (let number = 1; number <= 20; number++) await host.start(launch(number));
    expect((await host.list()).map(({ session }) => session)).toEqual(['s20']);
    // The program, and without a terminal also its supervisor.
    const expected = host.kind === 'tmux' ? ['s20'] : ['s20', 's20'];
    const found = () => processesWith(`CADRE_SESSION_FOLDER=${bench.sessions}/`).map(sessionOf);
    await eventually(found, (sessions) => JSON.stringify(sessions) === JSON.stringify(expected));
    expect(openFiles()).toBeLessThanOrEqual(open);
  });

  test('thirty programs in a row that fail at once all report their exit code, and another session keeps running', async () => {
    const bench = makeBench();
    const host = bench.open();
    await host.start(inSh(bench, 'other', 'read line'));
    for (let number = 1; number <= 30; number++) {
      const session = `s${number}`;
      const output = 'no such program '.repeat(number % 2 === 0 ? 1 : 100);
      await host.start(inPlace('p', inSh(bench, session, `echo ${output}; exit 127`)));
      const life = await eventually(
        () => lifeOf(host, session),
        (found) => found?.kind !== 'running',
      );
      expect([session, life]).toEqual([session, { kind: 'ended', exitCode: 127, signal: null }]);
    }
    expect((await lifeOf(host, 'other'))?.kind).toBe('running');
  });

  test('refuses a folder whose path tmux or sh would misread, with a reason', async () => {
    const { kind } = makeBench().open();
    const open = (folder: string): Host =>
      kind === 'tmux' ? new TmuxHost({ server: name('never'), folder }) : new ProcessHost({ folder });
    for (const folder of ['/a#(x)', "/a'b", '/a"b', '/a;b', '/a$b', '/a\nb', '/a`b', '/a\\b', 'relative'])
      expect((await failureOf(() => open(folder))).message).toMatch(/^Sessions cannot be kept in/);
  });
}

interface Witnessed {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly pid: number;
}

function reportIn(bench: Bench): string {
  return join(bench.work, 'report');
}

async function witnessed(bench: Bench): Promise<Witnessed> {
  return JSON.parse(await written(reportIn(bench))) as Witnessed;
}

function isOver(life: { readonly kind: string } | undefined): boolean {
  return life?.kind === 'ended' || life?.kind === 'gone';
}

function has(kind: HostEvent['kind'], session: string): (events: readonly HostEvent[]) => boolean {
  return (events) => events.some((one) => one.kind === kind && one.session === session);
}

function openFiles(): number {
  return readdirSync('/proc/self/fd').length;
}

function sessionOf(pid: number): string | undefined {
  return /CADRE_SESSION=([^\0]*)/.exec(textOf(`/proc/${pid}/environ`))?.[1];
}
