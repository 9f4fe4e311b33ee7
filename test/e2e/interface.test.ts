// The terminal interface as a person uses it: in a real terminal, key by key, with real agents and a real engine.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { quoteForShell } from '../../src/text/shell.ts';
import { killServer, tmux } from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { implementing, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';
import { eventually, MAIN } from '../support/repo.ts';

/** The worktree of a run is this deep below the folder of the test. */
const OUTSIDE = '../../../../../..';

needing('tmux', () => {
  test('a plan is run, watched, attached to, answered and done; quitting restores the terminal, and the next start shows it again', async () => {
    const repo = planRepo({
      host: 'tmux',
      plan: tasksOf([
        `role implementer\nsay I am at it\nwait-for ${OUTSIDE}/go\n${implementing('one.txt')}`,
        `role implementer\nask By name or by size?\nturn 2\n${implementing('two.txt')}`,
      ]),
    });
    const person = personIn(repo);
    person.starts();
    await person.sees('build-it.md', 'not registered');
    person.types('r');
    await person.sees('implementing 0/2', 'T1: Part 1', 't1-a1');
    person.types('G', 'k');
    await person.sees('[Preview]', 'I am at it');
    person.types('Enter');
    await person.seesNo('[Preview]');
    await person.sees('I am at it');
    person.types('C-q');
    await person.sees('[Preview]', 'I am at it');
    repo.go('go');
    await person.sees('question', 'needs you: a');
    person.types('a');
    await person.sees('By name or by size?', 'answer>');
    person.types('By name', 'Enter');
    await person.sees('done 2/2');
    expect(person.isOnAlternateScreen()).toBe(true);
    person.types('q');
    await person.sees('EXIT 0');
    expect(person.isOnAlternateScreen()).toBe(false);
    person.starts();
    await person.sees('done 2/2', 'T2: Part 2');
    const { decisions } = repo.task('2');
    expect(decisions?.map(({ text }) => text)).toEqual(['By name']);
  });

  test('a signal that ends it restores the terminal', async () => {
    const repo = planRepo({ host: 'tmux' });
    const person = personIn(repo);
    person.starts();
    await person.sees('No plans and no sessions here yet.');
    person.ends('TERM');
    await person.sees('EXIT 0');
    expect(person.isOnAlternateScreen()).toBe(false);
  });
});

test('without a terminal, cadre shows its help', () => {
  const repo = planRepo();
  expect(repo.cadre()).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: cadre <command>') });
});

/** A person at a terminal of 120 columns and 40 rows. */
function personIn(repo: PlanRepo) {
  const server = `cadre-person-${randomBytes(4).toString('hex')}`;
  onTestFinished(() => killServer(server));
  const env = Object.entries(repo.env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const shell = ['env', '-i', ...env, 'TERM=tmux-256color', 'sh'];
  const size = ['-x', '120', '-y', '40'];
  const { stderr } = spawnSync(
    'tmux',
    ['-L', server, '-f', '/dev/null', 'new-session', '-d', '-s', 'person', ...size, '-c', repo.root, ...shell],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  const screen = (): string => tmux(server, 'capture-pane', '-p', '-t', 'person');
  return {
    starts: () => {
      tmux(
        server,
        'send-keys',
        '-t',
        'person',
        '-l',
        `clear; ${quoteForShell([process.execPath, MAIN])}; echo "EXIT $?"`,
      );
      tmux(server, 'send-keys', '-t', 'person', 'Enter');
    },
    types(...keys: readonly string[]) {
      for (const key of keys) tmux(server, 'send-keys', '-t', 'person', key);
    },
    sees: (...texts: readonly string[]) =>
      eventually(screen, (shown) => texts.every((text) => shown.includes(text)), 60_000),
    seesNo: (text: string) => eventually(screen, (shown) => !shown.includes(text), 60_000),
    isOnAlternateScreen: () => tmux(server, 'display-message', '-p', '-t', 'person', '#{alternate_on}').trim() === '1',
    ends(signal: string) {
      const parent = tmux(server, 'display-message', '-p', '-t', 'person', '#{pane_pid}').trim();
      spawnSync('pkill', [`-${signal}`, '-P', parent]);
    },
  };
}
