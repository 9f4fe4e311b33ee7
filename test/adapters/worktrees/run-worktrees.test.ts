// Worktrees of runs on real git: set up from any state, inspected, undone, pinned, removed and restored, with nothing lost.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findRepo } from '../../../src/adapters/repo/repo.ts';

import { REVIEW_TREE, type Tree, type TreeName, treeName } from '../../../src/core/model/run-name.ts';
import { portVariables, type SetupOutcome } from '../../../src/core/ports/worktrees.ts';
import { isLive, textOf } from '../../support/hosts.ts';
import { contentsOf, failureOf } from '../../support/pieces.ts';
import {
  BRANCH,
  filesOf,
  litter,
  NOTHING_TO_SET_UP,
  openBench,
  ownOf,
  PLAN,
  PLAN_BRANCH,
  RUN,
  type RunBench,
  runBench,
  work,
  write,
} from '../../support/run-bench.ts';

const branchAt = (at: RunBench, path = at.path): string => at.git(path, 'branch', '--show-current').trim();
const statusAt = (at: RunBench, path = at.path): string => at.git(path, 'status', '--porcelain');
const second: Tree = { plan: PLAN, name: 't2-a1' as TreeName };
const review: Tree = { plan: PLAN, name: REVIEW_TREE };

/** Fails the test if the worktree is not ready. */
function ready(answer: SetupOutcome): Extract<SetupOutcome, { kind: 'ready' }> {
  if (answer.kind !== 'ready') throw new Error(answer.why);
  return answer;
}

describe('the plan branch', () => {
  test('lands on the recorded branch, even if the person has switched branches since', async () => {
    const at = runBench({ branch: 'develop' });
    at.git(at.root, 'checkout', '-q', '-b', 'something-else');
    expect((await at.trees.baseOf(PLAN, 'develop')).branch).toBe('develop');
    // Version 0.1.0 recorded it in a ref.
    at.git(at.root, 'symbolic-ref', 'refs/cadre/landing/build-it', 'refs/heads/develop');
    expect((await at.trees.baseOf(PLAN, undefined)).branch).toBe('develop');
  });

  test.each<[string, (at: RunBench) => void, string | undefined, string]>([
    ['the configured branch', ({ git, root }) => git(root, 'branch', 'trunk'), 'trunk', 'trunk'],
    [
      'the configured branch, even if only the remote has it',
      ({ git, root, commit }) => git(root, 'update-ref', 'refs/remotes/origin/next', commit('HEAD')),
      'next',
      'next',
    ],
    [
      'the remote’s default branch, if the main checkout is on a plan branch',
      ({ git, root, commit }) => {
        git(root, 'update-ref', 'refs/remotes/origin/next', commit('HEAD'));
        git(root, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/next');
        git(root, 'checkout', '-q', '-b', 'plan/other');
      },
      undefined,
      'next',
    ],
    [
      'main, if the main checkout is detached',
      ({ git, root }) => git(root, 'checkout', '-q', '--detach'),
      undefined,
      'main',
    ],
  ])('starts from %s', async (_what, prepare, configured, base) => {
    const at = runBench();
    prepare(at);
    expect(await at.trees.baseOf(PLAN, configured)).toMatchObject({ branch: base, commit: at.commit('HEAD') });
  });

  test.each<[string, (at: RunBench) => void, string | undefined, string]>([
    [
      'no commit',
      ({ git, root }) => git(root, 'checkout', '-q', '--orphan', 'empty'),
      undefined,
      'Commit something first.',
    ],
    ['no branch of that name', () => undefined, 'nowhere', '"nowhere"'],
    [
      'no branch to start from',
      ({ git, root }) => {
        git(root, 'checkout', '-q', '--detach');
        git(root, 'branch', '-q', '-m', 'main', 'odd');
      },
      undefined,
      '"base_branch"',
    ],
  ])('says what to do with %s', async (_what, prepare, configured, says) => {
    const at = runBench();
    prepare(at);
    expect((await failureOf(() => at.trees.baseOf(PLAN, configured))).message).toContain(says);
  });

  test('says what to do with a branch named "plan"', async () => {
    const at = runBench();
    at.git(at.root, 'branch', 'plan');
    expect((await failureOf(() => at.planBranch())).message).toContain(
      'The branch "plan" exists, so git cannot create a branch above or below that name.',
    );
  });

  test('is created once for runs that are launched together', async () => {
    const bench = runBench();
    const asked = await Promise.all([1, 2, 3, 4].map(() => bench.planBranch()));
    expect(new Set(asked)).toEqual(new Set([bench.commit(PLAN_BRANCH)]));
  });

  test('is pinned and deleted once per generation, and starts again from the base', async () => {
    const at = runBench();
    await at.planBranch();
    at.git(
      at.root,
      'update-ref',
      `refs/heads/${PLAN_BRANCH}`,
      at.git(at.root, 'commit-tree', 'HEAD^{tree}', '-m', 'x').trim(),
    );
    const old = at.commit(PLAN_BRANCH);
    expect(await at.trees.renewBranch(PLAN, 1)).toEqual({ kind: 'renewed', pinned: old });
    expect(await at.planBranch()).toBe(at.commit('main'));
    expect(await at.trees.renewBranch(PLAN, 1)).toEqual({ kind: 'renewed', pinned: old });
    expect([at.commit(PLAN_BRANCH), at.commit('refs/cadre/keep/build-it/plan/1')]).toEqual([at.commit('main'), old]);
    await at.trees.renewBranch(PLAN, 2);
    expect(at.commit('refs/cadre/keep/build-it/plan/2')).toBe(at.commit('main'));
  });

  test('is not deleted while it is checked out', async () => {
    const at = runBench();
    at.git(at.root, 'checkout', '-q', '-b', PLAN_BRANCH);
    const answer = await at.trees.renewBranch(PLAN, 1);
    expect(answer).toMatchObject({ kind: 'occupied', path: at.root });
    expect(branchAt(at, at.root)).toBe(PLAN_BRANCH);
  });
});

describe('setup creates the worktree from', () => {
  const cells: Readonly<Record<string, (at: RunBench) => unknown>> = {
    nothing: () => undefined,
    'only a branch': ({ git, root }) => git(root, 'branch', BRANCH),
    'only a registration': async (at) => {
      await at.setUp();
      rmSync(at.path, { recursive: true });
      at.git(at.root, 'update-ref', '-d', `refs/heads/${BRANCH}`);
    },
    'a registration and a branch': async (at) => {
      await at.setUp();
      rmSync(at.path, { recursive: true });
    },
    'an empty folder': ({ path }) => mkdirSync(path, { recursive: true }),
    'an empty folder and a branch': ({ git, root, path }) => {
      git(root, 'branch', BRANCH);
      mkdirSync(path, { recursive: true });
    },
    'an empty folder, a registration and a branch': async (at) => {
      await at.setUp();
      rmSync(at.path, { recursive: true });
      mkdirSync(at.path);
    },
    'a worktree whose branch was deleted': async (at) => {
      await at.setUp();
      at.git(at.root, 'update-ref', '-d', `refs/heads/${BRANCH}`);
    },
    'the existing worktree': (at) => at.setUp(),
    'a detached worktree': async (at) => {
      await at.setUp();
      at.git(at.path, 'switch', '-q', '--detach');
    },
    'a removed worktree': async (at) => {
      await at.setUp();
      await at.trees.remove(RUN);
    },
    // The state that git leaves when it is killed during checkout.
    'a half-made worktree': (at) => {
      at.git(at.root, 'worktree', 'add', '-q', '--no-checkout', '-b', BRANCH, at.path);
      const own = join(at.root, '.git', 'worktrees', 't1-a1');
      writeFileSync(join(own, 'locked'), 'initializing\n');
      writeFileSync(join(own, 'index.lock'), '');
      writeFileSync(join(at.path, 'tracked'), 'half');
    },
    'a half-made worktree with an empty .git': (at) => {
      at.git(at.root, 'worktree', 'add', '-q', '--no-checkout', '-b', BRANCH, at.path);
      const own = join(at.root, '.git', 'worktrees', 't1-a1');
      for (const name of readdirSync(own)) if (name !== 'gitdir') rmSync(join(own, name), { recursive: true });
      writeFileSync(join(own, 'locked'), 'initializing\n');
      writeFileSync(join(at.path, '.git'), '');
    },
    'a half-made worktree without a folder': (at) => {
      at.git(at.root, 'worktree', 'add', '-q', '--no-checkout', '-b', BRANCH, at.path);
      writeFileSync(join(at.root, '.git', 'worktrees', 't1-a1', 'locked'), 'initializing\n');
      rmSync(at.path, { recursive: true });
    },
  };

  test.each(Object.entries(cells))('%s, and a second call changes nothing', async (_what, prepare) => {
    const at = runBench();
    await at.planBranch();
    await prepare(at);
    const base = at.commit('main');
    const first = ready(await at.setUp());
    expect(first).toMatchObject({ path: at.path, base, notes: [] });
    expect([branchAt(at), statusAt(at), at.commit(BRANCH)]).toEqual([BRANCH, '', base]);
    const seen = () => [
      contentsOf(at.path),
      at.git(at.root, 'worktree', 'list', '--porcelain'),
      at.git(at.root, 'show-ref'),
    ];
    const before = seen();
    expect(await openBench(at.base).setUp()).toEqual(first);
    expect(seen()).toEqual(before);
  });

  test.each<[string, (at: RunBench) => void]>([
    ['a deleted branch', (at) => at.git(at.root, 'update-ref', '-d', `refs/heads/${BRANCH}`)],
    ['nothing missing', () => undefined],
  ])('a worktree with an agent’s work, keeping all of it, with %s', async (_what, prepare) => {
    const at = runBench();
    const { base } = ready(await at.setUp());
    const head = work(at, { made: 'by the agent\n' });
    litter(at);
    prepare(at);
    const files = filesOf(at.path);
    expect(ready(await at.setUp()).base).toBe(base);
    expect([at.commit(BRANCH), branchAt(at), filesOf(at.path)]).toEqual([head, BRANCH, files]);
  });

  /** Every combination of missing folder, registration and branch after an agent has committed. */
  const losses: Readonly<Record<string, (at: RunBench) => void>> = {
    'its folder': (at) => rmSync(at.path, { recursive: true }),
    'its folder and its registration': (at) => void at.git(at.root, 'worktree', 'remove', '--force', at.path),
    'its folder and its branch': (at) => {
      rmSync(at.path, { recursive: true });
      at.git(at.root, 'update-ref', '-d', `refs/heads/${BRANCH}`);
    },
    'its folder, its registration and its branch': (at) => {
      at.git(at.root, 'worktree', 'remove', '--force', at.path);
      at.git(at.root, 'branch', '-q', '-D', BRANCH);
    },
    'everything in its folder': (at) => {
      rmSync(at.path, { recursive: true });
      mkdirSync(at.path);
    },
    'its branch': (at) => void at.git(at.root, 'update-ref', '-d', `refs/heads/${BRANCH}`),
  };

  test.each(Object.entries(losses))('a run that lost %s, with all of its commits', async (_what, lose) => {
    const at = runBench();
    const { base } = ready(await at.setUp());
    const head = work(at, { made: 'by the agent\n' });
    lose(at);
    const again = () => at.trees.setUp(RUN, at.commit(PLAN_BRANCH), { ...NOTHING_TO_SET_UP, head });
    expect(ready(await again())).toMatchObject({ path: at.path, base });
    expect([branchAt(at), at.commit(BRANCH), statusAt(at)]).toEqual([BRANCH, head, '']);
    expect(ready(await again()).base).toBe(base);
    expect(at.commit(BRANCH)).toBe(head);
  });

  test('the commit that the plan branch was at during the first call, even if it has moved on', async () => {
    const at = runBench();
    const { base } = ready(await at.setUp());
    const later = at.git(at.root, 'commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'another task').trim();
    at.git(at.root, 'update-ref', `refs/heads/${PLAN_BRANCH}`, later);
    rmSync(at.path, { recursive: true });
    expect(ready(await at.setUp()).base).toBe(base);
    expect(ready(await at.setUp(second)).base).toBe(later);
  });

  test('forty runs at once', async () => {
    const at = runBench();
    await at.planBranch();
    const runs = Array.from({ length: 40 }, (_, index): Tree => ({ plan: PLAN, name: `t${index}-a1` as TreeName }));
    const made = await Promise.all(runs.map((run) => at.trees.setUp(run, at.commit(PLAN_BRANCH), NOTHING_TO_SET_UP)));
    expect(new Set(made.map((answer) => ready(answer).portBase)).size).toBe(40);
    expect(at.git(at.root, 'worktree', 'list').trim().split('\n')).toHaveLength(41);
  });

  test.each(['with space', 'quo\'te"s', 'żółw 漢字 🐢', '$(touch canary)', '-C', 'line\nend'])(
    'a repository in the folder %j',
    async (folder) => {
      const at = runBench({ folder });
      ready(await at.setUp());
      work(at, { made: 'x' });
      litter(at);
      const before = filesOf(at.path);
      expect(await at.trees.remove(RUN)).toMatchObject({ kind: 'removed' });
      expect(await at.trees.restore(RUN)).toMatchObject({ kind: 'restored' });
      expect(filesOf(at.path)).toEqual(before);
      expect(existsSync(join(at.root, 'canary'))).toBe(false);
    },
  );

  test.each(['a linked worktree', 'a folder inside'])('a repository if cadre is started from %s', async (where) => {
    const at = runBench();
    at.git(at.root, 'worktree', 'add', '-q', join(at.base, 'linked'), '-b', 'mine');
    const folder = where === 'a folder inside' ? join(at.root, 'deep') : join(at.base, 'linked');
    const { root, gitFolder } = findRepo(folder, at.env);
    expect({ root, gitFolder }).toEqual({ root: at.root, gitFolder: at.places.gitFolder });
  });

  test('a SHA-256 repository', async () => {
    const at = runBench({ format: 'sha256' });
    expect(ready(await at.setUp()).base).toMatch(/^[0-9a-f]{64}$/);
    litter(at);
    const before = filesOf(at.path);
    expect(await at.trees.undo(RUN, at.commit('main'))).toMatchObject({ kind: 'undone' });
    expect(await at.trees.restore(RUN)).toMatchObject({ kind: 'restored' });
    expect(filesOf(at.path)).toEqual(before);
  });
});

describe('setup refuses, and touches nothing, with', () => {
  test.each<[string, (at: RunBench) => void]>([
    ['a folder with files', ({ path }) => write(path, 'mine', 'x')],
    [
      'a file',
      ({ path }) => {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, 'mine');
      },
    ],
    [
      'another repository',
      (at) => {
        mkdirSync(at.path, { recursive: true });
        at.git(at.path, 'init', '-q');
      },
    ],
    [
      'a worktree without a registration',
      (at) => {
        at.git(at.root, 'worktree', 'add', '-q', '--detach', at.path);
        rmSync(join(at.root, '.git', 'worktrees'), { recursive: true });
      },
    ],
  ])('%s', async (_what, prepare) => {
    const at = runBench();
    prepare(at);
    const before = contentsOf(at.worktrees);
    for (const _time of ['once', 'twice']) expect((await failureOf(() => at.setUp())).message).toContain(at.path);
    expect(contentsOf(at.worktrees)).toEqual(before);
  });

  test('a missing worktree that someone locked', async () => {
    const at = runBench();
    await at.setUp();
    at.git(at.root, 'worktree', 'lock', '--reason', 'on a stick', at.path);
    renameSync(at.path, `${at.path}-away`);
    expect((await failureOf(() => at.setUp())).message).toContain('locked it (on a stick)');
    renameSync(`${at.path}-away`, at.path);
    expect(branchAt(at)).toBe(BRANCH);
  });

  test('a branch that is checked out elsewhere', async () => {
    const at = runBench();
    at.git(at.root, 'checkout', '-q', '-b', BRANCH);
    at.git(at.root, 'branch', PLAN_BRANCH);
    expect((await failureOf(() => at.setUp())).message).toContain(at.root);
  });
});

describe('.worktreeinclude', () => {
  test('copies the ignored files that match, unchanged, and no others', async () => {
    const at = runBench();
    write(at.root, '.worktreeinclude', '.env*\n!.env.no\nignored/config/\ntracked\nuntracked\n');
    write(at.root, '.env', 'SECRET=1\n');
    write(at.root, '.env.no', 'x');
    write(at.root, 'deep/.env.local', 'deep\n');
    write(at.root, 'ignored/config/one', 'one');
    write(at.root, 'ignored/other', 'no');
    write(at.root, 'tracked', 'changed by the person\n');
    write(at.root, 'untracked', 'not ignored');
    chmodSync(join(at.root, '.env'), 0o600);
    ready(await at.setUp());
    const brought = [...filesOf(at.path).keys()].toSorted();
    expect(brought).toEqual(['.env', '.gitignore', 'deep/.env.local', 'deep/kept', 'ignored/config/one', 'tracked']);
    expect(textOf(join(at.path, 'tracked'))).toBe('one\n');
    expect(lstatSync(join(at.path, '.env')).mode & 0o777).toBe(0o600);
    expect(statusAt(at)).toBe('');
  });

  test('does not overwrite files that an agent has changed since', async () => {
    const at = runBench();
    write(at.root, '.worktreeinclude', '.env\n');
    write(at.root, '.env', 'old');
    await at.setUp();
    write(at.path, '.env', 'new');
    rmSync(join(at.root, '.git', 'worktrees', 't1-a1', 'cadre-ready'));
    await at.setUp();
    expect(textOf(join(at.path, '.env'))).toBe('new');
  });

  test('copies symbolic links that stay inside, and follows none that lead out', async () => {
    const at = runBench();
    write(at.base, 'outside/secret', 'SECRET');
    write(at.root, '.worktreeinclude', '.env*\nnode_modules/\n');
    write(at.root, 'node_modules/tool/run', 'x');
    mkdirSync(join(at.root, 'node_modules/.bin'));
    symlinkSync('../tool/run', join(at.root, 'node_modules/.bin/tool'));
    symlinkSync('../outside/secret', join(at.root, '.env.relative'));
    symlinkSync(join(at.base, 'outside/secret'), join(at.root, '.env.absolute'));
    symlinkSync('../outside', join(at.root, '.env.folder'));
    const { notes } = ready(await at.setUp());
    expect(textOf(join(at.path, 'node_modules/.bin/tool'))).toBe('x');
    expect(notes.toSorted()).toEqual(
      ['absolute', 'folder', 'relative'].map(
        (name) =>
          `".env.${name}" was not copied from the main checkout: it is a symbolic link that leads out of the repository.`,
      ),
    );
    expect(readdirSync(at.path).filter((name) => name.startsWith('.env'))).toEqual([]);
  });

  test('does not write through a symbolic link on the plan branch', async () => {
    const at = runBench();
    mkdirSync(join(at.base, 'outside'));
    at.git(at.root, 'checkout', '-q', '-b', PLAN_BRANCH);
    symlinkSync('../../../../outside', join(at.root, 'conf'));
    at.git(at.root, 'add', 'conf');
    at.git(at.root, 'commit', '-q', '-m', 'a link');
    at.git(at.root, 'checkout', '-q', 'main');
    write(at.root, '.worktreeinclude', '.env\n');
    write(at.root, 'conf/.env', 'SECRET');
    const { notes } = ready(await at.setUp());
    expect(notes).toEqual([
      '"conf/.env" was not copied from the main checkout: a symbolic link in the worktree is in the way.',
    ]);
    expect(readdirSync(join(at.base, 'outside'))).toEqual([]);
  });
});

describe('the setup command', () => {
  const setUp = (at: RunBench, ...setup: string[]) =>
    at.trees.setUp(RUN, at.commit(PLAN_BRANCH), { setup, patience: 60_000 });

  test('runs once, in the worktree, with its ports and without cadre’s secrets', async () => {
    const at = runBench({ env: { GITHUB_TOKEN: 'canary', LANG: 'C.UTF-8' } });
    await at.planBranch();
    const answer = ready(await setUp(at, 'sh', '-c', 'pwd >> ignored; env > ignored-env'));
    expect(await setUp(at, 'sh', '-c', 'pwd >> ignored; env > ignored-env')).toMatchObject({ kind: 'ready' });
    expect(textOf(join(at.path, 'ignored'))).toBe(`${at.path}\n`);
    const env = textOf(join(at.path, 'ignored-env'));
    for (const [name, value] of Object.entries(portVariables(RUN, answer.portBase)))
      expect(env).toContain(`${name}=${value}\n`);
    expect(env).toContain('LANG=C.UTF-8\n');
    expect(env).not.toContain('canary');
  });

  test('that fails reports how, with the end of its output, and runs again the next time', async () => {
    const at = runBench();
    await at.planBranch();
    const failing = ['sh', '-c', 'echo \u001b[31mno network\u001b[0m; exit 3'];
    const output = join(at.runs, 'build-it', 't1-a1', 'setup.log');
    expect(await setUp(at, ...failing)).toEqual({
      kind: 'failed',
      why: `The setup command "sh -c echo \\u{1b}[31mno network\\u{1b}[0m; exit 3" exited with 3. Its output is in ${output}.`,
      tail: 'no network',
    });
    expect(textOf(output)).toBe('\u001b[31mno network\u001b[0m\n');
    expect(await setUp(at, 'no-such-program')).toMatchObject({ kind: 'failed', tail: '' });
    expect(await setUp(at, 'true')).toMatchObject({ kind: 'ready' });
  });

  test('that takes too long is stopped with its child processes', async () => {
    const at = runBench();
    await at.planBranch();
    const endless = 'trap "" TERM; sleep 1000 & echo $! > ignored; wait';
    const answer = await at.trees.setUp(RUN, at.commit(PLAN_BRANCH), { setup: ['sh', '-c', endless], patience: 500 });
    expect(answer).toMatchObject({ kind: 'failed', why: expect.stringContaining('took longer') });
    const sleeper = Number(textOf(join(at.path, 'ignored')));
    expect([sleeper > 0, isLive(sleeper)]).toEqual([true, false]);
  });
});

describe('ports', () => {
  test('are free, and belong to one worktree as long as it exists, across repositories', async () => {
    const [at, busy] = [runBench(), createServer()];
    const first = ready(await at.setUp()).portBase;
    const claims = () => JSON.parse(readFileSync(join(at.base, 'home', 'ports.json'), 'utf8'));
    expect(claims()).toEqual({ [first]: at.path });
    // One port in use makes the whole block unusable.
    await new Promise<void>((done) => busy.listen(first + 13, '127.0.0.1', done));
    onTestFinished(() => void busy.close());
    const next = ready(await at.setUp(second)).portBase;
    expect(next).toBeGreaterThanOrEqual(first + 20);
    await at.trees.remove(RUN);
    expect(claims()).toEqual({ [next]: at.pathOf(second) });
    expect(ready(await at.setUp()).portBase).toBe(first);
  });

  test('of a worktree that was removed by hand are free again, and a broken file is ignored', async () => {
    const at = runBench();
    const { portBase } = ready(await at.setUp());
    rmSync(at.path, { recursive: true });
    expect(ready(await at.setUp(second)).portBase).toBe(portBase);
    writeFileSync(join(at.base, 'home', 'ports.json'), '{"20000":');
    expect(ready(await at.setUp())).toMatchObject({ kind: 'ready' });
  });
});

describe('look', () => {
  test('reports head, branch, commits since the base and uncommitted files, and takes no lock', async () => {
    const at = runBench();
    await at.setUp();
    const head = work(at, { one: '1' });
    const own = join(at.root, '.git', 'worktrees', 't1-a1');
    writeFileSync(join(own, 'index.lock'), '');
    expect(await at.trees.look(RUN)).toEqual({
      kind: 'present',
      head,
      branch: BRANCH,
      commits: 1,
      dirty: [],
      dirtyCount: 0,
      unfinished: undefined,
    });
    rmSync(join(own, 'index.lock'));
    litter(at);
    write(at.path, 'ignored', 'x');
    const index = readFileSync(join(own, 'index'));
    const seen = await at.trees.look(RUN);
    expect(seen).toMatchObject({ dirty: ['staged', 'tracked', 'new/'], dirtyCount: 3, commits: 1 });
    expect(readFileSync(join(own, 'index')).equals(index)).toBe(true);
  });

  test('lists fifty files and counts the others', async () => {
    const at = runBench();
    await at.setUp();
    for (let number = 0; number < 60; number++) write(at.path, `file ${number}\n"`, '');
    const seen = await at.trees.look(RUN);
    expect(seen).toMatchObject({ dirtyCount: 60, dirty: expect.arrayContaining(['file 0\n"']) });
    expect(seen.kind === 'present' && seen.dirty.length).toBe(50);
  });

  test('reports an unfinished merge, another branch and a detached HEAD', async () => {
    const at = runBench();
    await at.setUp();
    work(at, { tracked: 'ours\n' });
    at.git(at.path, 'switch', '-q', '-c', 'agents-own', 'main');
    work(at, { tracked: 'theirs\n' });
    expect(() => at.git(at.path, 'merge', '-q', BRANCH)).toThrow();
    expect(await at.trees.look(RUN)).toMatchObject({ branch: 'agents-own', unfinished: 'a merge', dirty: ['tracked'] });
    at.git(at.path, 'merge', '--abort');
    at.git(at.path, 'switch', '-q', '--detach');
    expect(await at.trees.look(RUN)).toMatchObject({ branch: undefined, unfinished: undefined });
  });

  test('reports a missing worktree or branch', async () => {
    const at = runBench();
    expect(await at.trees.look(RUN)).toMatchObject({ kind: 'gone' });
    await at.setUp();
    at.git(at.root, 'update-ref', '-d', `refs/heads/${BRANCH}`);
    expect(await at.trees.look(RUN)).toMatchObject({ kind: 'gone', why: expect.stringContaining(BRANCH) });
  });
});

describe('undo', () => {
  const changes: Readonly<Record<string, (at: RunBench) => void>> = {
    'changed, staged and new files': litter,
    commits: (at) => work(at, { tracked: 'by the reviewer\n', 'new/file': 'x' }),
    'commits and files': (at) => {
      work(at, { other: 'x' });
      litter(at);
    },
    'a deleted file': ({ path }) => rmSync(join(path, 'tracked')),
    'another branch': (at) => {
      at.git(at.path, 'switch', '-q', '-c', 'reviewers-own');
      work(at, { other: 'x' });
    },
    'commits on a detached HEAD': (at) => {
      at.git(at.path, 'switch', '-q', '--detach');
      work(at, { other: 'x' });
    },
    'a branch that was reset': (at) => at.git(at.path, 'reset', '-q', '--hard', 'HEAD~1'),
    'an unfinished merge': (at) => {
      at.git(at.path, 'switch', '-q', '-c', 'side', 'main');
      work(at, { made: 'other\n' });
      at.git(at.path, 'switch', '-q', BRANCH);
      expect(() => at.git(at.path, 'merge', '-q', 'side')).toThrow();
    },
    'an unfinished rebase': (at) => {
      at.git(at.path, 'switch', '-q', '-c', 'side', 'main');
      work(at, { made: 'other\n' });
      at.git(at.path, 'switch', '-q', BRANCH);
      expect(() => at.git(at.path, 'rebase', '-q', 'side')).toThrow();
    },
    'a change that git was told to ignore': (at) => {
      at.git(at.path, 'update-index', '--assume-unchanged', 'tracked');
      at.git(at.path, 'update-index', '--skip-worktree', 'deep/kept');
      write(at.path, 'tracked', 'hidden\n');
      write(at.path, 'deep/kept', 'hidden too\n');
    },
  };

  test.each(Object.entries(changes))('undoes %s, and pins them', async (_what, change) => {
    const at = runBench();
    await at.setUp();
    const pin = work(at, { made: 'by the coder\n' });
    write(at.path, 'ignored', 'built');
    const before = filesOf(at.path);
    change(at);
    const changed = filesOf(at.path);
    const answer = await at.trees.undo(RUN, pin);
    if (answer.kind !== 'undone') throw new Error('Nothing was undone.');
    expect([branchAt(at), statusAt(at), at.commit(BRANCH), filesOf(at.path)]).toEqual([BRANCH, '', pin, before]);
    expect(await at.trees.look(RUN)).toMatchObject({ unfinished: undefined });
    const kept = join(at.base, 'kept');
    at.git(at.root, 'worktree', 'add', '-q', '--detach', kept, answer.pinned.ref);
    expect(filesOf(kept)).toEqual(new Map([...changed].filter(([path]) => path !== 'ignored')));
    expect(await at.trees.undo(RUN, pin)).toEqual({ kind: 'nothing-to-undo' });
    expect(await at.trees.pins(RUN)).toHaveLength(1);
  });

  test('reports what was changed', async () => {
    const at = runBench();
    await at.setUp();
    const pin = at.commit(BRANCH);
    work(at, { committed: 'x' });
    litter(at);
    const answer = await at.trees.undo(RUN, pin);
    expect(answer).toMatchObject({ changed: ['staged', 'tracked', 'new/untracked', 'committed'] });
  });

  test('moves a nested repository to the folder of the run', async () => {
    const at = runBench();
    await at.setUp();
    write(at.path, 'a/inner/only-here', 'x');
    at.git(join(at.path, 'a/inner'), 'init', '-q');
    const answer = await at.trees.undo(RUN, at.commit('main'));
    expect(answer).toMatchObject({ kind: 'undone', pinned: { missing: ['a/inner/'] } });
    expect(statusAt(at)).toBe('');
    expect(textOf(join(at.runs, 'build-it/t1-a1/undone/1/a/inner/only-here'))).toBe('x');
  });
});

describe('pin', () => {
  test('keeps committed and uncommitted work, without touching files, index or branch', async () => {
    const at = runBench();
    await at.setUp();
    const head = work(at, { made: 'x' });
    litter(at);
    const own = join(at.root, '.git', 'worktrees', 't1-a1');
    const seen = () => [
      contentsOf(at.path),
      readFileSync(join(own, 'index'), 'latin1'),
      at.commit(BRANCH),
      readdirSync(own).toSorted(),
    ];
    const before = seen();
    const kept = await at.trees.pin(RUN, 'a test');
    expect(seen()).toEqual(before);
    expect(kept).toEqual({ ref: 'refs/cadre/keep/build-it/t1-a1/1', commit: at.commit(kept.ref), missing: [] });
    expect(at.commit(`${kept.ref}^1`)).toBe(head);
    expect(at.git(at.root, 'show', `${kept.ref}:staged`)).toBe('changed since\n');
    expect(at.git(at.root, 'show', `${kept.ref}^2:staged`)).toBe('staged\r\n');
    expect(await at.trees.pin(RUN, 'a test')).toEqual(kept);
    write(at.path, 'tracked', 'again\n');
    expect((await at.trees.pin(RUN, 'a test')).ref).toBe('refs/cadre/keep/build-it/t1-a1/2');
    expect((await at.trees.pins(RUN)).map(({ ref }) => ref.slice(-2))).toEqual(['/2', '/1']);
  });

  test('keeps the branch of a missing worktree', async () => {
    const at = runBench();
    await at.setUp();
    const head = work(at, { made: 'x' });
    rmSync(at.path, { recursive: true });
    expect((await at.trees.pin(RUN, 'a test')).commit).toBe(head);
  });

  test('reports what no commit can hold', async () => {
    const at = runBench();
    await at.setUp();
    write(at.path, 'inner/file', 'x');
    at.git(join(at.path, 'inner'), 'init', '-q');
    write(at.path, 'tracked', 'changed\n');
    const { ref, missing } = await at.trees.pin(RUN, 'a test');
    expect(missing).toEqual(['inner/']);
    expect(at.git(at.root, 'show', `${ref}:tracked`)).toBe('changed\n');
  });
});

describe('remove', () => {
  test('pins everything, frees the ports, and leaves the branch', async () => {
    const at = runBench();
    await at.setUp();
    const head = work(at, { made: 'x' });
    litter(at);
    const answer = await at.trees.remove(RUN);
    if (answer.kind !== 'removed') throw new Error(answer.kind);
    expect(existsSync(at.path)).toBe(false);
    expect(at.git(at.root, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect([at.commit(BRANCH), at.git(at.root, 'show', `${answer.pinned.ref}:new/untracked`)]).toEqual([head, 'x']);
    expect(await at.trees.remove(RUN)).toEqual({ kind: 'gone' });
  });

  test('moves ignored files to the folder of the run, except those that can be rebuilt', async () => {
    const at = runBench();
    write(at.root, '.worktreeinclude', '.env*\n');
    write(at.root, '.env', 'same');
    write(at.root, '.env.changed', 'old');
    await at.setUp();
    write(at.path, '.env.changed', 'new');
    write(at.path, 'ignored-notes', 'only here');
    write(at.path, 'deep/ignored-too', 'only here');
    write(at.path, 'node_modules/package/file', 'x');
    write(at.path, 'deep/main.o', 'x');
    const answer = await at.trees.remove(RUN);
    const aside = join(at.runs, 'build-it', 't1-a1', 'ignored', '1');
    expect(filesOf(aside)).toEqual(
      new Map([
        ['.env.changed', 'new'],
        ['deep/ignored-too', 'only here'],
        ['ignored-notes', 'only here'],
      ]),
    );
    expect(answer).toMatchObject({ kind: 'removed', saved: expect.arrayContaining([join(aside, 'ignored-notes')]) });
    expect(existsSync(at.path)).toBe(false);
    expect(await at.trees.restore(RUN)).toMatchObject({ kind: 'restored' });
    expect(textOf(join(at.path, 'deep/ignored-too'))).toBe('only here');
  });

  test.each<[string, (at: RunBench) => void, string]>([
    [
      'a nested repository',
      (at) => {
        write(at.path, 'inner/file', 'x');
        at.git(join(at.path, 'inner'), 'init', '-q');
      },
      'inner/',
    ],
    ['a lock', (at) => at.git(at.root, 'worktree', 'lock', at.path), 'locked'],
    [
      'too many ignored files',
      ({ path }) => {
        for (let number = 0; number <= 2_000; number++) write(path, `ignored-${number}`, 'x');
      },
      '2001 ignored files',
    ],
  ])('leaves a worktree with %s, and says why', async (_what, prepare, says) => {
    const at = runBench();
    await at.setUp();
    prepare(at);
    const before = contentsOf(at.path);
    for (const _time of ['once', 'twice'])
      expect(await at.trees.remove(RUN)).toMatchObject({ kind: 'stays', why: expect.stringContaining(says) });
    expect(contentsOf(at.path)).toEqual(before);
  });

  test('leaves a folder alone that is not a worktree of this repository', async () => {
    const at = runBench();
    write(at.path, 'mine', 'x');
    expect(await at.trees.remove(RUN)).toMatchObject({ kind: 'stays' });
    expect(textOf(join(at.path, 'mine'))).toBe('x');
  });

  test('leaves a folder alone that replaced a worktree', async () => {
    const at = runBench();
    await at.setUp();
    rmSync(at.path, { recursive: true });
    write(at.path, 'mine', 'x');
    expect(await at.trees.remove(RUN)).toMatchObject({ kind: 'stays' });
    expect(textOf(join(at.path, 'mine'))).toBe('x');
  });

  test('removes a worktree that a killed git left half-made', async () => {
    const at = runBench();
    at.git(at.root, 'worktree', 'add', '-q', '--no-checkout', '-b', BRANCH, at.path);
    writeFileSync(join(at.root, '.git', 'worktrees', 't1-a1', 'locked'), 'initializing\n');
    for (const _time of ['once', 'twice']) expect(await at.trees.remove(RUN)).toEqual({ kind: 'gone' });
    expect([existsSync(at.path), at.commit(BRANCH)]).toEqual([false, at.commit('main')]);
  });

  test('finishes a removal that a killed git left halfway', async () => {
    const cut = (step: string): void => {
      if (step === 'remove.aside') throw new Error('cut off');
    };
    const at = runBench({ reached: cut });
    await at.setUp();
    const head = work(at, { one: '1' });
    await expect(at.trees.remove(RUN)).rejects.toThrow('cut off');
    rmSync(join(at.path, '.git'));
    rmSync(join(at.path, 'one'));
    const next = openBench(at.base);
    expect(await next.trees.remove(RUN)).toEqual({ kind: 'gone' });
    expect(existsSync(at.path)).toBe(false);
    expect(at.git(at.root, 'worktree', 'list')).not.toContain('t1-a1');
    expect(await next.trees.pins(RUN)).toMatchObject([{ commit: head }]);
  });

  test('works in a repository with submodules', async () => {
    const at = runBench();
    at.git(at.root, 'update-index', '--add', '--cacheinfo', `160000,${at.commit('HEAD')},sub`);
    at.git(at.root, 'commit', '-q', '-m', 'a submodule');
    await at.setUp();
    write(at.path, 'new', 'x');
    expect(await at.trees.remove(RUN)).toMatchObject({ kind: 'removed' });
  });
});

describe('restore', () => {
  test('restores every file, staged changes, and the branch', async () => {
    const at = runBench();
    await at.setUp();
    work(at, { made: 'x' });
    litter(at);
    rmSync(join(at.path, 'deep/kept'));
    const before = [filesOf(at.path), statusAt(at), at.git(at.path, 'diff', '--cached')];
    await at.trees.remove(RUN);
    expect(await at.trees.restore(RUN)).toEqual({
      kind: 'restored',
      path: at.path,
      branch: BRANCH,
      ref: 'refs/cadre/keep/build-it/t1-a1/1',
    });
    expect([filesOf(at.path), statusAt(at), at.git(at.path, 'diff', '--cached')]).toEqual(before);
    expect(await at.trees.restore(RUN)).toMatchObject({ kind: 'restored' });
    expect([filesOf(at.path), statusAt(at)]).toEqual(before.slice(0, 2));
  });

  test('creates another branch if the run’s branch has moved on', async () => {
    const at = runBench();
    await at.setUp();
    write(at.path, 'tracked', 'first\n');
    const { ref } = await at.trees.pin(RUN, 'a test');
    const head = work(at, { tracked: 'second\n' });
    expect(await at.trees.restore(RUN, ref)).toMatchObject({ kind: 'restored', branch: `${BRANCH}-restored-1` });
    expect([textOf(join(at.path, 'tracked')), at.commit(BRANCH)]).toEqual(['first\n', head]);
  });

  test('is refused with other uncommitted changes, or if nothing was pinned', async () => {
    const at = runBench();
    expect(await at.trees.restore(RUN)).toMatchObject({ kind: 'refused' });
    await at.setUp();
    litter(at);
    await at.trees.pin(RUN, 'a test');
    write(at.path, 'tracked', 'other\n');
    const before = contentsOf(at.path);
    expect(await at.trees.restore(RUN)).toMatchObject({ kind: 'refused', why: expect.stringContaining(at.path) });
    expect(contentsOf(at.path)).toEqual(before);
  });
});

describe('committing for an agent', () => {
  test('commits everything once, in the person’s name or as cadre', async () => {
    const at = runBench();
    writeFileSync(join(at.base, '.gitconfig'), '[user]\n\tuseConfigOnly = true\n[commit]\n\tcleanup = scissors\n');
    await at.setUp();
    litter(at);
    const answer = await at.trees.commitFor(RUN, 'feat: it\n\n# not a comment\n');
    expect(answer).toEqual({ kind: 'committed', head: at.commit(BRANCH) });
    expect(at.git(at.root, 'log', '-1', '--format=%an <%ae>%n%B', BRANCH)).toBe(
      'cadre <cadre@localhost>\nfeat: it\n\n# not a comment\n\n',
    );
    expect(statusAt(at)).toBe('');
    expect(await at.trees.commitFor(RUN, 'again')).toEqual({ kind: 'nothing-to-commit', head: at.commit(BRANCH) });
  });

  test('is refused in the middle of a merge or on another branch', async () => {
    const at = runBench();
    await at.setUp();
    work(at, { tracked: 'ours\n' });
    at.git(at.path, 'switch', '-q', '-c', 'side', 'main');
    work(at, { tracked: 'theirs\n' });
    expect(await at.trees.commitFor(RUN, 'x')).toMatchObject({ kind: 'refused', why: expect.stringContaining(BRANCH) });
    at.git(at.path, 'switch', '-q', BRANCH);
    expect(() => at.git(at.path, 'merge', '-q', 'side')).toThrow();
    expect(await at.trees.commitFor(RUN, 'x')).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('a merge'),
    });
  });
});

test('the plan’s reviewer gets a detached worktree that follows the tip, and changes in it are undone', async () => {
  const at = runBench();
  await at.setUp();
  const [old, tip] = [at.commit('main'), work(at, { made: 'x' })];
  const detach = (commit: string) => at.trees.detach(review, commit, NOTHING_TO_SET_UP);
  const { path } = ready(await detach(old));
  expect([branchAt(at, path), at.git(path, 'rev-parse', 'HEAD').trim()]).toEqual(['', old]);
  litter(at, path);
  work(at, { reviewers: 'x' }, path);
  expect(ready(await detach(tip)).path).toBe(path);
  expect([branchAt(at, path), at.git(path, 'rev-parse', 'HEAD').trim(), statusAt(at, path)]).toEqual(['', tip, '']);
  expect(at.git(at.root, 'show', 'refs/cadre/keep/build-it/review/1:reviewers')).toBe('x');
  litter(at, path);
  expect(await at.trees.undo(review, tip)).toMatchObject({ kind: 'undone' });
  expect(branchAt(at, path)).toBe('');
  expect(await at.trees.remove(review)).toMatchObject({ kind: 'removed' });
});

test('leaves the main checkout unchanged, byte for byte', async () => {
  const at = runBench();
  at.git(at.root, 'stash', 'list');
  write(at.root, 'stashed', 'x');
  at.git(at.root, 'stash', 'push', '-q', '--include-untracked');
  litter(at, at.root);
  write(at.root, 'ignored', 'x');
  write(at.root, '.worktreeinclude', 'ignored\n');
  at.git(at.root, 'update-index', '--assume-unchanged', 'deep/kept');
  const before = ownOf(at);
  await at.setUp();
  const pin = work(at, { made: 'x' });
  litter(at);
  await at.trees.look(RUN);
  await at.trees.undo(RUN, pin);
  litter(at);
  await at.trees.commitFor(RUN, 'x');
  await at.trees.detach(review, pin, NOTHING_TO_SET_UP);
  await at.trees.remove(RUN);
  await at.trees.restore(RUN);
  await at.trees.remove(RUN);
  expect(ownOf(at)).toEqual(before);
});

test('runs nothing that was planted in the repository, and never prompts', async () => {
  const at = runBench();
  const canary = join(at.base, 'canary');
  const program = join(at.root, '.git', 'planted');
  writeFileSync(program, `#!/bin/sh\ntouch ${canary}\nexit 1\n`, { mode: 0o755 });
  const hooks = [
    'post-checkout',
    'pre-commit',
    'commit-msg',
    'post-commit',
    'post-index-change',
    'reference-transaction',
  ];
  for (const hook of [...hooks, 'prepare-commit-msg', 'post-merge'])
    writeFileSync(join(at.root, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${canary}\nexit 1\n`, { mode: 0o755 });
  for (const [key, value] of [
    ['core.fsmonitor', program],
    ['gpg.program', program],
    ['commit.gpgSign', 'true'],
    ['core.editor', program],
    ['core.pager', program],
  ])
    execFileSync('git', ['config', key ?? '', value ?? ''], { cwd: at.root });
  rmSync(canary, { force: true });
  await at.setUp();
  write(at.path, 'new', 'x');
  expect(await at.trees.commitFor(RUN, 'x')).toMatchObject({ kind: 'committed' });
  write(at.path, 'tracked', 'x');
  expect(await at.trees.undo(RUN, at.commit(BRANCH))).toMatchObject({ kind: 'undone' });
  expect(await at.trees.remove(RUN)).toMatchObject({ kind: 'removed' });
  expect(await at.trees.restore(RUN)).toMatchObject({ kind: 'restored' });
  expect(existsSync(canary)).toBe(false);
});

test('ignores the environment of a git hook, which names another checkout', async () => {
  const plain = runBench();
  const speaking = { GIT_DIR: join(plain.root, '.git'), GIT_INDEX_FILE: join(plain.root, '.git', 'index') };
  const at = openBench(plain.base, { env: speaking });
  const before = ownOf(plain);
  await at.planBranch();
  await at.trees.setUp(RUN, at.commit(PLAN_BRANCH), NOTHING_TO_SET_UP);
  litter({ ...plain, path: at.path });
  await at.trees.pin(RUN, 'a test');
  await at.trees.remove(RUN);
  expect(ownOf(plain)).toEqual(before);
});

test('names a lock that another program holds', async () => {
  const at = runBench();
  const lock = join(at.root, '.git', 'refs', 'heads', 'plan', 'build-it.lock');
  write(dirname(lock), 'build-it.lock', '');
  const held = openSync(lock, 'r');
  onTestFinished(() => closeSync(held));
  const { openGit } = await import('../../../src/adapters/git/git.ts');
  const { pullRequests } = await import('../../../src/adapters/git/pull-requests.ts');
  const { merging } = await import('../../../src/adapters/worktrees/merging.ts');
  const git = openGit({ ...at.places, patience: 100 });
  const impatient = merging({ ...at.places, git, pulls: pullRequests({ ...at.places, git }) });
  const move = { plan: PLAN, branch: PLAN_BRANCH, from: null, to: at.commit('main') };
  const { code, message } = await failureOf(() => impatient.finish(move));
  expect({ code, message }).toMatchObject({ code: 'git-locked', message: expect.stringContaining(lock) });
});

test.each(['t1-a1', 'tR2-a13', 't2.1-a1', 'review'])('%s is a valid worktree name', (name) => {
  expect(treeName(name)).toBe(name);
});

test.each(['', '.', '..', 'a..b', '-a', 'a/b', 'a b', 'x.lock', 'a\n', 'ab~1'])('%j is not', (name) => {
  expect(treeName(name)).toBeUndefined();
});
