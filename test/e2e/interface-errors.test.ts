// What goes wrong while somebody looks at the interface: each is on the screen, in a real terminal, and nothing freezes.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needing } from '../support/needs.ts';
import { personIn } from '../support/person.ts';
import { implementing, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

needing('tmux', () => {
  test('an agent that fails to start is a message; its task can be launched again, and its worktree is kept', async () => {
    const repo = planRepo({ host: 'tmux', plan: tasksOf([implementing('one.txt')]) });
    const agent = repo.at('gone');
    writeFileSync(agent, '#!/nonexistent/interpreter\n', { mode: 0o755 });
    settle(repo, { default_program: agent, verify: 'none' });
    const person = personIn(repo);
    person.starts();
    person.types('r');
    await person.sees('build-it.md#1 Part 1: The agent failed to start; launch it again.', 'xx T1: Part 1');
    expect(person.screen()).toMatch(/xx T1: Part 1 +not started/);
    expect(existsSync(repo.worktree('1'))).toBe(true);
  });

  test('an agent that ignores SIGTERM is killed after 3 seconds, and keys are answered meanwhile', async () => {
    const repo = planRepo({
      host: 'tmux',
      plan: tasksOf(['role implementer\nignore-sigterm\nsay I stay\nhang']),
    });
    const person = personIn(repo);
    person.starts();
    person.types('r');
    await person.sees('implementing 0/1', 't1-a1');
    person.types('G', 'k');
    await person.sees('>> T1: Part 1');
    await repo.reaches('1', 'CODING');
    const session = repo.runOf('1').session?.id ?? '';
    await repo.until(() => repo.processesOf(session).length > 0);
    person.types('j');
    await person.sees('I stay');
    person.types('D');
    await person.sees('Kill T1: revert to planned, or mark done?');
    const asked = performance.now();
    person.types('r');
    await person.sees('held');
    expect(repo.processesOf(session)).not.toEqual([]);
    person.types('?');
    await person.sees('─Keys─');
    person.types('Escape');
    await repo.until(() => repo.processesOf(session).length === 0);
    expect(performance.now() - asked).toBeGreaterThan(2_500);
  });

  test('a profile whose program is missing is a message, and the default program is used', async () => {
    const repo = planRepo({ host: 'tmux', plan: tasksOf([`role implementer\n${implementing('one.txt')}`]) });
    settle(repo, {
      verify: 'none',
      default_program: 'cadre-scripted-agent',
      profiles: { coder: { program: 'nosuch' } },
    });
    const person = personIn(repo);
    person.starts();
    person.types('r');
    await person.sees('The profile "coder" uses nosuch', 'done 1/1');
  });

  test('two interfaces on one repository: one is the engine, both show everything, and no action is lost', async () => {
    const repo = planRepo({
      host: 'tmux',
      plan: tasksOf(['role implementer\nask By name or by size?\nturn 2\nhang', 'role implementer\nhang']),
    });
    const [ann, bob] = [personIn(repo), personIn(repo, { columns: 80, rows: 24 })];
    ann.starts();
    ann.types('r');
    await ann.sees('implementing 0/2', 'engine: this window', 'question');
    bob.starts();
    await bob.sees('implementing 0/2', 'engine: pid', 'question', 'needs you');
    bob.types('a');
    await bob.sees('By name or by size?', 'answer>');
    bob.types('By name', 'Enter');
    await ann.sees('>> T1: Part 1', 'implement');
    ann.types('p');
    await ann.sees('Pause build-it?');
    ann.types('y');
    await bob.sees('paused');
    ann.types('q');
    await ann.sees('EXIT 0');
    bob.types('r');
    await bob.sees('implementing 0/2');
    expect(repo.task('1').decisions?.map(({ text }) => text)).toEqual(['By name']);
    expect(repo.world().plans.size).toBe(1);
  });

  test('a bug ends it with the terminal as it was, and what is wrong can be read', async () => {
    const repo = planRepo({ host: 'tmux' });
    const planted = repo.at('planted.mjs');
    writeFileSync(planted, `process.once('SIGPWR', () => { throw new Error('planted by the test'); });\n`);
    const person = personIn(repo, { env: { NODE_OPTIONS: `--import ${planted}` } });
    person.starts();
    await person.sees('No plans and no sessions here yet.');
    expect([person.isOnAlternateScreen(), person.isCooked()]).toEqual([true, false]);
    person.ends('PWR');
    await person.sees('planted by the test', 'EXIT');
    expect([person.isOnAlternateScreen(), person.isCooked()]).toEqual([false, true]);
  });

  test('a planner that dies without a word is a message, and its plan stays in planning', async () => {
    const repo = planRepo({ host: 'tmux' });
    settle(repo, { default_program: 'sh -c "exit 7"', verify: 'none' });
    const person = personIn(repo);
    person.starts();
    person.types('N');
    person.writes('Sort the menu');
    person.types('Enter');
    await person.sees('needs you', 'clarifying', 'sort-the-menu.md: The planner failed', '! failed sort-');
    const [plan] = repo.world().plans.values();
    expect(plan?.status).toBe('planning');
  });

  test('while a plan is built, an edit of its file, a refused signal and the deletion of the file are seen, and nothing stops', async () => {
    const task = (number: number, name: string, script: string): string =>
      `### Task ${number}: ${name}\n\n\`\`\`script\n${script}\n\`\`\`\n`;
    const working = task(1, 'Dig', 'role implementer\nsay I am at it\nhang');
    const repo = planRepo({ host: 'tmux', plan: `# Build\n\n${working}\n${task(2, 'Pour', 'hang')}` });
    const person = personIn(repo, { columns: 80, rows: 24 });
    person.starts();
    await person.sees('not registered', 'T2: Pour');
    person.types('r');
    await person.sees('implementing 0/2', 't1-a1 * working');
    repo.writePlan(
      'build-it.md',
      `# Build\n\n${working}\n${task(3, 'Smooth', 'role spec-reviewer\nsay nothing of it is like the other')}`,
    );
    await person.sees('T3: Smooth', 'No longer in the plan');
    expect(person.screen()).toMatch(/T2: Pour +stale/);
    writeFileSync(join(repo.root, 'docs/plans/.signals/review-approved-build-it.md'), '');
    await person.sees('Refused "review-approved":');
    expect(person.screen()).not.toContain('cannot be read');
    person.types('Escape');
    await person.seesNo('Refused "review-approved":');
    rmSync(join(repo.root, 'docs/plans/build-it.md'));
    await person.sees('build-it.md was deleted. Its tasks and sessions continue', 'file deleted', 'T1: Dig');
    expect(repo.processesOf(repo.runOf('1').session?.id ?? '')).not.toEqual([]);
  });

  test('"-p" names the program of new sessions', async () => {
    const repo = planRepo({ host: 'tmux' });
    const person = personIn(repo);
    person.starts('-p', `sh -c 'echo I am another one; cat'`);
    await person.sees('No plans and no sessions here yet.');
    person.types('n', 'Enter');
    await person.sees('I am another one');
  });
});

test('"-p" without a terminal says what to do instead', () => {
  const repo = planRepo();
  expect(repo.cadre('-p', 'codex')).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a terminal') });
});

function settle(repo: PlanRepo, settings: object): void {
  writeFileSync(join(repo.root, 'cadre.json'), `${JSON.stringify(settings)}\n`);
  repo.git('commit', '--quiet', '--all', '-m', 'settings');
}
