// Mistakes that people make in their first hours, each made once: what happened, what to do about it, and the exit code.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAIN, type Ran, type Repo, temporaryRepo } from '../support/repo.ts';

const GOLDEN = resolve('test/e2e/typical-mistakes.golden.txt');

interface Mistake {
  readonly what: string;
  readonly argv: readonly string[];
  /** Makes the situation in a repository with one commit, a plan "search", an agent and a verify command. */
  readonly given?: (repo: Repo) => void;
  readonly env?: (repo: Repo) => NodeJS.ProcessEnv;
  /** The current folder, seen from the repository. */
  readonly cwd?: string;
  /** It is no obstacle: cadre says what it does about it. */
  readonly works?: true;
  /** Options of node, before the program. */
  readonly node?: (repo: Repo) => readonly string[];
}

const PLAN = '# Search\n\n### Task 1: Find\n\n**Files:**\n- Create: `find.txt`\n\nWrite find.txt.\n';

const MISTAKES: readonly Mistake[] = [
  { what: 'a misspelt command', argv: ['statsu'] },
  { what: 'a misspelt option', argv: ['run', 'search', '--dryrun'] },
  { what: 'a misspelt plan', argv: ['run', 'serch'] },
  { what: 'a task that does not exist', argv: ['why', 'search#9'], given: registered },
  { what: 'a task where a plan is needed', argv: ['run', 'search#1'], given: registered },
  { what: 'a part of a setting that does not exist', argv: ['config', 'set', 'limits.fixing', '2'] },
  { what: 'two plans at once', argv: ['run', 'search', 'other'] },
  { what: 'a plan is missing', argv: ['cancel'] },
  { what: 'no plan at all', argv: ['run'], given: (repo) => rmSync(join(repo.plans, 'search.md')) },
  { what: 'not a git repository', argv: ['status'], cwd: '../elsewhere' },
  { what: 'init outside a git repository', argv: ['init'], cwd: '../elsewhere' },
  { what: 'a bare repository', argv: ['status'], cwd: '../bare' },
  { what: 'git is not installed', argv: ['run', 'search'], env: onlyWith() },
  { what: 'no commit yet', argv: ['run', 'search'], cwd: '../fresh' },
  {
    what: 'detached HEAD',
    argv: ['run', 'search', '--dry-run'],
    given: (repo) => void repo.git('checkout', '-q', '--detach'),
    works: true,
  },
  { what: 'no test command', argv: ['run', 'search'], given: set({ default_program: 'sh' }) },
  { what: 'no agent program', argv: ['run', 'search'], given: set({ verify: 'true' }), env: onlyWith('git', 'true') },
  {
    what: 'the agent of a session is not installed',
    argv: ['session', 'new', '-p', 'no-such-agent', 'hello'],
  },
  {
    what: 'the program of the verify command is not installed',
    argv: ['run', 'search'],
    given: set({ default_program: 'sh', verify: 'no-such-runner test' }),
  },
  {
    what: 'a verify command that needs a shell',
    argv: ['run', 'search'],
    given: set({ default_program: 'sh', verify: 'make && make test' }),
  },
  {
    what: 'the program of the setup command is not installed',
    argv: ['run', 'search'],
    given: set({ default_program: 'sh', verify: 'true', setup: 'no-such-installer' }),
  },
  { what: 'a plan in another folder', argv: ['run', 'ideas/other.md'], given: file('ideas/other.md', PLAN) },
  { what: 'the README as a plan', argv: ['run', 'README.md'], given: file('README.md', '# Read me\n') },
  { what: 'an empty plan', argv: ['run', 'empty'], given: file('docs/plans/empty.md', '') },
  {
    what: 'a plan with the same task twice',
    argv: ['run', 'twice'],
    given: file('docs/plans/twice.md', '# T\n\n### Task 1: A\n\nA.\n\n### Task 1: B\n\nB.\n'),
  },
  {
    what: 'a checklist of another tool as a plan',
    argv: ['plan', 'lint', 'list'],
    given: file('docs/plans/list.md', '# L\n\n- [ ] 1. One\n- [ ] 2. Two\n'),
  },
  {
    what: 'a heading that is nearly a task',
    argv: ['plan', 'lint', 'near'],
    given: file('docs/plans/near.md', '# N\n\n### Task 1: A\n\nA.\n\n### Task2: B\n\nB.\n'),
  },
  { what: 'cadre.json is broken', argv: ['run', 'search'], given: file('cadre.json', '{ "verify": "true", }') },
  { what: 'a misspelt setting', argv: ['config', 'set', 'max_paralel', '3'] },
  { what: 'a setting of the wrong type', argv: ['config', 'set', 'max_parallel', 'many'] },
  { what: 'a setting of the project for all projects', argv: ['config', 'set', 'verify', 'npm test'] },
  { what: 'plan-state.json is broken', argv: ['move', 'search', 'plan_start'], given: brokenState, works: true },
  { what: 'docs/plans is a file', argv: ['register', 'search'], given: plansIsFile },
  {
    what: 'the home of cadre is not a folder',
    argv: ['register', 'search'],
    env: (repo) => ({ CADRE_HOME: join(repo.root, 'README') }),
    given: file('README', ''),
  },
  {
    what: 'no rights in the home of cadre',
    argv: ['register', 'search'],
    env: () => ({ CADRE_HOME: '/proc/cadre' }),
  },
  { what: 'the disk is full', argv: ['register', 'search'], node: fullDisk },
  { what: 'an old Node', argv: ['status'], node: oldNode },
  { what: 'a parallelism of zero', argv: ['run', 'search', '--max-parallel', '0'] },
  { what: 'approving what nobody has built', argv: ['approve', 'search#1'], given: registered },
  { what: 'answering without a question', argv: ['answer', 'search#1', 'yes'], given: registered },
  { what: 'rejecting without a reason', argv: ['reject', 'search#1'], given: registered },
  { what: 'retrying what was never started', argv: ['retry', 'search#1'], given: registered },
  { what: 'landing an unfinished plan', argv: ['land', 'search'], given: registered },
  { what: 'the output of a task that never ran', argv: ['output', 'search#1'], given: registered },
  { what: 'the diff of a task that never ran', argv: ['diff', 'search#1'], given: registered },
  { what: 'an unknown session', argv: ['session', 'attach', 's99'] },
  { what: 'restoring what was never kept', argv: ['restore', 'search/t1-a1/1'], given: registered },
  { what: 'importing a file that does not exist', argv: ['plan', 'import', 'tasks.md'] },
  { what: 'planning without a brief', argv: ['plan', 'new'] },
  { what: 'registering twice', argv: ['register', 'search'], given: registered },
];

describe('every typical mistake gets a sentence and a remedy', () => {
  const outcomes = new Map<Mistake, string>();

  test.each(MISTAKES.map((mistake) => ({ mistake, what: mistake.what })))('$what', ({ mistake }) => {
    const { code, stdout, stderr, shown } = made(mistake);
    outcomes.set(mistake, shown);
    expect(code === 0).toBe(mistake.works ?? false);
    expect(`${stdout}${stderr}`).not.toMatch(/^\s+at .+:\d+|node:internal|This is a bug/m);
    if (mistake.works !== true) expect(shown).toMatch(REMEDY);
  });

  test('all answers are those of the golden list', () => {
    expect(outcomes.size).toBe(MISTAKES.length);
    const text = `${MISTAKES.map((mistake) => outcomes.get(mistake)).join('\n')}`;
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(GOLDEN, text);
    expect(text).toBe(readFileSync(GOLDEN, 'utf8'));
  });
});

/** A command to type, or an imperative. */
const REMEDY =
  /try: cadre |See "cadre |Did you mean|must be |\b(?:Add|Change|Choose|Clone|Close|Commit|Correct|Fix|Free|Give|Install|Make|Move|Name|Point|Put|Quote|Remove|Run|Say|Set|Use|Write)\b/;

function made({ what, argv, given, env, cwd, node }: Mistake): Ran & { readonly shown: string } {
  const repo = temporaryRepo();
  const base = dirname(repo.root);
  writeFileSync(join(repo.root, 'cadre.json'), '{ "default_program": "sh", "verify": "true" }');
  repo.writePlan('search.md', PLAN);
  mkdirSync(join(base, 'elsewhere'));
  repo.git('init', '-q', '--bare', join(base, 'bare'));
  if (cwd === '../fresh') {
    repo.git('init', '-q', join(base, 'fresh'));
    mkdirSync(join(base, 'fresh/docs/plans'), { recursive: true });
    writeFileSync(join(base, 'fresh/docs/plans/search.md'), PLAN);
    writeFileSync(join(base, 'fresh/cadre.json'), '{ "default_program": "sh", "verify": "true" }');
  }
  given?.(repo);
  const result = spawnSync(process.execPath, [...(node?.(repo) ?? []), MAIN, ...argv], {
    cwd: resolve(repo.root, cwd ?? '.'),
    env: { ...repo.env, GIT_CEILING_DIRECTORIES: base, CADRE_HOST: 'process', ...env?.(repo) },
    input: '',
    encoding: 'utf8',
  });
  repo.cadre('engine', 'stop');
  const ran = { code: result.status ?? -1, stdout: result.stdout, stderr: result.stderr };
  const text = `${ran.stdout}${ran.stderr}`
    .replaceAll(base, '<folder>')
    .replace(/repo-[0-9a-f]{12}/g, 'repo-<hash>')
    .replaceAll(process.versions.node, '<version>');
  return { ...ran, shown: `## ${what}\n$ cadre ${argv.join(' ')}\n${text}[exit code ${ran.code}]\n` };
}

function registered(repo: Repo): void {
  repo.cadre('register', 'search');
}

function set(settings: object): (repo: Repo) => void {
  return file('cadre.json', JSON.stringify(settings));
}

function file(path: string, text: string): (repo: Repo) => void {
  return (repo) => {
    mkdirSync(dirname(join(repo.root, path)), { recursive: true });
    writeFileSync(join(repo.root, path), text);
  };
}

function brokenState(repo: Repo): void {
  registered(repo);
  writeFileSync(join(repo.plans, 'plan-state.json'), '{ "plans": <<<<<<< HEAD');
}

function plansIsFile(repo: Repo): void {
  rmSync(repo.plans, { recursive: true });
  writeFileSync(repo.plans, '');
}

/** A PATH with these programs only. */
function onlyWith(...programs: readonly string[]): (repo: Repo) => NodeJS.ProcessEnv {
  return (repo) => {
    const bin = join(dirname(repo.root), 'bin');
    mkdirSync(bin);
    for (const program of programs)
      for (const folder of (process.env.PATH ?? '').split(':'))
        if (existsSync(join(folder, program)) && !existsSync(join(bin, program)))
          symlinkSync(join(folder, program), join(bin, program));
    return { PATH: bin };
  };
}

/** Every write of the program fails as on a full disk. */
function fullDisk(repo: Repo): readonly string[] {
  return preloaded(
    repo,
    `const fs = require('node:fs');
    const full = () => { throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }); };
    const { writeSync } = fs;
    fs.writeSync = (file, ...more) => (file > 2 ? full() : writeSync(file, ...more));
    fs.writeFileSync = full; fs.appendFileSync = full;
    require('node:module').syncBuiltinESMExports();`,
  );
}

function oldNode(repo: Repo): readonly string[] {
  return preloaded(
    repo,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });`,
  );
}

function preloaded(repo: Repo, script: string): readonly string[] {
  const path = join(dirname(repo.root), 'preload.cjs');
  writeFileSync(path, script);
  return ['--require', path];
}
