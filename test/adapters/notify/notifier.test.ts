// Notifications through other programs: on the desktop, and to a command of the person's.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DESKTOP_PROGRAMS } from '../../../src/adapters/notify/desktop.ts';
import { notifier } from '../../../src/adapters/notify/notifier.ts';
import type { Channels, Delivery, Notification } from '../../../src/core/ports/notify.ts';
import type { PlanFile } from '../../../src/plan/name.ts';
import { notificationInput } from '../../../src/surfaces/cli/text/notification-json.ts';
import { processesWith, textOf } from '../../support/hosts.ts';
import { temporaryFolder } from '../../support/pieces.ts';

const ASKED: Notification = {
  id: 'search.md#2 question 7',
  kind: 'question',
  plan: 'search.md' as PlanFile,
  task: '2',
  session: null,
  title: 'search#2 needs an answer',
  text: 'Question: "red" or\n<b>blue</b> & \\n $(rm -rf ~)?',
  actions: [{ do: 'answer', on: 'search#2' }],
};

interface Bench {
  readonly folder: string;
  send(channels: Partial<Channels>): Promise<readonly Delivery[]>;
  /** Installs a program that notes its arguments in the file "called", one on each line. */
  install(program: string, exitCode?: number): void;
  called(): readonly string[];
}

function bench(env: NodeJS.ProcessEnv = {}, patience = 60_000): Bench {
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const all = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, ...env };
  const json = (notification: Notification): string => notificationInput(notification, '/repo');
  const { send } = notifier({ env: all, cwd: folder, json, patience });
  return {
    folder,
    send: (channels) => send(ASKED, { desktop: 'off', command: [], ...channels }),
    install(program, exitCode = 0) {
      const path = join(bin, program);
      writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$0" "$@" >"$HOME/called"\nexit ${exitCode}\n`);
      chmodSync(path, 0o755);
    },
    called: () => textOf(join(folder, 'called')).split('\n').slice(1, -1),
  };
}

function resultOf(deliveries: readonly Delivery[], channel: Delivery['channel']): string | undefined {
  return deliveries.find((one) => one.channel === channel)?.result;
}

const sentences = (deliveries: readonly Delivery[]): readonly string[] =>
  deliveries.flatMap(({ result, sentence }) => (result === 'failed' ? [sentence] : []));

describe('the command', () => {
  test('gets the notification as one line of JSON on its standard input', async () => {
    const { folder, send } = bench();
    const deliveries = await send({ command: ['sh', '-c', 'cat >"$0"', join(folder, 'heard')] });
    expect(resultOf(deliveries, 'command')).toBe('sent');
    const heard = readFileSync(join(folder, 'heard'), 'utf8');
    expect(heard).toMatch(/^[^\n]+\n$/);
    const { actions: _actions, ...fields } = ASKED;
    expect(JSON.parse(heard)).toEqual({
      version: 1,
      ...fields,
      repo: '/repo',
      commands: ['cadre answer search#2 "..."'],
    });
  });

  test('is started without a shell, in the folder of the settings, with a clean environment', async () => {
    const env = { ANTHROPIC_API_KEY: 'secret', CADRE_SESSION: 's1', DISPLAY: ':7', CADRE_HOME: '/home/me/.cadre' };
    const { folder, send } = bench(env);
    writeFileSync(join(folder, 'hook'), '#!/bin/sh\nenv >env\nprintf "%s\\n" "$@" >words\n');
    chmodSync(join(folder, 'hook'), 0o755);
    expect(resultOf(await send({ command: ['./hook', '$HOME; echo', '`id`'] }), 'command')).toBe('sent');
    expect(textOf(join(folder, 'words'))).toBe('$HOME; echo\n`id`\n');
    const names = textOf(join(folder, 'env'))
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names).toEqual(expect.arrayContaining(['PATH', 'HOME', 'DISPLAY', 'CADRE_HOME']));
    expect(names).not.toEqual(expect.arrayContaining(['ANTHROPIC_API_KEY']));
    expect(names).not.toEqual(expect.arrayContaining(['CADRE_SESSION']));
  });

  test.each<[string, readonly string[], string]>([
    ['is missing', ['no-such-hook'], '(no-such-hook) could not be started: no-such-hook: not found.'],
    ['fails', ['sh', '-c', 'echo "no \u001b[31mnetwork" >&2; exit 3'], 'exited with 3: no \\u{1b}[31mnetwork'],
    ['is killed', ['sh', '-c', 'kill -9 $$'], 'was killed by SIGKILL.'],
    ['reads nothing and fails', ['false'], '(false) exited with 1.'],
  ])('that %s is a problem in words', async (_what, command, words) => {
    const deliveries = await bench().send({ command });
    expect(sentences(deliveries)).toEqual([expect.stringContaining(words)]);
  });

  test('that hangs is stopped after a while, with everything it started', async () => {
    const mark = `notify-${process.pid}`;
    const deliveries = await bench({}, 300).send({
      command: ['env', `CADRE_TEST_MARK=${mark}`, 'sh', '-c', 'sleep 600 & wait'],
    });
    expect(sentences(deliveries)).toEqual([expect.stringContaining('took longer than 0.3 s and was stopped.')]);
    expect(processesWith(`CADRE_TEST_MARK=${mark}`)).toEqual([]);
  });

  test('may leave something running in the background that nobody waits for', async () => {
    const { folder, send } = bench();
    const mark = `CADRE_TEST_MARK=background-${process.pid}`;
    // It also ends with the folder, which is removed after the test, or after one that was killed.
    const waits = 'while [ -d "$0" ] && [ ! -e "$0/go" ]; do sleep 0.05; done';
    const background = `${mark} sh -c '${waits}' "${folder}" &`;
    expect(resultOf(await send({ command: ['sh', '-c', background] }), 'command')).toBe('sent');
    expect(processesWith(mark)).not.toEqual([]);
    writeFileSync(join(folder, 'go'), '');
    await expect.poll(() => processesWith(mark)).toEqual([]);
  });

  test('that writes without an end to its output does not fill the memory', async () => {
    const before = process.memoryUsage().rss;
    const deliveries = await bench({}, 500).send({ command: ['sh', '-c', 'yes & exec yes >&2'] });
    expect(resultOf(deliveries, 'command')).toBe('failed');
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });
});

describe('the desktop', () => {
  test('shows it with the program that is installed', async () => {
    const { send, install, called } = bench({ DISPLAY: ':7' });
    install('notify-send');
    expect(resultOf(await send({ desktop: 'auto' }), 'desktop')).toBe('sent');
    expect(called().slice(0, 3)).toEqual(['--app-name=cadre', '--', 'cadre: search#2 needs an answer']);
    // Neither markup nor an escape of the agent's reaches the desktop, and it is one line.
    expect(called()[3]).toBe('Question: "red" or &lt;b&gt;blue&lt;/b&gt; &amp; \\\\n $(rm -rf ~)?');
    expect(called()).toHaveLength(4);
  });

  test('prefers the program of the system', async () => {
    const { send, install, called } = bench({ DISPLAY: ':7' });
    install('notify-send');
    install('osascript');
    await send({ desktop: 'auto' });
    expect(called().at(-3)).toBe('--');
  });

  test.each<[string, NodeJS.ProcessEnv, boolean]>([
    ['without a program', { DISPLAY: ':7' }, false],
    ['without a desktop', {}, true],
  ])('%s stays silent, and fails only if it is wanted', async (_what, env, installed) => {
    const { send, install, called } = bench(env);
    if (installed) install('notify-send');
    expect(resultOf(await send({ desktop: 'auto' }), 'desktop')).toBe('missing');
    expect(sentences(await send({ desktop: 'on' }))).toHaveLength(1);
    expect(called()).toEqual([]);
  });

  test('can be turned off', async () => {
    const { send, install, called } = bench({ DISPLAY: ':7' });
    install('notify-send');
    expect(resultOf(await send({ desktop: 'off' }), 'desktop')).toBe('off');
    expect(called()).toEqual([]);
  });

  test('that cannot show it is a problem in words', async () => {
    const { send, install } = bench({ DISPLAY: ':7' });
    install('notify-send', 1);
    expect(sentences(await send({ desktop: 'auto' }))).toEqual([
      'Nothing was shown on the desktop: notify-send exited with 1.',
    ]);
  });

  test.each(DESKTOP_PROGRAMS.map((one) => [one.program, one] as const))(
    '%s gets every text as one argument that it cannot mistake for an option or a script',
    (_name, { argv }) => {
      for (const hostile of ['-e', '--', '-execute', '" & (do shell script "id") & "', '[x', '\\', "'; id; '"]) {
        const words = argv('cadre: title', hostile);
        const fixed = argv('cadre: title', 'text');
        expect(words).toHaveLength(fixed.length);
        // All that differs is the text, which is the last word and comes after "--" or cannot start an option.
        expect(words.slice(0, -1)).toEqual(fixed.slice(0, -1));
        expect(words.includes('--') || !words.at(-1)?.startsWith('-')).toBe(true);
      }
    },
  );
});
