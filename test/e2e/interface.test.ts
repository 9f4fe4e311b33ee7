// The terminal interface as a person uses it: in a real terminal, key by key, with real agents and a real engine.
import { expect, test } from 'vitest';
import { needing } from '../support/needs.ts';
import { personIn } from '../support/person.ts';
import { implementing, planRepo, tasksOf } from '../support/plan-runs.ts';

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

  test.each(['TERM', 'HUP', 'INT', 'QUIT', 'ABRT', 'USR2', 'ALRM', 'XCPU'])(
    'SIG%s ends it, and the terminal is as it was',
    async (signal) => {
      const person = personIn(planRepo({ host: 'tmux' }));
      person.starts();
      await person.sees('No plans and no sessions here yet.');
      expect([person.isOnAlternateScreen(), person.isCooked()]).toEqual([true, false]);
      person.ends(signal);
      await person.sees('EXIT');
      expect([person.isOnAlternateScreen(), person.isCooked()]).toEqual([false, true]);
    },
  );

  test('a terminal that cannot be drawn on gets the help, and one without UTF-8 a screen in ASCII', async () => {
    const repo = planRepo({ host: 'tmux' });
    const dumb = personIn(repo, { env: { TERM: 'dumb' } });
    dumb.starts();
    await dumb.sees('Usage: cadre <command>', 'EXIT 0');
    const plain = personIn(repo, { env: { LC_ALL: 'C' } });
    plain.starts();
    await plain.sees('No plans and no sessions here yet.', '+-1 Needs you----+');
    expect(plain.screen()).toMatch(/^[\x20-\x7e\n]*$/);
  });

  test('Ctrl-Z gives the shell back, and fg the interface', async () => {
    const person = personIn(planRepo({ host: 'tmux' }));
    person.runs('set -m');
    person.starts();
    await person.sees('No plans and no sessions here yet.');
    person.types('C-z');
    await person.sees('Stopped');
    expect([person.isOnAlternateScreen(), person.isCooked()]).toEqual([false, true]);
    person.runs('fg');
    await person.sees('No plans and no sessions here yet.');
    person.types('?');
    await person.sees('─Keys─');
  });

  test('an engine that is killed is replaced by the window, and quitting hands over while something is built', async () => {
    const repo = planRepo({ host: 'tmux', plan: tasksOf([`role implementer\nsay I am at it\nhang`]) });
    const person = personIn(repo);
    expect(repo.cadre('engine', 'start')).toMatchObject({ code: 0 });
    person.starts();
    await person.sees('engine: background');
    person.types('r');
    await person.sees('implementing 0/1', 't1-a1 * working');
    const killed = repo.enginePid();
    await repo.killEngine();
    await person.sees('engine: this window');
    expect(repo.enginePid()).toBe(person.pid());
    person.types('q');
    await person.sees('1 agent continues; the engine runs in the background.', 'EXIT 0');
    expect([killed, person.pid()]).not.toContain(repo.enginePid());
    expect(repo.enginePid()).toBeGreaterThan(0);
  });

  test('a plan file that can no longer be read is a message with its line, and its sessions keep running', async () => {
    const repo = planRepo({ host: 'tmux', plan: tasksOf([`role implementer\nsay I am at it\nhang`]) });
    const person = personIn(repo);
    person.starts();
    person.types('r');
    await person.sees('implementing 0/1', 't1-a1');
    repo.writePlan('other.md', '# Other\n\n## Phase 1: A\n\n### Task 1: One\n\nIt.\n');
    await person.sees('other', 'new');
    expect(repo.cadre('register', 'other.md')).toMatchObject({ code: 0 });
    repo.writePlan('other.md', '# Other\n\n### Task 1: One\n\nIt.\n\n### Task 1: Two\n\nIt.\n');
    await person.sees('other.md cannot be read: line', 'T1: Part 1', '1 agent');
  });

  test('outside of a repository it says why, and quitting reports it', async () => {
    const repo = planRepo({ host: 'tmux' });
    const person = personIn(repo, { folder: repo.outside });
    person.starts();
    await person.sees('is not inside a git repository', 'q quit');
    person.types('q');
    await person.sees('EXIT 2');
    expect([person.isOnAlternateScreen(), person.isCooked()]).toEqual([false, true]);
  });

  test('at 60 x 15, and at any size it is resized to, the top line and the keys are in view', async () => {
    const repo = planRepo({ host: 'tmux', plan: tasksOf([implementing('one.txt')]) });
    const person = personIn(repo, { columns: 60, rows: 15, env: { NO_COLOR: '1' } });
    person.starts();
    await person.sees('build-it.md', '? keys');
    expect(person.colouredScreen()).not.toMatch(/\x1b\[[0-9;]*3[0-7]m/);
    for (const [columns, rows] of [
      [250, 80],
      [40, 10],
      [80, 24],
    ] as const) {
      person.resizes(columns, rows);
      await person.sees('build-it.md', '? keys');
    }
  });
});

test('without a terminal, cadre shows its help', () => {
  const repo = planRepo();
  expect(repo.cadre()).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: cadre <command>') });
});
