// Every command has a schema for what it prints with --json, and every action one for what it takes.
import { expect, test } from 'vitest';
import { ACTIONS } from '../../../src/app/actions/table.ts';
import { INPUTS } from '../../../src/app/schemas/inputs.ts';
import { ANSWERS } from '../../../src/surfaces/cli/json/answers.ts';
import { COMMANDS } from '../../../src/surfaces/cli/table/table.ts';

test('every command of the table has a schema, and no schema is without a command', () => {
  expect(Object.keys(ANSWERS).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
});

test('every action says what it takes, in one line what it does, and nothing in its help names a command', () => {
  expect(Object.keys(INPUTS).sort()).toEqual(Object.keys(ACTIONS).sort());
  for (const { help } of Object.values(ACTIONS)) expect(help).toMatch(/^[a-z](?!.*cadre ).*[^.]$/);
});

test('an undocumented field is noticed', () => {
  const answer = { version: 1, frozen: true, engine: null };
  expect(ANSWERS.freeze?.schema.safeParse(answer).success).toBe(true);
  expect(ANSWERS.freeze?.schema.safeParse({ ...answer, extra: 1 }).success).toBe(false);
});
