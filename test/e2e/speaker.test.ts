// Who runs a command: inside a session it is the agent, even if it changes its environment.
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needing } from '../support/needs.ts';
import { bringPlans } from '../support/plans.ts';
import { MAIN, type Ran, type Repo, temporaryRepo } from '../support/repo.ts';

const SESSION = { CADRE_SESSION: 's-7', CADRE_ROLE: 'implementer' };
const NOT_AN_AGENTS = '"cancel" is a person\'s decision; the implementer (session s-7) cannot make it.\n';

describe('inside a session', () => {
  for (const { argv, sentence } of [
    { argv: ['cancel', 'a'], sentence: NOT_AN_AGENTS },
    { argv: ['move', 'a', 'cancel'], sentence: NOT_AN_AGENTS },
    {
      argv: ['reopen', 'a'],
      sentence: '"reopen" is a person\'s decision; the implementer (session s-7) cannot make it.\n',
    },
    {
      argv: ['start-over', 'a'],
      sentence: '"start_over" is a person\'s decision; the implementer (session s-7) cannot make it.\n',
    },
    {
      argv: ['move', 'a', 'implement_start'],
      sentence: '"implement_start" starts work, which only a person may do; the implementer (session s-7) cannot.\n',
    },
    {
      argv: ['move', 'a', 'review_approved'],
      sentence: '"review_approved" is for the reviewer of a plan; the implementer (session s-7) cannot send it.\n',
    },
    {
      argv: ['register', 'b'],
      sentence: 'Only a person may register a plan. An agent that has written one sends "planner-finished".\n',
    },
    {
      argv: ['adopt', 'a'],
      sentence: 'Only a person may adopt the state in plan-state.json.\n',
    },
    {
      argv: ['doctor', '--use-journal'],
      sentence: `"doctor --use-journal" is a person's decision; the implementer (session s-7) cannot make it.\n`,
    },
  ])
    test(`"cadre ${argv.join(' ')}" counts as the agent's, and is refused`, () => {
      const repo = reviewedPlan();
      expectRefused(repo, repo.cadreWith({ env: SESSION }, ...argv), sentence);
    });

  test('reading is allowed', () => {
    const repo = reviewedPlan();
    for (const argv of [['status'], ['why', 'a'], ['log'], ['machines']])
      expect(repo.cadreWith({ env: SESSION }, ...argv)).toMatchObject({ code: 0 });
  });
});

needing('proc', () => {
  describe('an agent is recognised by its ancestors when it', () => {
    for (const { how, script } of [
      {
        how: 'clears its environment',
        script: 'env -i PATH="$PATH" HOME="$HOME" CADRE_HOME="$CADRE_HOME" "$0" "$1" cancel a; exit $?',
      },
      { how: 'removes the variable', script: 'unset CADRE_SESSION CADRE_ROLE; "$0" "$1" cancel a; exit $?' },
      { how: 'empties the variable', script: 'CADRE_SESSION= CADRE_ROLE= "$0" "$1" cancel a; exit $?' },
      {
        how: 'hides behind several shells',
        script:
          'env -u CADRE_SESSION sh -c \'sh -c "\\"$0\\" \\"$1\\" cancel a; exit \\$?" "$0" "$1"; exit $?\' "$0" "$1"; exit $?',
      },
    ])
      test(how, () => {
        const repo = reviewedPlan();
        expectRefused(repo, inShell(repo, script), NOT_AN_AGENTS);
      });

    test('hides behind a program whose name looks like the rest of its line in /proc', () => {
      const repo = reviewedPlan();
      const disguised = join(repo.root, '..', 'a) S 1 (b');
      symlinkSync('/bin/sh', disguised);
      const script = `env -u CADRE_SESSION "${disguised}" -c '"$0" "$1" cancel a; exit $?' "$0" "$1"; exit $?`;
      expectRefused(repo, inShell(repo, script), NOT_AN_AGENTS);
    });
  });
});

test('outside a session a command is one of the person', () => {
  const repo = reviewedPlan();
  expect(repo.cadre('cancel', 'a')).toMatchObject({ code: 0, stdout: 'a.md: reviewing -> cancelled\n' });
  expect(repo.status('a.md')).toBe('cancelled');
});

function expectRefused(repo: Repo, ran: Ran, sentence: string): void {
  // The first command in a repository also reports what it imported.
  expect(ran).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(/\n$/) });
  expect(ran.stderr.replace('a.md was imported from plan-state.json.\n', '')).toBe(sentence);
  expect(Object.entries(repo.planState().plans).map(([plan, { status }]) => [plan, status])).toEqual([
    ['a.md', 'reviewing'],
  ]);
}

function reviewedPlan(): Repo {
  const repo = temporaryRepo();
  bringPlans(repo, { 'a.md': 'reviewing' });
  repo.writePlan('b.md');
  return repo;
}

/** Runs a script in an agent's shell; $0 and $1 are node and the program. The shell must not exec its last command. */
function inShell(repo: Repo, script: string): Ran {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, MAIN], {
    cwd: repo.root,
    env: { ...repo.env, ...SESSION },
    encoding: 'utf8',
  });
  return { code: status ?? -1, stdout, stderr };
}
