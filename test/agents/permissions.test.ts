// What a profile allows reaches every program in its own words, and no rule allows more than one command.
import { expect, test } from 'vitest';
import { validate } from '../../src/adapters/config/config-schema.ts';
import type { StartRequest } from '../../src/agents/agent.ts';
import { canBeAllowed, type Grants, IN_PROGRAMS, type Permissions } from '../../src/agents/permissions.ts';
import { resolveProfile } from '../../src/agents/profiles.ts';
import { claude } from '../../src/agents/programs/claude.ts';
import { codex } from '../../src/agents/programs/codex.ts';
import { gemini } from '../../src/agents/programs/gemini.ts';
import { opencode } from '../../src/agents/programs/opencode.ts';
import { at, HUMAN } from '../support/runs.ts';

function request(grants?: Grants): StartRequest {
  return {
    session: 's1',
    role: 'implementer',
    program: 'agent',
    flags: [],
    worktree: '/w',
    folder: '/run/s1',
    messages: '/run/s1/messages',
    prompt: 'Dig.',
    cadre: ['cadre'],
    verify: ['npm', 'test'],
    writable: [],
    reads: [],
    author: () => null,
    trusted: false,
    grants,
  };
}

function optionAfter(argv: readonly string[], name: string): string | undefined {
  return argv[argv.indexOf(name) + 1];
}

test.each<[Permissions | undefined, string, string, string, string]>([
  ['ask', 'default', 'untrusted', 'default', 'ask ask'],
  ['edits', 'acceptEdits', 'on-request', 'auto_edit', 'allow ask'],
  [undefined, 'acceptEdits', 'on-request', 'auto_edit', 'allow ask'],
  ['all', 'bypassPermissions', 'never', 'yolo', 'allow allow'],
])('"%s" is said to each program in its own words', (permissions, forClaude, forCodex, forGemini, forOpencode) => {
  const wanted = request(permissions === undefined ? undefined : { permissions });
  expect(optionAfter(claude.start(wanted).argv, '--permission-mode')).toBe(forClaude);
  expect(optionAfter(codex.start(wanted).argv, '-a')).toBe(forCodex);
  expect(optionAfter(gemini.start(wanted).argv, '--approval-mode')).toBe(forGemini);
  const { edit, bash } = JSON.parse(opencode.start(wanted).env.OPENCODE_CONFIG_CONTENT ?? '').permission;
  expect(`${edit} ${bash['*']}`).toBe(forOpencode);
});

test('"ask" leaves only the commands with which an agent talks to cadre', () => {
  const text = claude.start(request({ permissions: 'ask' })).files[0]?.text ?? '';
  expect(JSON.parse(text).permissions.allow).toEqual([
    ...['Bash(cadre signal:*)', 'Bash(cadre diff:*)', 'Read(//run/s1/messages/**)'],
  ]);
});

test('allowed commands become rules, with any arguments only where the profile says so', () => {
  const wanted = request({ allow: ['node *', 'npm run lint'] });
  const rules: readonly string[] = JSON.parse(claude.start(wanted).files[0]?.text ?? '').permissions.allow;
  expect(rules).toEqual(expect.arrayContaining(['Bash(node:*)', 'Bash(npm run lint)']));
  expect(gemini.start(wanted).files[0]?.text).toContain('commandPrefix = "node"');
  const { bash } = JSON.parse(opencode.start(wanted).env.OPENCODE_CONFIG_CONTENT ?? '').permission;
  expect(bash).toMatchObject({ 'node *': 'allow', 'npm run lint': 'allow' });
});

test.each(['*', 'rm -rf *.o', 'a; b', 'a && b', 'a | b', 'a > f', '$(a)', '`a`', 'a\nb', '"open', ''])(
  '%j cannot be allowed, and the settings say so',
  (typed) => {
    expect(canBeAllowed(typed)).toBe(false);
    expect(validate({ profiles: { implementer: { allow: [typed] } } }).problems).toHaveLength(1);
  },
);

test('a profile needs no program to say what is allowed', () => {
  const profiles = { implementer: { permissions: 'all' as const } };
  expect(validate({ profiles })).toEqual({ problems: [], unknown: [] });
  expect(resolveProfile({ default_program: 'codex --fast', profiles }, 'implementer', () => true)).toEqual({
    ...{ program: 'codex', flags: ['--fast'], env: [], grants: { permissions: 'all' }, warnings: [] },
  });
});

test('the session of a task carries what its profile allows', () => {
  const grants = { permissions: 'all' } as const;
  const implementer = { program: 'claude', flags: [], env: [], grants };
  const world = at('CODING', { ...HUMAN, programs: { implementer } });
  const given = [...world.sessions.values()].map((session) => [session.role, session.grants]);
  expect(given).not.toEqual([]);
  for (const one of given) expect(one).toEqual(['implementer', grants]);
});

test('every program that cadre knows is described', () => {
  expect(Object.keys(IN_PROGRAMS)).toEqual(['claude', 'codex', 'gemini', 'opencode', 'aider']);
});
