// A session that a person starts behind a wall, in a terminal: typing, pasting, resizing, pausing and resuming work as without.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { killServer, textOf } from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { eventually } from '../support/repo.ts';
import { inSh, program, type SessionRepo, sessionRepo } from '../support/session-repo.ts';

function walledRepo(host: 'tmux' | 'process'): SessionRepo {
  const repo = sessionRepo(host);
  mkdirSync(join(repo.outside, 'exchange'));
  mkdirSync(repo.home, { recursive: true });
  const sandbox = { agents: 'required', write: [join(repo.outside, 'exchange')], read: [resolve('test/support')] };
  writeFileSync(join(repo.home, 'config.json'), JSON.stringify({ sandbox }));
  return repo;
}

const sharedIn = (repo: SessionRepo, name: string): string => textOf(join(repo.outside, 'exchange', name));

needing('bubblewrap', () => {
  needing('tmux', () => {
    test('a person who attaches types into the program, and it learns the size of the terminal', async () => {
      const repo = walledRepo('tmux');
      const heard = join(repo.outside, 'exchange', 'heard');
      const listening = `trap 'stty size >>${heard}' WINCH; echo ready >>${heard}; while :; do read -r line && echo "<$line>" >>${heard}; done`;
      await repo.view('new', '--title', 'typing', '-p', inSh(listening));
      await eventually(
        () => sharedIn(repo, 'heard'),
        (text) => text.includes('ready'),
      );
      const { attach } = repo.json('session', 'attach', 's1') as { attach: readonly string[] };
      const terminal = `${repo.server}-person`;
      onTestFinished(() => killServer(terminal));
      const tmux = (...argv: readonly string[]): string =>
        execFileSync('tmux', ['-L', terminal, ...argv], { env: repo.env, encoding: 'utf8' });
      tmux('-f', '/dev/null', 'new-session', '-d', '-x', '90', '-y', '31', ...attach);
      await eventually(
        () => sharedIn(repo, 'heard'),
        (text) => /^\d+ 90$/m.test(text),
      );
      tmux('send-keys', '-t', ':', 'hello wall', 'Enter');
      await eventually(
        () => sharedIn(repo, 'heard'),
        (text) => text.includes('<hello wall>'),
      );
      tmux('resize-window', '-t', ':', '-x', '77', '-y', '20');
      await eventually(
        () => sharedIn(repo, 'heard'),
        (text) => /^\d+ 77$/m.test(text),
      );
      await repo.view('stop', 's1');
    });
  });

  test.each(['tmux', 'process'] as const)('a long text that is sent arrives unchanged (%s)', async (host) => {
    const repo = walledRepo(host);
    const report = join(repo.outside, 'exchange', 'clerk');
    await repo.view('new', '--title', 'clerk', '-p', program('clerk.mjs', report));
    await eventually(
      () => textOf(report),
      (text) => text.includes('\n'),
    );
    const text = `${'ä long text with "quotes" and $dollars. '.repeat(200)}end`;
    await repo.view('send', 's1', text);
    await eventually(
      () => textOf(report),
      (heard) => heard.split('\n').length > 2,
    );
    const [, line = ''] = textOf(report).split('\n');
    const [, path] = /(\/\S+\.md)/.exec(line) ?? [];
    expect(path === undefined ? line : textOf(path)).toContain(text);
    await repo.view('stop', 's1');
  });

  test('what it has committed and what it has not is kept when it is paused, and there when it is resumed', async () => {
    const repo = walledRepo('process');
    const script =
      'ls >"$HOME/exchange/seen"; [ -e one ] || { echo 1 >one; git add one; git commit -qm one; echo 2 >two; touch "$HOME/exchange/done"; }; sleep 1000';
    repo.git('config', 'user.name', 'a person');
    repo.git('config', 'user.email', 'person@localhost');
    const { branch } = await repo.view('new', '--title', 'work', '-p', inSh(script));
    await eventually(
      () => execFileSync('ls', [join(repo.outside, 'exchange')], { encoding: 'utf8' }),
      (names) => names.includes('done'),
    );
    await repo.view('pause', 's1');
    expect(repo.git('log', '--format=%s %an', branch).split('\n').slice(0, 2)).toEqual([
      expect.stringContaining('cadre: work of s1'),
      'one a person',
    ]);
    expect(repo.git('show', `${branch}:two`)).toBe('2\n');
    await repo.view('resume', 's1');
    await eventually(
      () => sharedIn(repo, 'seen'),
      (names) => /one\ntwo/.test(names),
    );
  });
});
