// Which program a phase uses: from the phase to a role, from the role to a profile, or else the default program.
import { describe, expect, test } from 'vitest';
import { type AgentPhase, type Config, PHASES, resolveProfile, resolveRole } from '../../src/agents/profiles.ts';
import { SIGNALS } from '../../src/signals/registry.ts';
import { splitCommand } from '../../src/text/command-line.ts';

const EMPTY: Config = {};

const PARTIAL: Config = {
  default_program: 'codex',
  profiles: { 'spec-reviewer': { program: 'claude', flags: ['--model', 'sonnet'] } },
};

const FULL: Config = {
  default_program: 'aider --model gpt-5',
  profiles: {
    planner: { program: 'claude', flags: ['--model', 'opus'], env: ['ANTHROPIC_API_KEY'] },
    senior: { program: '/opt/bin/codex', flags: ['-m', 'large'] },
    'spec-reviewer': { program: 'gemini' },
    'quality-reviewer': { program: 'missing', flags: ['--strict'], env: ['KEY'] },
    reviewer: { program: '"/opt/my agents/claude" --verbose', flags: ['--model', 'opus'] },
  },
  phase_roles: { implementing: 'senior', architect: 'planner' },
};

const INSTALLED = ['claude', 'codex', 'gemini', 'aider', '/opt/bin/codex', '/opt/my agents/claude'];

function resolve(config: Config, phase: AgentPhase) {
  return resolveProfile(config, resolveRole(config, phase), (program) => INSTALLED.includes(program));
}

const plain = { flags: [], env: [], warnings: [] };

test.each<[string, Config, AgentPhase, object]>([
  ['empty', EMPTY, 'planning', { program: 'claude', ...plain }],
  ['empty', EMPTY, 'implementing', { program: 'claude', ...plain }],
  ['empty', EMPTY, 'spec_review', { program: 'claude', ...plain }],
  ['empty', EMPTY, 'quality_review', { program: 'claude', ...plain }],
  ['empty', EMPTY, 'reviewing', { program: 'claude', ...plain }],
  ['empty', EMPTY, 'architect', { program: 'claude', ...plain }],
  ['partial', PARTIAL, 'implementing', { program: 'codex', ...plain }],
  ['partial', PARTIAL, 'spec_review', { program: 'claude', ...plain, flags: ['--model', 'sonnet'] }],
  ['partial', PARTIAL, 'quality_review', { program: 'codex', ...plain }],
  [
    'full',
    FULL,
    'planning',
    { program: 'claude', flags: ['--model', 'opus'], env: ['ANTHROPIC_API_KEY'], warnings: [] },
  ],
  ['full', FULL, 'implementing', { program: '/opt/bin/codex', ...plain, flags: ['-m', 'large'] }],
  ['full', FULL, 'spec_review', { program: 'gemini', ...plain }],
  [
    'full',
    FULL,
    'quality_review',
    {
      program: 'aider',
      flags: ['--model', 'gpt-5'],
      env: [],
      warnings: ['The profile "quality-reviewer" uses missing, which is not installed. Using the default program.'],
    },
  ],
  ['full', FULL, 'reviewing', { program: '/opt/my agents/claude', ...plain, flags: ['--verbose', '--model', 'opus'] }],
  [
    'full',
    FULL,
    'architect',
    { program: 'claude', flags: ['--model', 'opus'], env: ['ANTHROPIC_API_KEY'], warnings: [] },
  ],
])('a phase uses the configured program, with a config that is %s, %#', (_, config, phase, expected) => {
  expect(resolve(config, phase)).toEqual(expected);
});

describe('warns', () => {
  test('that the default program is not installed either', () => {
    const { program, warnings } = resolve(
      { default_program: 'nothing', profiles: { implementer: { program: 'no' } } },
      'implementing',
    );
    expect(program).toBe('nothing');
    expect(warnings).toEqual([
      'The profile "implementer" uses no, which is not installed. Using the default program.',
      'The default program nothing is not installed.',
    ]);
  });

  test('that a phase names a missing profile, which may be a typo', () => {
    expect(resolve({ phase_roles: { implementing: 'senor' } }, 'implementing').warnings).toEqual([
      'phase_roles names the profile "senor", which does not exist. Using the default program.',
    ]);
  });

  test.each(['', '  ', '"claude', "claude 'x", '""'])('that %j names no program', (program) => {
    expect(resolve({ profiles: { implementer: { program } } }, 'implementing').warnings).toHaveLength(1);
    const { program: used, warnings } = resolve({ default_program: program }, 'implementing');
    expect(used).toBe('claude');
    expect(warnings).toHaveLength(1);
  });

  test.each(['CADRE_SESSION', 'TMUX', 'A=B', 'a b', ''])('that the variable %j is not passed on', (name) => {
    const profiles = { implementer: { program: 'claude', env: ['KEY', name] } };
    const { env, warnings } = resolve({ profiles }, 'implementing');
    expect(env).toEqual(['KEY']);
    expect(warnings).toHaveLength(1);
  });
});

test.each(['constructor', '__proto__', 'toString'])(
  'a role called %s has no profile unless one is configured',
  (role) => {
    expect(resolveProfile({ profiles: {} }, role, () => true)).toMatchObject({ program: 'claude', flags: [] });
  },
);

test('the wall of a profile is wanted also where its program is not installed and another one is used', () => {
  const config = {
    default_program: 'other',
    profiles: { implementer: { program: 'missing', sandbox: 'required' } },
  } as const;
  const isInstalled = (program: string): boolean => program === 'other';
  expect(resolveProfile(config, 'implementer', isInstalled)).toMatchObject({ program: 'other', sandbox: 'required' });
  expect(resolveProfile({ profiles: { implementer: {} } }, 'implementer', () => true)).not.toHaveProperty('sandbox');
});

test('every role that may send a signal has a phase', () => {
  const speaking = SIGNALS.flatMap(({ plan, run, workshop }) =>
    [plan, run, workshop].flatMap((hearing) => hearing?.roles ?? []),
  );
  expect(new Set([...Object.values(PHASES), 'outside'])).toEqual(new Set(speaking));
});

test.each([
  ['claude', ['claude']],
  ['  claude   --model  opus ', ['claude', '--model', 'opus']],
  ['"a b" \'c d\' e\\ f', ['a b', 'c d', 'e f']],
  ['x --name="it\'s $HOME" y', ['x', "--name=it's $HOME", 'y']],
  ['x "a \\" b \\n" \'\\n\'', ['x', 'a " b \\n', '\\n']],
  ['x "" y', ['x', '', 'y']],
  ['x $(rm) ; | > y', ['x', '$(rm)', ';', '|', '>', 'y']],
])('%j is split into %j', (text, words) => {
  const [program, ...flags] = words;
  expect(splitCommand(text)).toEqual({ program, flags });
});

test.each(['', ' ', '"', "a 'b", 'a \\'])('%j is not a command', (text) => {
  expect(splitCommand(text)).toBeUndefined();
});
