// Text of others in what --json prints: the value is the same, and nothing in it acts on a terminal.
import { expect, test } from 'vitest';
import { temporaryRepo } from '../support/repo.ts';

const HOSTILE = 'a\u009b2Jb\u202ec\u2028d\u200be\u007f';
const PLAN = `# ${HOSTILE}\n\n**Goal:** ${HOSTILE}\n\n### Task 1: ${HOSTILE}\n\n**Files:**\n\n- Create: \`${HOSTILE}\`\n`;

/** `temporaryRepo` refuses a line of JSON with such a character in it; here is a repository that is full of them. */
test('every command that shows text of a plan or of a person escapes it', () => {
  const repo = temporaryRepo();
  repo.writePlan('house.md', PLAN);
  expect(repo.cadre('register', 'house', '--description', HOSTILE, '--json').code).toBe(0);
  expect(repo.cadre('move', 'house', 'implement_start', '--json').code).toBe(0);
  expect(repo.cadre('move', 'house', 'implement_finished', '--json').code).toBe(0);
  expect(repo.cadre('move', 'house', 'review_changes_requested', '--feedback', HOSTILE, '--json').code).toBe(0);
  const commands = [
    ['status'],
    ['plan', 'list'],
    ['status', 'house'],
    ['why', 'house'],
    ['why', 'house#1'],
    ['log'],
    ['plan', 'show', 'house'],
    ['plan', 'lint', 'house'],
    ['plan', 'diff', 'house'],
    ['run', 'house', '--dry-run'],
    ['why', HOSTILE],
    [HOSTILE],
  ];
  const printed = commands.map((argv) => repo.cadre(...argv, '--json').stdout);
  for (const [at, text] of printed.entries()) expect(text, commands[at]?.join(' ')).not.toBe('');
  expect(printed.filter((text) => text.includes('\\u009b')).length).toBeGreaterThan(5);
  expect(repo.json('status', 'house')).toMatchObject({ plans: [{ description: HOSTILE, feedback: HOSTILE }] });
});
