// Every command has a schema for what it prints with --json, and every action one for what it takes.
import { expect, test } from 'vitest';
import { ACTIONS } from '../../../src/app/actions/table.ts';
import { INPUTS } from '../../../src/app/schemas/inputs.ts';
import type { ActionName } from '../../../src/core/model/suggestion.ts';
import { ANSWERS } from '../../../src/surfaces/cli/json/answers.ts';
import { COMMANDS } from '../../../src/surfaces/cli/table/table.ts';
import { commandFor } from '../../../src/surfaces/cli/text/suggestions.ts';

test('every command of the table has a schema, and no schema is without a command', () => {
  expect(Object.keys(ANSWERS).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
});

test('every action has a schema for its input, and one line of help that names no command', () => {
  expect(Object.keys(INPUTS).sort()).toEqual(Object.keys(ACTIONS).sort());
  for (const { help } of Object.values(ACTIONS)) expect(help).toMatch(/^[A-Z](?!.*cadre ).*[^.]$/);
});

/** Commands that do more than one action, or one of several. */
const OTHERWISE: readonly ActionName[] = [
  'run',
  'override',
  'incident-restore',
  'incident-take',
  'worktree-restore',
  'quarantine-retry',
  'quarantine-drop',
  'quarantine-drop-all',
  'use-journal',
  'repair',
];

test.each((Object.keys(ACTIONS) as ActionName[]).filter((name) => !OTHERWISE.includes(name)))(
  'the command for %s has the help of the action',
  (name) => {
    const typed = commandFor({ do: name }).replace(/^cadre /, '');
    const spec = COMMANDS.find((command) => `${typed} `.startsWith(`${command.name} `));
    expect(spec?.summary).toBe(ACTIONS[name].help);
  },
);

test('every command whose action asks first takes --yes', () => {
  const asking = (Object.keys(ACTIONS) as ActionName[]).filter((name) => ACTIONS[name].confirm !== null);
  for (const name of asking) {
    const typed = commandFor({ do: name }).replace(/^cadre /, '');
    const spec = COMMANDS.find((command) => `${typed} `.startsWith(`${command.name} `));
    expect(
      spec?.options.map(({ flags }) => flags),
      name,
    ).toContain('--yes');
  }
});

test('an undocumented field is noticed', () => {
  const answer = { version: 1, frozen: true, engine: null };
  expect(ANSWERS.freeze?.schema.safeParse(answer).success).toBe(true);
  expect(ANSWERS.freeze?.schema.safeParse({ ...answer, extra: 1 }).success).toBe(false);
});
