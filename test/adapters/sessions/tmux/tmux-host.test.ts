// What only the tmux host can get wrong: keys, a server that dies or hangs, and a person's own use of tmux.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Delivery, Host, HostEvent } from '../../../../src/core/ports/host.ts';
import { sanitize } from '../../../../src/text/sanitize.ts';
import { randomFrom } from '../../../simulation/random.ts';
import {
  type Bench,
  inPlace,
  inSh,
  isLive,
  killIfThere,
  launchOf,
  lifeOf,
  name,
  processesWith,
  textOf,
  tmux,
  tmuxBench,
  written,
} from '../../../support/hosts.ts';
import { needing } from '../../../support/needs.ts';
import { temporaryFolder } from '../../../support/pieces.ts';
import { eventually } from '../../../support/repo.ts';

const A = name('a');

needing('tmux', () => {
  describe('keys', () => {
    test.each([
      ['bracketed', 2_000],
      ['plain', 200],
    ])(
      'sends any text as one paste and one Enter, or refuses it, to a program that takes %s pastes: %i hostile texts',
      async (mode, count) => {
        // Without waiting, Enter follows the paste as closely as possible.
        const bench = tmuxBench(undefined, false);
        const host = bench.open();
        const report = join(bench.sessions, 'received');
        await host.start(launchOf(bench, 'a', 'receiver.mjs', report, mode));
        await eventually(
          () => host.screen(A),
          (screen) => screen.includes('listening'),
        );
        const expected: string[] = [];
        for (const text of hostileTexts(count)) {
          const delivery = await host.send(A, text);
          if (delivery.kind === 'delivered') expected.push(text);
          else
            expect([sanitize(text).trim(), delivery.why]).toEqual([
              '',
              expect.stringMatching(/nothing that can be typed/),
            ]);
        }
        expect(expected.length).toBeGreaterThan(count / 2);
        const typed = await eventually(
          () => entered(readFileSync(report, 'utf8'), mode === 'bracketed'),
          (pastes) => pastes.length >= expected.length,
        );
        expect(typed.map((paste) => contentOf(bench, paste))).toEqual(expected.map(sanitize));
        expect(readdirSync(bench.work)).toEqual([]);
        expect(readdirSync(join(bench.sessions, 'a')).filter((file) => file.startsWith('.'))).toEqual([]);
        expect(tmux(bench.server, 'list-buffers')).toBe('');
      },
    );

    test('a text and Enter reach the program even if a person has scrolled back', async () => {
      const bench = tmuxBench();
      const host = bench.open();
      await host.start(inSh(bench, 'a', 'read line; printf %s "$line" > heard'));
      tmux(bench.server, 'copy-mode', '-t', '=a:');
      expect(await host.send(A, 'hello')).toEqual({ kind: 'delivered' });
      expect(await written(join(bench.work, 'heard'))).toBe('hello');
    });

    test('a terminal that a person has locked refuses the text with a reason', async () => {
      const bench = tmuxBench();
      const host = bench.open();
      await host.start(inSh(bench, 'a', 'read line'));
      tmux(bench.server, 'select-pane', '-d', '-t', '=a:');
      expect(whyNot(await host.send(A, 'hello'))).toBe('The terminal of "a" accepts no input; somebody has locked it.');
    });

    test('texts sent at the same time do not mix', async () => {
      const bench = tmuxBench();
      const host = bench.open();
      await host.start(inSh(bench, 'a', 'while read line; do echo "$line" >> heard; done'));
      const texts = Array.from({ length: 20 }, (_, number) => `text number ${number}`);
      await Promise.all(texts.map((text) => host.send(A, text)));
      const heard = await written(join(bench.work, 'heard'), (text) => text.split('\n').length > texts.length);
      expect(heard).toBe(`${texts.join('\n')}\n`);
    });

    test('a screen full of lines that look like tmux answers is shown unchanged', async () => {
      const bench = tmuxBench();
      const host = bench.open();
      const lines = ['%end 1 1 1', '%begin 1 2 1', '%error 1 2 1', '%exit', '%output %0 x', "it's #{pane_id}"];
      await host.start(inSh(bench, 'a', `cat <<'END'\n${lines.join('\n')}\nEND\nread line`));
      expect(
        await eventually(
          () => host.screen(A),
          (screen) => screen.split('\n').length >= lines.length,
        ),
      ).toBe(lines.join('\n'));
      expect((await lifeOf(host, 'a'))?.kind).toBe('running');
    });
  });

  describe('failures', () => {
    test('when the server is killed, every session is gone, both in the list and to listeners', async () => {
      const { bench, host, events } = await watched();
      tmux(bench.server, 'kill-server');
      await eventually(
        () => events.length,
        (count) => count === 2,
      );
      expect(events).toEqual([
        { kind: 'ended', session: 'a', life: { kind: 'gone' } },
        { kind: 'ended', session: 'b', life: { kind: 'gone' } },
      ]);
      expect((await host.list()).map(({ session, life }) => [session, life.kind])).toEqual([
        ['a', 'gone'],
        ['b', 'gone'],
      ]);
      expect((await bench.open().list()).map(({ life }) => life.kind)).toEqual(['gone', 'gone']);
      expect(whyNot(await host.send(A, 'hello'))).toBe('Session "a" has no terminal.');
      await host.stop(A);
      expect((await host.list()).map(({ session }) => session)).toEqual(['b']);
      await host.start(inSh(bench, 'c', 'read line'));
      expect((await lifeOf(host, 'c'))?.kind).toBe('running');
    });

    test('when a terminal is closed, its session is gone and the other one runs', async () => {
      const { bench, host, events } = await watched();
      tmux(bench.server, 'kill-pane', '-t', '=a:');
      await eventually(
        () => events.length,
        (count) => count === 1,
      );
      expect(events).toEqual([{ kind: 'ended', session: 'a', life: { kind: 'gone' } }]);
      expect((await host.list()).map(({ session, life }) => [session, life.kind])).toEqual([
        ['b', 'running'],
        ['a', 'gone'],
      ]);
    });

    test('when a program is killed, it has ended by that signal and the other one runs', async () => {
      const { host, events } = await watched();
      const life = await lifeOf(host, 'a');
      process.kill(life?.kind === 'running' ? life.pid : 0, 'SIGKILL');
      const ended = { kind: 'ended', exitCode: null, signal: 'SIGKILL' };
      expect(
        await eventually(
          () => lifeOf(host, 'a'),
          (now) => now?.kind !== 'running',
        ),
      ).toEqual(ended);
      await eventually(
        () => events.length,
        (count) => count === 1,
      );
      expect(events).toEqual([{ kind: 'ended', session: 'a', life: ended }]);
      expect((await lifeOf(host, 'b'))?.kind).toBe('running');
    });

    test('while the server does not answer, every session is unknown and none has ended; once it answers, they run', async () => {
      const { bench, host, events } = await watched(300);
      const server = Number(tmux(bench.server, 'display-message', '-p', '#{pid}'));
      process.kill(server, 'SIGSTOP');
      onTestFinished(() => killIfThere(server));
      expect((await host.list()).map(({ session, life }) => [session, life.kind])).toEqual([
        ['a', 'unknown'],
        ['b', 'unknown'],
      ]);
      expect((await host.send(A, 'hello')).kind).toBe('not-delivered');
      await expect(host.stop(A)).rejects.toThrow('is not answering');
      // Another cadre tries, gives up and disconnects.
      const other = bench.open();
      expect((await other.list()).map(({ life }) => life.kind)).toEqual(['unknown', 'unknown']);
      other.close();
      process.kill(server, 'SIGCONT');
      const lives = async (): Promise<string> => (await host.list()).map(({ life }) => life.kind).join(' ');
      expect(await eventually(lives, (kinds) => kinds === 'running running')).toBe('running running');
      expect(events).toEqual([]);
    });

    test('processes that start at the same moment share one server, which survives', async () => {
      const bench = tmuxBench();
      const hosts = Array.from({ length: 6 }, () => bench.open());
      await Promise.all(hosts.map((host, number) => host.start(inSh(bench, `s${number}`, 'read line'))));
      const more = Array.from({ length: 6 }, () => bench.open());
      await Promise.all([
        ...more.map((host) => host.list()),
        ...hosts.map((host, number) => host.start(inSh(bench, `t${number}`, 'read line'))),
      ]);
      for (const host of [...hosts, ...more])
        expect((await host.list()).filter(({ life }) => life.kind === 'running')).toHaveLength(12);
    });

    test('processes that connect and disconnect continuously do not crash the server', async () => {
      const bench = tmuxBench();
      await bench.open().start(inSh(bench, 'a', 'read line'));
      const connectRepeatedly = async (): Promise<void> => {
        for (let round = 0; round < 15; round++) {
          const host = bench.open();
          expect((await lifeOf(host, 'a'))?.kind).toBe('running');
          host.close();
        }
      };
      await Promise.all([connectRepeatedly(), connectRepeatedly(), connectRepeatedly()]);
    });

    test('a program that closes its terminal and continues is running', async () => {
      const bench = tmuxBench();
      const host = bench.open();
      await host.start(
        inSh(bench, 'a', 'trap "" HUP; exec </dev/null >/dev/null 2>&1; echo closed > report; sleep 1000'),
      );
      await written(join(bench.work, 'report'));
      await eventually(
        () => tmux(bench.server, 'display-message', '-p', '-t', '=a:', '#{pane_dead}'),
        (dead) => dead === '1\n',
      );
      expect((await lifeOf(host, 'a'))?.kind).toBe('running');
      await host.stop(A);
      expect(processesWith(`CADRE_SESSION_FOLDER=${join(bench.sessions, 'a')}`)).toEqual([]);
    });

    test('the server ends with the last session, and the next session starts another', async () => {
      const bench = tmuxBench();
      const host = bench.open();
      for (const session of ['a', 'b', 'a2']) await host.start(inSh(bench, session, 'read line'));
      const server = Number(tmux(bench.server, 'display-message', '-p', '#{pid}'));
      for (const session of ['a', 'b', 'a2']) await host.stop(name(session));
      await eventually(
        () => isLive(server),
        (live) => !live,
      );
      expect(await host.list()).toEqual([]);
      await host.start(inSh(bench, 'again', 'read line'));
      expect((await lifeOf(host, 'again'))?.kind).toBe('running');
    });
  });

  describe('a person who uses tmux', () => {
    test('a closed hub is rebuilt, and sessions are reported again', async () => {
      const { bench, host, events } = await watched();
      tmux(bench.server, 'kill-session', '-t', '=+hub');
      await eventually(
        () => host.list(),
        (sessions) => sessions.every(({ life }) => life.kind === 'running'),
      );
      await host.send(A, 'end');
      await eventually(
        () => events.length,
        (count) => count === 1,
      );
      expect(events).toMatchObject([{ kind: 'ended', session: 'a', life: { exitCode: 0 } }]);
    });

    test('a tmux session that a person created is not listed, and makes room if it has the name of a place', async () => {
      const bench = tmuxBench();
      const host = bench.open();
      await host.start(inSh(bench, 'a', 'read line'));
      tmux(bench.server, 'split-window', '-t', '=a:', 'sleep 1000');
      tmux(bench.server, 'new-session', '-d', '-s', 'b', 'sleep 1000');
      tmux(bench.server, 'new-session', '-d', '-s', '0', 'sleep 1000');
      tmux(bench.server, 'link-window', '-s', '=a:', '-t', '=0:');
      expect((await host.list()).map(({ session, place }) => [session, place])).toEqual([['a', 'a']]);
      await host.start(inSh(bench, 'b', 'read line'));
      expect((await host.list()).map(({ session, life }) => [session, life.kind])).toEqual([
        ['a', 'running'],
        ['b', 'running'],
      ]);
    });

    test('a person who is attached to a place sees its next program there, and only that', async () => {
      const bench = tmuxBench();
      const host = bench.open();
      const inPlaceA = (): string =>
        tmux(bench.server, 'list-panes', '-s', '-t', '=a', '-F', '#{session_id} #{pane_pid}');
      await host.start(inSh(bench, 'a', 'echo first; read line'));
      const [first] = inPlaceA().split(' ');
      await host.start(inPlace('a', inSh(bench, 'b', 'echo second; read line')));
      expect(inPlaceA()).toMatch(new RegExp(`^\\${first} \\d+\n$`));
      await eventually(
        () => tmux(bench.server, 'capture-pane', '-p', '-t', '=a:').trim(),
        (screen) => screen === 'second',
      );
    });

    test('a terminal that a person has moved to another tmux session makes room for the next program', async () => {
      const bench = tmuxBench();
      const host = bench.open();
      await host.start(inSh(bench, 'a', 'read line'));
      tmux(bench.server, 'new-session', '-d', '-s', 'theirs', 'sleep 1000');
      tmux(bench.server, 'move-window', '-s', '=a:', '-t', '=theirs:');
      await host.start(inPlace('a', inSh(bench, 'b', 'read line')));
      expect((await host.list()).map(({ session, place, life }) => [session, place, life.kind])).toEqual([
        ['b', 'a', 'running'],
      ]);
    });

    test("a person's own tmux with the same names is not touched, and can show a session", async () => {
      const bench = tmuxBench();
      const host = bench.open();
      const theirs = personsTmux();
      const before = theirs('list-panes', '-a', '-F', '#{session_name} #{pane_pid} #{history_limit} #{@theirs}');
      expect(before).toMatch(/^a \d+ 777 yes\nab \d+ 777 yes\n$/);
      await host.start(inSh(bench, 'a', 'echo seen from inside; read line'));
      theirs('new-window', '-d', '-t', '=ab:', '-n', 'look', ...(host.attach(A) ?? []));
      await eventually(
        () => theirs('capture-pane', '-p', '-t', '=ab:look'),
        (screen) => screen.includes('seen from inside'),
      );
      theirs('kill-window', '-t', '=ab:look');
      expect((await lifeOf(host, 'a'))?.kind).toBe('running');
      await host.stop(A);
      expect(theirs('list-panes', '-a', '-F', '#{session_name} #{pane_pid} #{history_limit} #{@theirs}')).toBe(before);
    });
  });
});

/** Two sessions, and every event about their ends. */
async function watched(timeout?: number): Promise<{ bench: Bench; host: Host; events: HostEvent[] }> {
  const bench = tmuxBench(timeout);
  const host = bench.open();
  const events: HostEvent[] = [];
  for (const session of ['a', 'b']) await host.start(inSh(bench, session, 'read line'));
  host.watch((one) => {
    if (one.kind === 'ended') events.push(one);
  });
  // Watching starts with a look, and answers come in the order of the questions.
  await host.list();
  await host.list();
  return { bench, host, events };
}

function personsTmux(): (...argv: string[]) => string {
  const folder = temporaryFolder();
  const config = join(folder, 'tmux.conf');
  writeFileSync(config, 'set -g history-limit 777\nset -g @theirs yes\nset -g exit-empty off\n');
  const { TMUX: _, ...env } = process.env;
  const theirs = (...argv: string[]): string =>
    spawnSync('tmux', ['-f', config, ...argv], { env: { ...env, TMUX_TMPDIR: folder }, encoding: 'utf8' }).stdout;
  onTestFinished(() => void theirs('kill-server'));
  for (const session of ['a', 'ab']) theirs('new-session', '-d', '-s', session, 'sleep', '1000');
  return theirs;
}

const FRAGMENTS = [
  ...['plain words', ' ', 'żółw', '漢字', '🐢', 'e\u0301', 'ends here\\', 'x'.repeat(300), 'x'.repeat(3_000)],
  ...['\n', '\r\n', '\r', '\t', '\u0003', '\u0004', '\u001a', '\u001c', '\u0011\u0013', '\u007f', '\0', '\b\b\b'],
  ...['\u001b[201~', '\u001b[200~', '\u001b', '\u001bOM', '\u009b201~', '\u001b]0;title\u0007', '\u001bPx\u001b\\'],
  ...['\u202e', '\u2066', '\u200b', '\ufeff', '\u{e0041}', '\u{e0101}', '\ud800', '\udc00', '\u2028', '\u0085'],
  ...['$(touch canary)', '`touch canary`', '#(touch canary)', '; touch canary ;', "' ; touch canary ; '", '" touch "'],
  ...['#{pane_id}', '%1', '=a:', '%end 1 1 1', '%exit', 'Enter', 'C-c', '-t', '--', '~/x', '*'],
  ...['/clear', '!touch canary', '#remember', '@file', '?', '&'],
];

function hostileTexts(count: number): readonly string[] {
  const random = randomFrom(7);
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + random.below(5) }, () => random.pick(FRAGMENTS)).join(''),
  );
}

/** What was typed, split at each Enter. Only whole pastes may precede an Enter. */
function entered(bytes: string, isBracketed: boolean): readonly string[] {
  const pieces = bytes.split('\r');
  expect(pieces.pop(), 'what was typed ends in Enter').toMatch(/^/);
  return isBracketed ? pieces.map(insideOfPaste) : pieces;
}

function insideOfPaste(piece: string): string {
  return /^\u001b\[200~([^\u001b]*)\u001b\[201~$/.exec(piece)?.[1] ?? `not one paste: ${JSON.stringify(piece)}`;
}

/** The line itself, or the content of the file that it names. */
function contentOf(bench: Bench, line: string): string {
  const path = /^Read (.*?)(?: in full, .*,)? and do what it says\.$/.exec(line)?.[1];
  return path?.startsWith(bench.sessions) ? textOf(path) : line;
}

function whyNot(delivery: Delivery): string {
  return delivery.kind === 'delivered' ? 'delivered' : delivery.why;
}
