// What a person sees of an agent's activity: reported by its program, read from its screen, or neither.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SessionView } from '../../src/core/views/session.ts';
import { eventually } from '../support/repo.ts';
import { inSh, type SessionRepo, sessionRepo } from '../support/session-repo.ts';

const AGENT = resolve(process.env.CADRE_DIST ?? 'dist', 'scripted-agent.js');

/** The scripted agent, and a program named claude that calls the hooks in its settings as Claude Code does. */
function withAgents(repo: SessionRepo): void {
  const bin = join(repo.outside, 'bin');
  mkdirSync(bin);
  symlinkSync(AGENT, join(bin, 'cadre-scripted-agent'));
  writeFileSync(join(bin, 'claude'), CLAUDE);
  chmodSync(join(bin, 'claude'), 0o755);
  repo.env.PATH = `${bin}:${repo.env.PATH}`;
}

const CLAUDE = `#!/usr/bin/env node
const { readFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const settings = JSON.parse(readFileSync(process.argv[process.argv.indexOf('--settings') + 1], 'utf8'));
const call = (name, more) =>
  spawnSync('sh', ['-c', settings.hooks[name][0].hooks[0].command], {
    input: JSON.stringify({ hook_event_name: name, ...more }),
  });
call('SessionStart', { source: 'startup' });
const { status, stdout } = call('Stop', { last_assistant_message: 'I have \\u001b[31mfinished' });
console.log('hook', status, stdout.length);
setInterval(() => undefined, 1000);
`;

function script(...lines: readonly string[]): string {
  return ['```script', ...lines, '```'].join('\n');
}

async function seen(repo: SessionRepo, id: string, doing: string): Promise<SessionView> {
  const view = await eventually(
    () => repo.sessions().find(({ session }) => session === id),
    (found) => found?.activity?.doing === doing,
  );
  return view as SessionView;
}

describe.each(['tmux', 'process'] as const)('in %s', (host) => {
  test('the report of a program is shown as such', async () => {
    const repo = sessionRepo(host);
    withAgents(repo);
    const finished = await repo.view(
      'new',
      '-p',
      'cadre-scripted-agent',
      script('say working', 'report turn-finished', 'hang'),
    );
    expect(await seen(repo, finished.session, 'waits')).toMatchObject({ state: 'running', source: 'hook' });
    const asking = await repo.view(
      'new',
      '-p',
      'cadre-scripted-agent',
      script('report asks: May I delete everything?', 'hang'),
    );
    const { session } = asking;
    const view = await seen(repo, session, 'asks-permission');
    expect(view).toMatchObject({
      sentence: 'Asks for permission: May I delete everything?',
      commands: [`cadre session attach ${session}`],
    });
    // It is shown even without asking for details.
    expect(repo.cadre('status').stdout).toContain(
      `${session}: ${view.sentence}\n  try: cadre session attach ${session}\n`,
    );
    expect(repo.cadre('status', '--explain').stdout).toContain(`${view.sentence} (source: hook)`);
  });

  test('the hooks in the settings of a program print nothing and never stop it', async () => {
    const repo = sessionRepo(host);
    withAgents(repo);
    const { session } = await repo.view('new', '-p', 'claude', 'Work');
    expect(await seen(repo, session, 'waits')).toMatchObject({ source: 'hook' });
    await eventually(
      () => repo.cadre('session', 'screen', session).stdout,
      (screen) => screen.includes('hook 0 0'),
    );
  });

  test('without reports the activity is read from the screen, or from the output', async () => {
    const repo = sessionRepo(host);
    withAgents(repo);
    const asks = await repo.view('new', '-p', 'cadre-scripted-agent', script('asks Which colour?', 'hang'));
    expect(await seen(repo, asks.session, 'asks-permission')).toMatchObject({ source: 'screen' });
    const writes = await repo.view('new', '-p', inSh('while sleep 0.2; do echo more; done'));
    expect(await seen(repo, writes.session, 'works')).toMatchObject({ source: 'output' });
  });
});

test('nothing is sent to a program that is asking something, because Enter would answer it', async () => {
  const repo = sessionRepo('tmux');
  withAgents(repo);
  const { session } = await repo.view('new', '-p', 'cadre-scripted-agent', script('asks May I?', 'read-line', 'hang'));
  await seen(repo, session, 'asks-permission');
  const ran = await repo.session('send', session, 'Go on');
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toBe(
    `Not delivered to ${session}: It is asking something, and Enter would answer it: May I? Answer it in its terminal, then send the text again.\n  try: cadre session attach ${session}\n`,
  );
  expect(repo.cadre('session', 'screen', session).stdout).not.toContain('received');
});

describe('a hook', () => {
  test.each<[string, readonly string[], string]>([
    ['of an unknown session', ['s77', 'turn-finished'], 'There is no session "s77".'],
    ['of another session', ['s1', 'turn-finished'], 'Only the program of s1 may report for it.'],
  ])('%s fails with a message, and not with the exit code that some programs obey', async (_, argv, sentence) => {
    const repo = sessionRepo('process');
    await repo.view('new', '-p', inSh('sleep 60'));
    const ran = repo.cadreWith({ env: { CADRE_SESSION: 's2', CADRE_ROLE: 'implementer' } }, 'hook', ...argv);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(sentence);
  });

  test.each(['', '{', '[]', '{"hook_event_name":"Stop"', '\0', 'x'.repeat(1_000_000)])(
    'with invalid input changes nothing (%#)',
    async (input) => {
      const repo = sessionRepo('process');
      withAgents(repo);
      const { session } = await repo.view('new', '-p', 'claude', 'Work');
      await seen(repo, session, 'waits');
      const ran = repo.cadreWith({ env: { CADRE_SESSION: session, CADRE_ROLE: 'unknown' }, input }, 'hook', session);
      expect([0, 1]).toContain(ran.code);
      expect(ran.stdout).toBe('');
      expect(repo.sessions()[0]?.activity?.doing).toBe('waits');
    },
  );
});
