// cadre rehearse: a plan is built without a model, in a clone, with the real commands; nothing else is touched.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryRepo } from '../support/repo.ts';

function rehearsed(files: readonly (readonly [string, string])[], settings: object) {
  const repo = temporaryRepo();
  const tasks = files.map(([action, path], at) => `### Task ${at + 1}: Part\n\n**Files:**\n- ${action}: \`${path}\`\n`);
  mkdirSync(repo.plans, { recursive: true });
  writeFileSync(join(repo.root, 'shared.md'), 'one\n');
  writeFileSync(join(repo.plans, 'parts.md'), `# Parts\n\n## Phase 1: Parts (parallel)\n\n${tasks.join('\n')}`);
  writeFileSync(join(repo.root, 'cadre.json'), JSON.stringify({ default_program: 'sh', ...settings }));
  repo.git('add', '--all');
  repo.git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '--quiet', '--message', 'a plan');
  const before = repo.git('rev-parse', 'HEAD');
  const answer: { readonly stuck: readonly string[] } = repo.json('rehearse', 'parts');
  expect(repo.git('status', '--porcelain') + repo.git('rev-parse', 'HEAD')).toBe(before);
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/heads/plan', 'refs/cadre')).toBe('');
  return { repo, answer };
}

test('a plan that can be built is, with the commands of the project and without a trace', () => {
  const { repo, answer } = rehearsed(
    [
      ['Create', 'one.md'],
      ['Create', 'two.md'],
    ],
    { setup: 'touch prepared.tmp', verify: 'test -e prepared.tmp' },
  );
  expect(answer).toMatchObject({ done: true, merged: ['1', '2'], sharedFiles: [], stuck: [] });
  expect(existsSync(join(repo.home, 'repos'))).toBe(false);
  expect(readdirSync(repo.root)).not.toContain('prepared.tmp');
});

test('two tasks that change the same file at the same time are found out', () => {
  const { answer } = rehearsed(
    [
      ['Modify', 'shared.md'],
      ['Modify', 'shared.md'],
    ],
    { verify: 'none' },
  );
  expect(answer).toMatchObject({ done: false, sharedFiles: [{ path: 'shared.md', tasks: ['1', '2'] }] });
  expect(answer.stuck).toHaveLength(1);
});

test.each([
  ['setup', { setup: ['sh', '-c', 'echo no such package; exit 3'], verify: 'none' }, 'no such package'],
  ['tests', { verify: ['sh', '-c', 'echo 1 of 2 failed; exit 1'] }, '1 of 2 failed'],
])(
  'what fails is shown with what it printed, and nothing points into the folder that is gone: %s',
  (step, settings, text) => {
    const { repo, answer } = rehearsed([['Create', 'one.md']], settings);
    expect(answer).toMatchObject({ done: false, failed: [{ task: '1', step, output: text }] });
    const { code, stdout } = repo.cadre('rehearse', 'parts');
    expect(code).toBe(1);
    expect(stdout).toContain(`  | ${text}\n`);
    expect(stdout).toContain(`cadre config set --project ${step === 'setup' ? 'setup' : 'verify'} <command>`);
    expect(stdout).not.toContain('cadre-rehearsal-');
    expect(stdout).not.toMatch(/Relaunch it|asked to land/);
  },
);
