// Plan files in other formats: every command says what is not a task, and what is not markdown is refused.
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryRepo } from '../support/repo.ts';

const BOXES = 'The 3 checkboxes of this file are not tasks. The whole file would be one task.';
const KIRO = '# Implementation Plan\n\n- [ ] 1. Set up\n  - [ ] 1.1 Create it\n  - [ ] 1.2 Test it\n';

describe('a list of checkboxes', () => {
  test.each([
    ['register', ['register', 'kiro']],
    ['plan show', ['plan', 'show', 'kiro']],
    ['plan lint', ['plan', 'lint', 'kiro']],
    ['run --dry-run', ['run', 'kiro', '--dry-run']],
  ])('%s says that they are not tasks', (_name, argv) => {
    const repo = temporaryRepo();
    repo.writePlan('kiro.md', KIRO);
    const { stdout, stderr } = repo.cadre(...argv);
    expect(stdout + stderr).toContain(BOXES);
  });
});

describe('a heading that is nearly a task', () => {
  test('is shown when the plan is registered', () => {
    const repo = temporaryRepo();
    repo.writePlan('a.md', '### Task 1: A\n\n### Task2: B\n\n### Task 3: C\n');
    expect(repo.cadre('register', 'a')).toMatchObject({
      code: 0,
      stderr: 'docs/plans/a.md:3: "### Task2: B" is not read as a task. Write "### Task 2: B".\n',
    });
  });

  test('is counted where there are many', () => {
    const repo = temporaryRepo();
    repo.writePlan('a.md', ['### Task 1: A', ...[2, 3, 4, 5, 6].map((n) => `### Task${n}: B`)].join('\n\n'));
    const { stderr } = repo.cadre('register', 'a');
    expect(stderr.split('\n')).toHaveLength(5);
    expect(stderr).toContain('2 more lines of docs/plans/a.md may not be read as intended.');
  });
});

describe('a file that is not markdown', () => {
  const repo = () => {
    const made = temporaryRepo();
    const big = JSON.stringify({ items: Array.from({ length: 30_000 }, (_, id) => ({ id, text: 'x'.repeat(30) })) });
    made.writePlan('json.md', big);
    made.writePlan('html.md', '<!DOCTYPE html>\n<html><body><h3>Task 1: A</h3></body></html>\n');
    writeFileSync(join(made.plans, 'binary.md'), randomBytes(50_000));
    return made;
  };

  test.each(['json', 'html', 'binary'])('%s is refused by every command that would use it', (name) => {
    const { cadre, plans, home } = repo();
    const why = name === 'binary' ? /is not UTF-8 text/i : new RegExp(`This is ${name.toUpperCase()}, not markdown\\.`);
    for (const argv of [
      ['register', name],
      ['run', name],
      ['run', name, '--dry-run'],
      ['plan', 'show', name],
      ['plan', 'lint', name],
    ]) {
      const { code, stdout, stderr } = cadre(...argv);
      expect(code, argv.join(' ')).not.toBe(0);
      expect(stdout + stderr, argv.join(' ')).toMatch(why);
    }
    expect(existsSync(join(plans, 'plan-state.json'))).toBe(false);
    expect(existsSync(home)).toBe(false);
  });
});
