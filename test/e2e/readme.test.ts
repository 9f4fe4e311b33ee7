// The two commands of the README, typed in a repository that has never seen cadre, build the first plan.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planRepo } from '../support/plan-runs.ts';

test('the two commands of the README set a repository up and build its first plan', { timeout: 170_000 }, async () => {
  const repo = planRepo({ plan: '# Not this one\n' });
  for (const path of ['docs', 'cadre.json']) rmSync(join(repo.root, path), { recursive: true, force: true });
  writeFileSync(join(repo.root, 'Makefile'), 'test:\n\ttrue\n');
  repo.git('add', '--all');
  repo.git('commit', '-qm', 'Start');
  await repo.start('config', 'set', 'default_program', 'cadre-scripted-agent');
  const head = repo.git('rev-parse', 'HEAD');

  const [first, second, ...others] = commandsInReadme();
  expect([first, second, others]).toEqual(['init', 'run first-plan', []]);
  // Nobody is at a terminal to agree.
  expect(await repo.start('init', '--yes')).toMatchObject({ code: 0, stderr: '' });
  const ran = await repo.start('run', 'first-plan');
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout).toContain('git merge plan/first-plan');
  expect(repo.git('log', '--format=%s', 'main..plan/first-plan')).toBe('Where things are\nHow to set up and test\n');
  expect(repo.git('rev-parse', 'HEAD')).toBe(head);
});

/** What is typed in a repository: the lines that start with "cadre", without their comments. */
function commandsInReadme(): readonly string[] {
  const blocks = [...readFileSync('README.md', 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
    ([, block = '']) => block,
  );
  return blocks.flatMap((block) =>
    block.split('\n').flatMap((line) => /^cadre ([^#]*)/.exec(line)?.[1]?.trimEnd() ?? []),
  );
}
