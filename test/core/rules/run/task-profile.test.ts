// A task whose plan names a profile is built with it; its reviewers, and every other task, use the programs of their roles.
import { expect, test } from 'vitest';
import type { Event } from '../../../../src/core/model/event.ts';
import type { SessionEntry } from '../../../../src/core/model/session.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { DEFAULT_POLICY } from '../../../../src/core/settings/default-policy.ts';
import type { Policy } from '../../../../src/core/settings/policy.ts';
import { branchMade, going, result, runIn, says, settled } from '../../../support/runs.ts';
import { read, taskIn } from '../../../support/world.ts';

const POLICY: Policy = { ...DEFAULT_POLICY, profiles: { fast: { program: 'quick', flags: ['--small'], env: [] } } };
const plan = (label: string): string => `### Task 1: Dig\n\n${label}\n\ndig\n`;

function coding(text: string): World {
  const launched = going(POLICY, text);
  return settled(launched, ...branchMade(launched), result(launched, { of: 'worktree', base: 'b0' }));
}

function sessionIn(world: World): SessionEntry | undefined {
  const { session } = runIn(world);
  return session === null ? undefined : world.sessions.get(session.id);
}

test('the implementer uses the profile that the plan names', () => {
  expect(sessionIn(coding(plan('**Profile:** fast')))).toMatchObject({
    role: 'implementer',
    program: 'quick',
    flags: ['--small'],
    profile: 'fast',
  });
});

test('its reviewers do not', () => {
  const world = coding(plan('**Profile:** fast'));
  const testing = settled(world, says(world, 'implement-finished'));
  const reviewed = settled(testing, result(testing, { of: 'verify', passed: true, text: '' }));
  expect(sessionIn(reviewed)).toMatchObject({ role: 'spec-reviewer', program: 'claude' });
});

test.each(['slow', 'constructor'])('a profile "%s" that does not exist leaves the program of the role', (name) => {
  expect(sessionIn(coding(plan(`**Profile:** ${name}`)))).toMatchObject({ program: 'claude' });
});

test('an edit of the plan adds, changes and removes the profile', () => {
  const edits = (world: World, label: string): World => settled(world, read(plan(label)) satisfies Event);
  const named = edits(going(POLICY, plan('')), '**Profile:** fast');
  expect(taskIn(named, '1').profile).toBe('fast');
  expect(taskIn(edits(named, ''), '1').profile).toBeUndefined();
});
