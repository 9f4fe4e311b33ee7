// Every command of the table can be learnt from its help: it has two examples, and the program accepts each of them.
import { expect, test } from 'vitest';
import { makeProgram } from '../../../src/surfaces/cli/program.ts';
import { COMMANDS } from '../../../src/surfaces/cli/table/table.ts';

test.each(COMMANDS.map(({ name, examples }) => ({ name, examples })))(
  'cadre $name has two examples',
  ({ name, examples }) => {
    expect(new Set(examples).size).toBeGreaterThanOrEqual(2);
    for (const example of examples) expect(example).toMatch(new RegExp(`(?:^|[ (|])cadre ${name}(?: |$|\\))`));
  },
);

test.each(COMMANDS.flatMap(({ name, examples }) => examples.map((example) => ({ name, example }))))(
  'the program accepts: $example',
  async ({ name, example }) => {
    let called = '';
    const program = makeProgram('0', async (spec) => {
      called = spec.name;
    });
    await program.parseAsync(wordsOf(example), { from: 'user' });
    expect(called).toBe(name);
  },
);

test('a task is named the same way everywhere: behind a plan its number may be a separate word', () => {
  const takesTask = COMMANDS.filter(({ arguments: [first] }) => /<plan>#<task>/.test(first?.summary ?? ''));
  expect(takesTask.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['why', 'diff', 'retry', 'answer', 'findings', 'finding park', 'restore', 'log', 'prompt']),
  );
  for (const { name, arguments: words } of takesTask)
    expect(
      words.slice(1).some(({ summary }) => /number of the task/i.test(summary)),
      name,
    ).toBe(true);
});

/** The words behind "cadre", up to a redirection or the end of a substitution. */
function wordsOf(example: string): string[] {
  const [, typed = ''] = /(?:^|[ (])cadre (.*)$/.exec(example) ?? [];
  const words = typed.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  const end = words.findIndex((word) => word === '<' || word === '>' || word.endsWith(')'));
  const own = end === -1 ? words : words.slice(0, words[end]?.endsWith(')') ? end + 1 : end);
  return own.map((word) => word.replace(/^(["'])(.*)\1$/, '$2').replace(/\)$/, ''));
}
