// What an agent behind a wall may run through its socket.
import { expect, test } from 'vitest';
import { ROLES } from '../../src/signals/registry.ts';
import { type Speaker, sessionCommand } from '../../src/signals/session-commands.ts';

const CODER: Speaker = { session: 's3', role: 'implementer', plan: 'build-it.md', task: '2' };

const argvOf = (argv: readonly string[], speaker = CODER): readonly string[] | string => {
  const command = sessionCommand(speaker, argv);
  return command.kind === 'run' ? command.argv : command.why;
};

test('a session looks at its own plan and its tasks, however it names them', () => {
  expect(argvOf(['why'])).toEqual(['why', '--', 'build-it.md#2']);
  expect(argvOf(['status'])).toEqual(['status', '--', 'build-it.md']);
  expect(argvOf(['diff', '--stat'])).toEqual(['diff', '--stat', '--', 'build-it.md#2']);
  expect(argvOf(['status', 'build-it', '--json'])).toEqual(['status', '--json', '--', 'build-it.md']);
  expect(argvOf(['why', '#1'])).toEqual(['why', '--', 'build-it.md#1']);
  expect(argvOf(['diff', 'docs/plans/build-it.md#1'])).toEqual(['diff', '--', 'build-it.md#1']);
  expect(argvOf(['output', 'build-it', '1'])).toEqual(['output', '--', 'build-it.md', '1']);
});

test('a session does not see another plan', () => {
  for (const name of ['status', 'why', 'diff', 'output'])
    expect(argvOf([name, 'other-plan.md#1'])).toBe('This session works on build-it.md only.');
});

test.each([
  ['cancel', 'build-it'],
  ['approve', 'build-it#2'],
  ['run', 'build-it'],
  ['config', 'set', 'sandbox.agents', 'off'],
  ['session', 'send', 's1', 'x'],
  ['log'],
  ['prompt', 'build-it#2'],
  [''],
  [],
])('what is not for agents is refused: %s %s', (...argv) => {
  expect(sessionCommand(CODER, argv)).toMatchObject({ kind: 'refused' });
});

test('no option names a file of the person', () => {
  expect(argvOf(['signal', 'review-changes', '--body-file', '/etc/passwd'])).toContain('standard input');
  expect(argvOf(['signal', 'review-changes', '--body-file=-', '--body-file=/etc/passwd'])).toContain('standard input');
  expect(argvOf(['output', '--path'])).toContain('not possible here');
  expect(argvOf(['diff', '--output=x'])).toContain('not possible here');
  expect(sessionCommand(CODER, ['signal', 'question', '--body-file', '-'])).toEqual({
    kind: 'run',
    argv: ['signal', '--body-file=-', '--', 'question'],
    input: 'text',
  });
});

test('what follows "--" is never an option', () => {
  expect(argvOf(['signal', '--', '--plan=other'])).toEqual(['signal', '--', '--plan=other']);
});

test('the hook of a program reports for its own session only', () => {
  expect(sessionCommand(CODER, ['hook', 's3'])).toMatchObject({ argv: ['hook', '--', 's3'], input: 'text' });
  expect(sessionCommand(CODER, ['hook', 's3', '{}'])).toMatchObject({
    argv: ['hook', '--', 's3', '{}'],
    input: 'none',
  });
  expect(sessionCommand(CODER, ['hook', 's4', '{}'])).toMatchObject({ kind: 'refused' });
});

test('a planner sees no changes of tasks, and who has no role sees nothing', () => {
  for (const role of ROLES) {
    const can = (name: string): boolean => sessionCommand({ ...CODER, role }, [name]).kind === 'run';
    const isAgent = role !== 'outside' && role !== 'unknown';
    expect([role, can('status'), can('diff')]).toEqual([role, isAgent, isAgent && role !== 'planner']);
  }
});

test('the tools of a session are a stream, and a session without a plan sees all of them', () => {
  expect(sessionCommand(CODER, ['mcp'])).toEqual({ kind: 'run', argv: ['mcp', '--'], input: 'stream' });
  expect(argvOf(['status'], { session: 's1', role: 'implementer' })).toEqual(['status', '--']);
});
