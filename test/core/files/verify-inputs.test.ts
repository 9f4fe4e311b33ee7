// The files that decide what a verify command does: a run that changes one of them is pointed out to its reviewers.
import { expect, test } from 'vitest';
import { verifyInputsIn } from '../../../src/core/files/verify-inputs.ts';

const PACKAGE = JSON.stringify({
  scripts: {
    test: 'npm run lint && node scripts/test.mjs',
    lint: 'node ./scripts/lint.mjs',
    pretest: 'sh prepare.sh',
    demo: 'node demo.mjs',
  },
});

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['the script that it names', ['sh', 'check.sh'], ['check.sh', 'src/a.ts'], ['check.sh']],
  ['the same with a dot before it', ['./scripts/check.sh', '--all'], ['scripts/check.sh'], ['scripts/check.sh']],
  ['one inside a script for a shell', ['sh', '-c', 'cd . && ./run-tests.sh; true'], ['run-tests.sh'], ['run-tests.sh']],
  ['package.json of npm', ['npm', 'test'], ['package.json', 'src/a.ts'], ['package.json']],
  [
    'scripts that npm runs, through other scripts',
    ['npm', 'test'],
    ['scripts/test.mjs', 'scripts/lint.mjs', 'prepare.sh'],
    ['scripts/test.mjs', 'scripts/lint.mjs', 'prepare.sh'],
  ],
  ['not a script that npm does not run', ['npm', 'test'], ['demo.mjs'], []],
  ['the Makefile of make', ['/usr/bin/make', 'test'], ['Makefile', 'src/Makefile'], ['Makefile']],
  [
    'the settings of pytest',
    ['python', '-m', 'pytest'],
    ['conftest.py', 'pyproject.toml', 'a.py'],
    ['conftest.py', 'pyproject.toml'],
  ],
  ['nothing of ordinary code', ['cargo', 'test'], ['src/lib.rs'], []],
])('%s', (_what, command, changed, inputs) => {
  expect(verifyInputsIn(command, changed, (path) => (path === 'package.json' ? PACKAGE : undefined))).toEqual(inputs);
});

test('a package.json that is no JSON, or refers to itself, changes nothing', () => {
  for (const text of [
    '{',
    '[]',
    'null',
    '{"scripts":{"test":"npm test"}}',
    '{"scripts":{"test":7,"__proto__":"x"}}',
    undefined,
  ])
    expect(verifyInputsIn(['npm', 'test'], ['package.json', 'x'], () => text)).toEqual(['package.json']);
});
