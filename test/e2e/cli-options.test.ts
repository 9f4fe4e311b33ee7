// The options of every command: colours, less output, more output. They are accepted before and after the command.
import { expect, test } from 'vitest';
import { implementing, PLAN, planRepo, tasksOf } from '../support/plan-runs.ts';
import { temporaryRepo } from '../support/repo.ts';

test('--color colours a diff also into a file, and -q leaves out the progress of a build', () => {
  const repo = planRepo({ plan: tasksOf([`role implementer\n${implementing('made.txt')}`]) });
  const run = repo.cadre('run', PLAN, '-q');
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout.trimEnd().split('\n')).toHaveLength(1);
  const plain = repo.cadre('diff', PLAN);
  expect(plain.stdout).toContain('made.txt');
  expect(plain.stdout).not.toContain('\x1b[');
  expect(repo.cadre('--color', 'always', 'diff', PLAN).stdout).toContain('\x1b[');
  expect(repo.cadreWith({ env: { NO_COLOR: '1' } }, 'diff', PLAN, '--color=always').stdout).toContain('\x1b[');
});

test.each([
  ['--color', 'sometimes', 'status'],
  ['status', '--color', 'sometimes'],
])('an unknown use of colours is refused: %s %s %s', (...argv) => {
  expect(temporaryRepo().cadre(...argv)).toEqual({
    code: 2,
    stdout: '',
    stderr: '--color must be auto, always or never, not "sometimes".\n',
  });
});

test('-q leaves out hints, and keeps errors', () => {
  const repo = temporaryRepo();
  repo.writePlan('a.md');
  expect(repo.cadre('doctor', '--fix').stderr).toContain('Nothing to repair');
  expect(repo.cadre('-q', 'doctor', '--fix').stderr).toBe('');
  expect(repo.cadre('cancel', 'zzz', '--quiet')).toMatchObject({ code: 2, stderr: expect.stringContaining('zzz') });
});

test('-v names the programs that cadre runs', () => {
  const repo = temporaryRepo();
  expect(repo.cadre('doctor').stderr).toBe('');
  expect(repo.cadre('doctor', '-v').stderr).toMatch(/^\d+ ms, code 0: git --version$/m);
});
