// Every mistake a person can type: its exit code, its exact message (cli-errors.golden.txt), and the same as JSON.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS, GROUPS } from '../../src/surfaces/cli/table/table.ts';
import { bringPlans } from '../support/plans.ts';
import { MAIN, type Ran, type Repo, repoIn, temporaryRepo } from '../support/repo.ts';
import { inPairs, start } from '../support/several.ts';

const GOLDEN = resolve('test/e2e/cli-errors.golden.txt');

interface Mistake {
  readonly argv: readonly string[];
  readonly code: number;
  /** What is special about the situation, for the golden list. */
  readonly where?: string;
  /** The current folder, below the temporary one. */
  readonly cwd?: string;
  readonly env?: (base: string) => NodeJS.ProcessEnv;
}

const [REFUSED, ENVIRONMENT] = [2, 5];
const AGENT = { CADRE_SESSION: 's-7', CADRE_ROLE: 'implementer' };

const MISTAKES: readonly Mistake[] = [
  { argv: ['nope'], code: REFUSED },
  { argv: ['statsu'], code: REFUSED },
  { argv: ['--nope'], code: REFUSED },
  { argv: ['status', '--nope'], code: REFUSED },
  { argv: ['status', '--jsn'], code: REFUSED },
  { argv: ['status', 'search-a', 'search-b'], code: REFUSED },
  { argv: ['move'], code: REFUSED },
  { argv: ['move', 'search-a'], code: REFUSED },
  { argv: ['log', '--limit'], code: REFUSED },
  { argv: ['quarantine', 'show', 'q1', 'q2'], code: REFUSED },
  { argv: ['plan', 'nope'], code: REFUSED },
  { argv: ['plan', 'shwo', 'search-a'], code: REFUSED },
  { argv: ['plan', 'show', '--nope'], code: REFUSED },
  { argv: ['plan', 'show', 'search-a', 'search-b'], code: REFUSED },
  { argv: ['plan', 'diff', 'search-a', 'search-b', 'judged'], code: REFUSED },

  { argv: ['register', 'nowhere'], code: REFUSED },
  { argv: ['run', 'nowhere'], code: REFUSED },
  { argv: ['run', 'draft.md'], code: REFUSED },
  { argv: ['register', 'bad name!'], code: REFUSED },
  { argv: ['register', 'two..dots'], code: REFUSED },
  { argv: ['register', 'branch.lock'], code: REFUSED },
  { argv: ['register', 'x'.repeat(201)], code: REFUSED },
  { argv: ['register', ''], code: REFUSED },
  { argv: ['register', '\x1b[31mred'], code: REFUSED },
  { argv: ['register', 'search-a'], code: REFUSED },

  { argv: ['move', 'search-a', 'fly'], code: REFUSED },
  { argv: ['move', 'search-a', 'constructor'], code: REFUSED },
  { argv: ['move', 'nowhere', 'plan_start'], code: REFUSED },
  { argv: ['move', 'sea', 'plan_start'], code: REFUSED },
  { argv: ['move', 'search-a', 'implement_finished'], code: REFUSED },
  { argv: ['move', 'search-a', 'plan_start', '--feedback', 'well'], code: REFUSED },
  { argv: ['move', 'judged', 'review_changes_requested', '--feedback-file', '/nowhere/at/all'], code: REFUSED },
  { argv: ['move', 'judged', 'review_changes_requested', '--feedback-file', 'docs'], code: REFUSED },
  { argv: ['cancel', 'given-up'], code: REFUSED },
  { argv: ['reopen', 'search-a'], code: REFUSED },
  { argv: ['start-over', 'search-a'], code: REFUSED },
  { argv: ['adopt', 'search-a'], code: REFUSED },
  { argv: ['land'], code: REFUSED },
  { argv: ['land', 'nowhere'], code: REFUSED },
  { argv: ['land', 'search-a'], code: REFUSED },

  { argv: ['move', 'broken', 'implement_start'], code: REFUSED },
  { argv: ['move', 'gone', 'implement_start'], code: REFUSED },
  { argv: ['move', 'a-folder', 'implement_start'], code: REFUSED },
  { argv: ['move', 'bytes', 'implement_start'], code: REFUSED },

  { argv: ['plan', 'show', 'nowhere'], code: REFUSED },
  { argv: ['plan', 'show', ''], code: REFUSED },
  { argv: ['plan', 'show', '\x1b[31mred'], code: REFUSED },
  { argv: ['plan', 'show', 'sea'], code: REFUSED },
  { argv: ['plan', 'show', 'docs'], code: REFUSED },
  { argv: ['plan', 'show', 'gone'], code: REFUSED },
  { argv: ['plan', 'show', 'docs/plans/bytes.md'], code: REFUSED },
  { argv: ['plan', 'show'], code: REFUSED, where: 'outside any repository', cwd: 'outside' },
  { argv: ['plan', 'show', 'nowhere'], code: REFUSED, where: 'outside any repository', cwd: 'outside' },
  { argv: ['plan', 'show'], code: REFUSED, where: 'in a repository without plans', cwd: 'no-plans' },
  { argv: ['plan', 'show'], code: REFUSED, where: 'when the chosen plan is gone', cwd: 'chosen' },
  { argv: ['plan', 'lint', 'nowhere.md'], code: REFUSED },
  { argv: ['plan', 'diff', 'unknown'], code: REFUSED },
  { argv: ['plan', 'diff', 'nowhere'], code: REFUSED },
  { argv: ['plan', 'diff', 'search-a', 'nowhere'], code: REFUSED },
  { argv: ['plan', 'use'], code: REFUSED },
  { argv: ['plan', 'use', 'search-a', '--newest'], code: REFUSED },
  { argv: ['plan', 'use', 'nowhere'], code: REFUSED },
  { argv: ['plan', 'use', 'sea'], code: REFUSED },
  { argv: ['plan', 'use', 'search-a'], code: REFUSED, where: 'as an agent', env: () => AGENT },
  { argv: ['plan', 'use', 'unknown'], code: REFUSED, where: 'as an agent', env: () => AGENT },

  { argv: ['status', 'nowhere'], code: REFUSED },
  { argv: ['status', 'sea'], code: REFUSED },
  { argv: ['why', 'nowhere#1'], code: REFUSED },
  { argv: ['why', 'search-a#9'], code: REFUSED },
  { argv: ['why', 'search-a#'], code: REFUSED },
  { argv: ['why', '#9'], code: REFUSED },
  { argv: ['why', 'broken#1'], code: REFUSED },
  { argv: ['why', 'nowhere'], code: REFUSED },
  { argv: ['why', ''], code: REFUSED },
  { argv: ['why', 'search-a', '9'], code: REFUSED },
  { argv: ['why', 'search-a#1', '2'], code: REFUSED },
  { argv: ['log', '--limit', 'many'], code: REFUSED },
  { argv: ['log', '--limit=-1'], code: REFUSED },
  { argv: ['machines', 'nope'], code: REFUSED },

  { argv: ['launch'], code: REFUSED },
  { argv: ['launch', 'nowhere#1'], code: REFUSED },
  { argv: ['launch', 'tasks'], code: REFUSED },
  { argv: ['launch', 'tasks#9'], code: REFUSED },
  { argv: ['launch', 'tasks', '9'], code: REFUSED },
  { argv: ['launch', 'tasks#'], code: REFUSED },
  { argv: ['launch', 'tasks#1', '2'], code: REFUSED },
  { argv: ['launch', '#9'], code: REFUSED },
  { argv: ['launch', '\x1b[31mred'], code: REFUSED },
  { argv: ['launch', '#1'], code: REFUSED, where: 'in a repository without plans', cwd: 'no-plans' },
  { argv: ['launch', 'tasks#2'], code: REFUSED },
  { argv: ['launch', 'search-b#1'], code: REFUSED },
  { argv: ['launch', 'tasks#1', '--now'], code: REFUSED },
  { argv: ['retry', 'tasks#1'], code: REFUSED },
  { argv: ['revert', 'tasks#2'], code: REFUSED },
  { argv: ['mark-done', 'tasks#1'], code: REFUSED },
  { argv: ['next', 'tasks#1'], code: REFUSED },
  { argv: ['back', 'tasks#1'], code: REFUSED },
  { argv: ['back', 'tasks#1', '--feedback-file', '/nowhere/at/all'], code: REFUSED },
  { argv: ['approve', 'tasks#1'], code: REFUSED },
  { argv: ['approve', 'tasks#1', '--override'], code: REFUSED },
  { argv: ['approve', 'tasks'], code: REFUSED },
  { argv: ['approve', 'judged', '--override'], code: REFUSED },
  { argv: ['approve', 'nowhere'], code: REFUSED },
  { argv: ['reject', 'tasks#1'], code: REFUSED },
  { argv: ['reject', 'tasks#1', '--feedback', 'more tests'], code: REFUSED },
  { argv: ['reject', 'judged'], code: REFUSED },
  { argv: ['reject', 'judged', '--feedback', ' '], code: REFUSED },
  { argv: ['reject', 'tasks', '--feedback', 'more tests'], code: REFUSED },
  { argv: ['abandon', 'tasks#1'], code: REFUSED },
  { argv: ['merge-anyway', 'tasks#1'], code: REFUSED },
  { argv: ['answer'], code: REFUSED },
  { argv: ['answer', 'tasks#1'], code: REFUSED },
  { argv: ['answer', 'tasks#1', 'blue'], code: REFUSED },
  { argv: ['answer', 'tasks#1', 'light', 'blue'], code: REFUSED },
  { argv: ['answer', 'tasks#1', 'blue', '--file', 'docs/plans/tasks.md'], code: REFUSED },
  { argv: ['answer', 'tasks#1', '--file', '/nowhere/at/all'], code: REFUSED },
  { argv: ['questions', 'tasks'], code: REFUSED },
  { argv: ['diff', 'tasks'], code: REFUSED },
  { argv: ['diff', 'tasks#1'], code: REFUSED },
  { argv: ['diff', 'tasks#9'], code: REFUSED },
  { argv: ['freeze', 'tasks'], code: REFUSED },
  ...[
    ['approve', 'tasks#1'],
    ['approve', 'judged'],
    ['reject', 'judged', '--feedback', 'more tests'],
    ['launch', 'tasks#1'],
    ['answer', 'tasks#1', 'blue'],
    ['back', 'tasks#1'],
    ['land', 'search-a'],
    ['freeze'],
    ['thaw'],
  ].map((argv) => ({ argv, code: REFUSED, where: 'as an agent', env: () => AGENT })),

  { argv: ['quarantine', 'nonsense'], code: REFUSED },
  { argv: ['quarantine', 'show'], code: REFUSED },
  { argv: ['quarantine', 'retry', 'q999'], code: REFUSED },

  { argv: ['signal'], code: REFUSED },
  { argv: ['signal', 'nope', '--plan', 'judged'], code: REFUSED },
  { argv: ['signal', 'implement-finished'], code: REFUSED },
  { argv: ['signal', 'cancel', '--plan', 'judged'], code: REFUSED },
  { argv: ['signal', 'review-changes', '--plan', 'judged'], code: REFUSED },
  { argv: ['signal', 'review-changes', '--plan', 'judged', '--body-file', '/nowhere/at/all'], code: REFUSED },
  { argv: ['signal', 'question', '--plan', 'judged', '--body-file', 'docs/plans/judged.md'], code: REFUSED },

  { argv: ['session', 'nope'], code: REFUSED },
  { argv: ['session', 'stop'], code: REFUSED },
  { argv: ['session', 'stop', 'nowhere'], code: REFUSED },
  { argv: ['session', 'stop', ''], code: REFUSED },
  { argv: ['session', 'stop', '\x1b[31mred'], code: REFUSED },
  { argv: ['session', 'stop', 'twin'], code: REFUSED },
  { argv: ['session', 'new', '-p', 'no-such-agent', 'Fix it'], code: REFUSED },
  { argv: ['session', 'new', '-p', '\x1b[31mred'], code: REFUSED },
  { argv: ['session', 'new', '-p', ''], code: REFUSED },
  { argv: ['session', 'new', '-p', "sh -c 'open"], code: REFUSED },
  { argv: ['session', 'new', '-p', 'sleep 1', '--prompt-file', '/nowhere/at/all'], code: REFUSED },
  { argv: ['session', 'new', 'one', 'two'], code: REFUSED },
  { argv: ['session', 'new', '-p', 'sleep 1'], code: REFUSED, where: 'without a commit', cwd: 'no-plans' },
  { argv: ['session', 'new', '-p', 'sleep 1'], code: REFUSED, where: 'as an agent', env: () => AGENT },
  { argv: ['session', 'stop', 'stopped'], code: REFUSED },
  { argv: ['session', 'stop', 'twin a'], code: REFUSED, where: 'as an agent', env: () => AGENT },
  { argv: ['session', 'pause', 'paused'], code: REFUSED },
  { argv: ['session', 'switch', 'paused', '-p', 'sleep 1'], code: REFUSED },
  { argv: ['session', 'switch', 'stopped', '--role', 'boss'], code: REFUSED },
  { argv: ['session', 'switch', 'stopped', '-p', 'no-such-agent --fast'], code: REFUSED },
  { argv: ['session', 'switch', 'stopped', '-p', ''], code: REFUSED },
  { argv: ['session', 'switch', 's1', '-p', 'sleep 1'], code: REFUSED, where: 'when another has followed' },
  { argv: ['session', 'resume', 's1'], code: REFUSED, where: 'when another has followed' },
  { argv: ['session', 'stop', 's1'], code: REFUSED, where: 'when another has followed' },
  { argv: ['session', 'send', 's1', 'hello'], code: REFUSED, where: 'when another has followed' },
  { argv: ['session', 'send', 'stopped', 'hello'], code: REFUSED },
  { argv: ['session', 'send', 'stopped'], code: REFUSED },
  { argv: ['session', 'send', 'stopped', '--file', '/nowhere/at/all'], code: REFUSED },
  { argv: ['session', 'send', 'stopped', 'hello'], code: REFUSED, where: 'as an agent', env: () => AGENT },
  { argv: ['session', 'attach', 'stopped'], code: REFUSED },
  { argv: ['session', 'attach', 'paused'], code: REFUSED },
  { argv: ['session', 'screen', 'nowhere'], code: REFUSED },
  { argv: ['session', 'log', 'nowhere'], code: REFUSED },

  { argv: ['status'], code: REFUSED, where: 'outside any repository', cwd: 'outside' },
  { argv: ['register', 'x'], code: REFUSED, where: 'in a bare repository', cwd: 'bare.git' },
  {
    argv: ['status'],
    code: REFUSED,
    where: 'with a relative CADRE_HOME',
    env: () => ({ CADRE_HOME: 'state' }),
  },
  {
    argv: ['register', 'unknown'],
    code: ENVIRONMENT,
    where: 'with a file as CADRE_HOME',
    env: (base) => ({ CADRE_HOME: join(base, 'file') }),
  },
];

/** For a few hundred commands on a busy machine, in milliseconds. */
const PATIENCE = 1_200_000;

const STACK_TRACE = /^\s+at .+:\d+|node:internal|\bError:|This is a bug in cadre/m;

describe('every mistake gets a message', () => {
  let base: string;
  let repo: Repo;
  let outcomes: ReadonlyMap<Mistake, { readonly text: Ran; readonly json: Ran }>;

  beforeAll(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-test-')));
    repo = placesIn(base);
    outcomes = new Map(await inPairs(MISTAKES, async (mistake) => [mistake, await commit(mistake)] as const));
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(GOLDEN, MISTAKES.map(golden).join('\n'));
  }, PATIENCE);
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  const commit = async (mistake: Mistake): Promise<{ text: Ran; json: Ran }> => {
    const surroundings = {
      cwd: mistake.cwd === undefined ? repo.root : join(base, mistake.cwd),
      env: { ...repo.env, ...mistake.env?.(base) },
    };
    // Right after the command, which may have two words: at the end it could be taken for the value of an option.
    const command = GROUPS[mistake.argv[0] ?? ''] === undefined ? 1 : 2;
    return {
      text: await start(mistake.argv, surroundings),
      json: await start(mistake.argv.toSpliced(command, 0, '--json'), surroundings),
    };
  };

  /** An entry of the golden list: what was typed, the exit code, the message. */
  const golden = (mistake: Mistake): string => {
    const { code, stderr } = outcomeOf(mistake).text;
    const shown = stderr.replaceAll(base, '<folder>').replace(/repo-[0-9a-f]{12}/, 'repo-<hash>');
    return `$ ${titleOf(mistake)}\n[${code}] ${shown}`;
  };

  const outcomeOf = (mistake: Mistake): { readonly text: Ran; readonly json: Ran } => {
    const outcome = outcomes.get(mistake);
    if (outcome === undefined) throw new Error('The mistake was not tried.');
    return outcome;
  };

  for (const mistake of MISTAKES) {
    test(titleOf(mistake), () => {
      const { text } = outcomeOf(mistake);
      expect(text).toMatchObject({ code: mistake.code, stdout: '' });
      expect(text.stderr).not.toMatch(STACK_TRACE);
      expect(text.stderr).not.toMatch(CONTROL);
      // A message, and below it the suggested commands, if there are any.
      expect(text.stderr).toMatch(/^[^\s].*[.)]\n(?: {2}try: cadre .+\n(?: {7}cadre .+\n)*)?$/s);
    });

    test(`${titleOf(mistake)}, as JSON`, () => {
      const { text, json } = outcomeOf(mistake);
      expect(json).toMatchObject({ code: mistake.code, stderr: '' });
      const answer = JSON.parse(json.stdout);
      expect(answer).toEqual({
        version: 1,
        error: { code: expect.stringMatching(CODE), message: expect.any(String), try: expect.any(Array) },
      });
      for (const part of [answer.error.message, ...answer.error.try]) expect(text.stderr).toContain(part);
    });
  }

  test('all messages are those of the golden list', () => {
    expect(MISTAKES.map(golden).join('\n')).toBe(readFileSync(GOLDEN, 'utf8'));
  });

  test('no mistake changes a plan', () => {
    expect(Object.values(repo.planState().plans).map(({ status }) => status)).toEqual(Object.values(PLANS));
  });
});

/** A code of cadre in kebab case, or one of the operating system. */
const CODE = /^[a-z][a-z0-9-]*$|^E[A-Z]+$/;
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

const PLANS = {
  'search-a.md': 'ready',
  'search-b.md': 'planning',
  'judged.md': 'reviewing',
  'finished.md': 'done',
  'given-up.md': 'cancelled',
  'broken.md': 'ready',
  'gone.md': 'ready',
  'a-folder.md': 'ready',
  'bytes.md': 'ready',
  'tasks.md': 'implementing',
};

test('a folder in docs/plans is not a plan, with or without a description', () => {
  const repo = temporaryRepo();
  mkdirSync(join(repo.plans, 'folder.md'));
  for (const argv of [
    ['register', 'folder'],
    ['register', 'folder', '--description', 'a folder'],
  ]) {
    const refused = repo.cadre(...argv);
    expect(refused.code, argv.join(' ')).not.toBe(0);
    expect(refused.stderr).toContain('folder');
  }
});

test('a named pipe in docs/plans is not a plan, and cadre does not wait for its content', () => {
  const repo = temporaryRepo();
  spawnSync('mkfifo', [join(repo.plans, 'pipe.md')]);
  // A program that waits for the pipe would wait for ever without a timeout, and so would the test.
  const ran = spawnSync(process.execPath, [MAIN, 'register', 'pipe'], {
    cwd: repo.root,
    env: repo.env,
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  expect(ran).toMatchObject({ signal: null, stdout: '' });
  expect(ran.status).not.toBe(0);
});

test('log --limit 0 shows nothing, and does not call the journal empty', () => {
  const repo = temporaryRepo();
  repo.writePlan('a.md');
  expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
  expect(repo.cadre('log', '--limit', '0')).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('help for an unknown command names the command', () => {
  const asked = temporaryRepo().cadre('help', 'nope');
  expect(asked.code).toBe(2);
  expect(asked.stderr).toContain('nope');
});

test('every command has a help text with an example', async () => {
  const outside = { cwd: tmpdir(), env: { PATH: process.env.PATH, TZ: 'UTC' } };
  const helps = await inPairs(COMMANDS, async ({ name }) => ({
    name,
    ...(await start([...name.split(' '), '--help'], outside)),
  }));
  for (const { name, code, stdout, stderr } of helps) {
    expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: cadre ${name} `));
    expect(stdout).toMatch(new RegExp(`\\nExamples:\\n(?:.*\\n)*? .*cadre ${name}(?: |\\n)`));
    expect(stdout).toContain('--json');
  }
});

test('lists of commands fit into 80 columns', async () => {
  const outside = { cwd: tmpdir(), env: { PATH: process.env.PATH, TZ: 'UTC' } };
  const helps = await inPairs(['', ...Object.keys(GROUPS)], (group) =>
    start(group === '' ? ['help', '--all'] : [group], outside),
  );
  for (const { code, stdout } of helps) {
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }
});

test('output to a file or a pipe has no escape codes', async () => {
  const repo = temporaryRepo();
  bringPlans(repo, PLANS);
  const commands = [
    ['status'],
    ['log'],
    ['why', 'judged'],
    ['why', 'judged#1'],
    ['plan', 'show', 'judged'],
    ['plan', 'lint', 'judged'],
    ['plan', 'diff', 'judged', 'given-up'],
    ['machines'],
    ['doctor'],
    ['quarantine'],
    ['questions'],
    ['--help'],
    ['nope'],
  ];
  for (const env of [{}, { NO_COLOR: '1', TERM: 'xterm-256color' }]) {
    const ran = await inPairs(commands, (argv) => start(argv, { cwd: repo.root, env: { ...repo.env, ...env } }));
    expect(ran.filter(({ stdout, stderr }) => CONTROL.test(stdout + stderr))).toEqual([]);
  }
});

/** A stopped session that replaced another, a paused one, and two whose titles start alike. */
function startSessions(repo: Repo): void {
  repo.env.CADRE_HOST = 'process';
  for (const title of ['stopped', 'paused', 'twin a', 'twin b'])
    expect(repo.cadre('session', 'new', '--title', title, '-p', 'sleep 600')).toMatchObject({ code: 0 });
  for (const argv of [
    ['switch', 'stopped', '-p', 'sleep 601'],
    ['stop', 'stopped'],
    ['pause', 'paused'],
    ['stop', 'twin a'],
    ['stop', 'twin b'],
  ])
    expect(repo.cadre('session', ...argv)).toMatchObject({ code: 0 });
}

function placesIn(base: string): Repo {
  const repo = repoIn(base);
  // First, so that their ids do not depend on anything else.
  startSessions(repo);
  bringPlans(repo, PLANS);
  for (const folder of ['outside', 'bare.git', 'no-plans', 'chosen']) mkdirSync(join(base, folder));
  repo.git('init', '-q', '--bare', join(base, 'bare.git'));
  repo.git('init', '-q', join(base, 'no-plans'));
  chooseAndLose(repo, join(base, 'chosen'));
  writeFileSync(join(base, 'file'), '');
  writeFileSync(join(repo.root, 'draft.md'), '# A draft\n');
  repo.writePlan('unknown.md');
  repo.writePlan('known.md');
  // The first command imports plan-state.json and says so; the others do not.
  expect(repo.cadre('adopt', 'judged')).toMatchObject({ code: 2 });
  repo.writePlan('broken.md', '# Broken\n\n```\n### Task 1: Dig\n');
  repo.writePlan('tasks.md', '# Tasks\n\n### Task 1: Dig\n\n### Task 2: Pour\n');
  writeFileSync(join(repo.plans, 'bytes.md'), Buffer.from([0x23, 0x20, 0xff]));
  expect(repo.cadre('plan', 'use', 'tasks')).toMatchObject({ code: 0 });
  for (const plan of ['gone.md', 'a-folder.md']) rmSync(join(repo.plans, plan));
  mkdirSync(join(repo.plans, 'a-folder.md'));
  return repo;
}

function chooseAndLose(repo: Repo, root: string): void {
  repo.git('init', '-q', root);
  const path = join(root, 'docs', 'plans', 'lost.md');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '# Lost\n');
  expect(repo.cadreWith({ cwd: root }, 'plan', 'use', 'lost')).toMatchObject({ code: 0 });
  rmSync(path);
}

function titleOf({ argv, where }: Mistake): string {
  const typed = argv.map((word) => (/^[\w./=-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
  const short = typed.length > 120 ? `${typed.slice(0, 120)}...` : typed;
  return `cadre ${short}${where === undefined ? '' : `   (${where})`}`;
}
