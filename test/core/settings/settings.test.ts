// Where a setting may be: what is about one repository in the project's file, what is about the person in the global one.
import { expect, test } from 'vitest';
import { isMisplaced } from '../../../src/core/settings/settings.ts';

test.each(['verify', 'setup', 'base_branch'])('%s has no effect in the global file', (key) => {
  expect([isMisplaced('global', key), isMisplaced('project', key)]).toEqual([true, false]);
});

test.each(['notify', 'sandbox'])('%s has no effect in the file of a project', (key) => {
  expect([isMisplaced('global', key), isMisplaced('project', key)]).toEqual([false, true]);
});

test.each(['profiles', 'max_parallel', 'land'])('%s may be in both', (key) => {
  expect([isMisplaced('global', key), isMisplaced('project', key)]).toEqual([false, false]);
});
