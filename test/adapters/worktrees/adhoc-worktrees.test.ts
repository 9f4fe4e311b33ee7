// Worktrees of ad-hoc sessions on real git: created from any state, released with nothing lost, the main checkout untouched.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitAccess } from '../../../src/adapters/git/commit-access.ts';
import { headCommit } from '../../../src/adapters/repo/repo.ts';
import { disk } from '../../../src/adapters/system/disk.ts';
import type { Reached } from '../../../src/adapters/system/failpoints.ts';
import { fileLocks } from '../../../src/adapters/system/lock.ts';
import { adhocWorktrees } from '../../../src/adapters/worktrees/adhoc-worktrees.ts';
import { treeContext } from '../../../src/adapters/worktrees/tree-context.ts';
import { Failure } from '../../../src/core/model/failure.ts';
import { ownPlaceOf } from '../../../src/core/model/ids.ts';
import type { AdhocWorktrees } from '../../../src/core/ports/worktrees.ts';
import { name, textOf } from '../../support/hosts.ts';
import { contentsOf, failureOf, temporaryFolder } from '../../support/pieces.ts';
import { TEMPLATE } from '../../support/repo.ts';

const PLACE = ownPlaceOf(name('s1'));
const BRANCH = 'cadre/adhoc/work-s1';

interface Bench {
  readonly root: string;
  readonly worktrees: string;
  /** The path of the place's worktree. */
  readonly path: string;
  readonly head: string;
  readonly env: NodeJS.ProcessEnv;
  readonly adhoc: AdhocWorktrees;
  git(folder: string, ...argv: readonly string[]): string;
}

function bench(folder = 'repo'): Bench {
  const base = temporaryFolder();
  const root = join(base, folder);
  const worktrees = join(base, 'worktrees');
  const env = { PATH: process.env.PATH, HOME: base };
  const git = (where: string, ...argv: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...argv], {
      cwd: where,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  mkdirSync(root);
  git(root, 'init', '-q', '-b', 'main', TEMPLATE);
  writeFileSync(join(root, '.gitignore'), 'ignored*\n');
  writeFileSync(join(root, 'tracked'), 'one\n');
  git(root, 'add', '--all');
  git(root, '-c', 'maintenance.auto=false', 'commit', '-q', '-m', 'start');
  return {
    root,
    worktrees,
    path: join(worktrees, 'adhoc', PLACE),
    head: git(root, 'rev-parse', 'HEAD').trim(),
    env,
    adhoc: open({ root, worktrees, env }),
    git,
  };
}

function open({ root, worktrees, env }: Pick<Bench, 'root' | 'worktrees' | 'env'>, reached?: Reached): AdhocWorktrees {
  const [home, locks] = [join(dirname(worktrees), 'home'), fileLocks({ command: 'a test' })];
  const places = { ...placesOf({ root, worktrees, env }), home, disk, locks };
  return adhocWorktrees(treeContext({ ...places, ...(reached && { reached }) }));
}

function placesOf({ root, worktrees, env }: Pick<Bench, 'root' | 'worktrees' | 'env'>) {
  const state = dirname(worktrees);
  const [runs, ownGit] = [join(state, 'runs'), join(state, 'git')];
  return { root, gitFolder: join(root, '.git'), worktrees, runs, ownGit, env };
}

const ensure = (at: Bench): Promise<string> => at.adhoc.ensure(PLACE, BRANCH, at.head);
const release = (at: Bench): Promise<void> => at.adhoc.release(PLACE, BRANCH, 'cadre: paused');
const branchAt = (at: Bench, folder = at.path): string => at.git(folder, 'branch', '--show-current').trim();
const inBranch = (at: Bench, file: string): string => at.git(at.root, 'show', `${BRANCH}:${file}`);

describe('creates a worktree on the branch from', () => {
  const cells: Readonly<Record<string, (at: Bench) => unknown>> = {
    nothing: () => undefined,
    'only a branch': ({ git, root }) => git(root, 'branch', BRANCH),
    'an empty folder': ({ path }) => mkdirSync(path, { recursive: true }),
    'an empty folder and a branch': ({ git, root, path }) => {
      git(root, 'branch', BRANCH);
      mkdirSync(path, { recursive: true });
    },
    'the existing worktree': ensure,
    'a worktree that was removed by hand': async (at) => {
      await ensure(at);
      rmSync(at.path, { recursive: true });
    },
    'a worktree that was removed by hand and left an empty folder': async (at) => {
      await ensure(at);
      rmSync(at.path, { recursive: true });
      mkdirSync(at.path);
    },
    'a worktree that was removed by hand, with its branch': async (at) => {
      await ensure(at);
      rmSync(at.path, { recursive: true });
      at.git(at.root, 'update-ref', '-d', `refs/heads/${BRANCH}`);
    },
    'a detached worktree': async (at) => {
      await ensure(at);
      at.git(at.path, 'switch', '-q', '--detach');
    },
    'a released worktree': async (at) => {
      await ensure(at);
      await release(at);
    },
    'a registration and an empty .git, left by a killed git': leaveHalfMade,
    'an empty .git without a registration, left by a killed git': ({ path }) => {
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, '.git'), '');
    },
    'a released worktree that was kept for its ignored files': async (at) => {
      await ensure(at);
      writeFileSync(join(at.path, 'ignored'), 'x');
      await release(at);
    },
  };

  test.each(Object.entries(cells))('%s, and a second call changes nothing', async (_what, prepare) => {
    const at = bench();
    await prepare(at);
    expect(await ensure(at)).toBe(at.path);
    expect([branchAt(at), at.git(at.path, 'rev-parse', 'HEAD').trim()]).toEqual([BRANCH, at.head]);
    const before = [contentsOf(at.path), at.git(at.root, 'worktree', 'list', '--porcelain')];
    expect(await ensure(at)).toBe(at.path);
    expect([contentsOf(at.path), at.git(at.root, 'worktree', 'list', '--porcelain')]).toEqual(before);
    expect(textOf(join(at.path, 'tracked'))).toBe('one\n');
  });

  test('a worktree that was removed by hand, with its commits', async () => {
    const at = bench();
    await ensure(at);
    writeFileSync(join(at.path, 'new'), 'x');
    at.git(at.path, 'add', '--all');
    at.git(at.path, 'commit', '-q', '-m', 'work');
    rmSync(at.path, { recursive: true });
    expect(textOf(join(await ensure(at), 'new'))).toBe('x');
  });

  // The state that git leaves when it is killed during checkout.
  test('a half-made worktree, without taking missing files for deletions of the agent', async () => {
    const at = bench();
    at.git(at.root, 'worktree', 'add', '-q', '--no-checkout', '-b', BRANCH, at.path, at.head);
    for (const [file, text] of [
      ['locked', 'initializing\n'],
      ['index.lock', ''],
    ] as const)
      writeFileSync(join(at.root, '.git', 'worktrees', PLACE, file), text);
    expect(await ensure(at)).toBe(at.path);
    expect([branchAt(at), at.git(at.path, 'status', '--porcelain')]).toEqual([BRANCH, '']);
    expect(textOf(join(at.path, 'tracked'))).toBe('one\n');
    await release(at);
    expect(inBranch(at, 'tracked')).toBe('one\n');
  });

  test('a worktree that was removed by hand, if the path leads through a symbolic link', async () => {
    const at = linked();
    await ensure(at);
    rmSync(at.path, { recursive: true });
    expect(await ensure(at)).toBe(at.path);
    expect(branchAt(at)).toBe(BRANCH);
  });
});

test('a commit in a worktree writes only to the listed folders of git, never to hooks or configuration', async () => {
  const at = bench();
  await ensure(at);
  const git = join(at.root, '.git');
  const places = commitAccess(placesOf(at)).folders(at.path);
  expect(places).toEqual([join(git, 'objects'), join(git, 'refs'), join(git, 'logs'), join(git, 'worktrees', 's1')]);
  const elsewhere = () => [...contentsOf(git)].filter(([path]) => !places.some((one) => path.startsWith(one)));
  const before = elsewhere();
  expect(before.length).toBeGreaterThan(0);
  writeFileSync(join(at.path, 'new'), 'x');
  at.git(at.path, 'add', '--all');
  at.git(at.path, 'commit', '-q', '-m', 'work');
  expect(elsewhere()).toEqual(before);
});

test('the author is known only if git is configured with one', async () => {
  const at = bench();
  await ensure(at);
  at.git(at.root, 'config', 'user.name', 'Ada Lovelace');
  at.git(at.root, 'config', 'user.email', 'ada@example.org');
  expect(commitAccess(placesOf(at)).author()).toEqual({ name: 'Ada Lovelace', email: 'ada@example.org' });
  at.git(at.root, 'config', '--unset', 'user.email');
  expect(commitAccess(placesOf(at)).author()).toBeNull();
});

test('concurrent calls create the worktree once', async () => {
  const at = bench();
  expect(await Promise.all([1, 2, 3].map(() => ensure(at)))).toEqual([at.path, at.path, at.path]);
  expect(at.git(at.root, 'worktree', 'list').trim().split('\n')).toHaveLength(2);
});

test('an existing worktree stays as it is, with all uncommitted changes', async () => {
  const at = bench();
  await ensure(at);
  litter(at);
  const before = [contentsOf(at.path), at.git(at.path, 'status', '--porcelain')];
  await ensure(at);
  expect([contentsOf(at.path), at.git(at.path, 'status', '--porcelain')]).toEqual(before);
});

describe('refuses, and touches nothing, if the path or branch is taken by', () => {
  test.each<[string, (at: Bench) => void]>([
    ['a folder with files', ({ path }) => mkdirSync(join(path, 'mine'), { recursive: true })],
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
  ])('%s', async (_what, prepare) => {
    const at = bench();
    prepare(at);
    const before = contentsOf(at.worktrees);
    for (const _time of ['once', 'twice']) expect((await failureOf(() => ensure(at))).message).toContain(at.path);
    expect(contentsOf(at.worktrees)).toEqual(before);
    expect(at.git(at.root, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(at.git(at.root, 'branch', '--list', BRANCH)).toBe('');
  });

  test('a branch that is checked out elsewhere', async () => {
    const at = bench();
    at.git(at.root, 'checkout', '-q', '-b', BRANCH);
    const { message } = await failureOf(() => ensure(at));
    expect(message).toContain(at.root);
    expect(branchAt(at, at.root)).toBe(BRANCH);
    expect(existsSync(at.path)).toBe(false);
  });
});

describe('release', () => {
  test('commits what is changed, staged and untracked, and frees the branch', async () => {
    const at = bench();
    await ensure(at);
    litter(at);
    await release(at);
    expect(existsSync(at.path)).toBe(false);
    expect([inBranch(at, 'tracked'), inBranch(at, 'staged'), inBranch(at, 'deep/untracked')]).toEqual([
      'changed\n',
      'staged\r\n',
      'x',
    ]);
    expect(at.git(at.root, 'log', '-1', '--format=%s', BRANCH).trim()).toBe('cadre: paused');
    at.git(at.root, 'checkout', '-q', BRANCH);
  });

  test('loses no byte: the next worktree has the same files', async () => {
    const at = bench();
    await ensure(at);
    litter(at);
    const before = filesOf(at.path);
    await release(at);
    await ensure(at);
    expect(filesOf(at.path)).toEqual(before);
  });

  test('commits nothing if nothing was changed', async () => {
    const at = bench();
    await ensure(at);
    await release(at);
    expect(at.git(at.root, 'rev-parse', BRANCH).trim()).toBe(at.head);
  });

  test('does nothing the second time, or without a worktree', async () => {
    const at = bench();
    await release(at);
    expect(existsSync(at.worktrees)).toBe(false);
    await ensure(at);
    litter(at);
    await release(at);
    const after = at.git(at.root, 'rev-parse', BRANCH);
    await release(at);
    expect(at.git(at.root, 'rev-parse', BRANCH)).toBe(after);
  });

  test('keeps a worktree with ignored files, frees its branch, and commits the rest', async () => {
    const at = bench();
    await ensure(at);
    litter(at);
    writeFileSync(join(at.path, 'ignored-secret'), 'only here');
    for (const _time of ['once', 'twice']) {
      await release(at);
      expect(textOf(join(at.path, 'ignored-secret'))).toBe('only here');
      expect(branchAt(at)).toBe('');
      expect(inBranch(at, 'deep/untracked')).toBe('x');
    }
    at.git(at.root, 'checkout', '-q', BRANCH);
    at.git(at.root, 'checkout', '-q', 'main');
    await ensure(at);
    expect([branchAt(at), textOf(join(at.path, 'ignored-secret'))]).toEqual([BRANCH, 'only here']);
  });

  test('frees the branch of a worktree that was removed by hand', async () => {
    const at = bench();
    await ensure(at);
    rmSync(at.path, { recursive: true });
    for (const _time of ['once', 'twice']) await release(at);
    at.git(at.root, 'checkout', '-q', BRANCH);
  });

  test('frees the branch of a worktree that was removed by hand, if the path leads through a symbolic link', async () => {
    const at = linked();
    await ensure(at);
    rmSync(at.path, { recursive: true });
    await release(at);
    at.git(at.root, 'checkout', '-q', BRANCH);
  });

  test('leaves the registrations of other missing worktrees, whose disk may not be mounted', async () => {
    const at = bench();
    const mine = join(at.root, '..', 'mine');
    at.git(at.root, 'worktree', 'add', '-q', '-b', 'mine', mine);
    await ensure(at);
    rmSync(at.path, { recursive: true });
    renameSync(mine, `${mine}-away`);
    await release(at);
    renameSync(`${mine}-away`, mine);
    expect(at.git(mine, 'branch', '--show-current').trim()).toBe('mine');
  });

  test('leaves a folder alone that is not a worktree of this repository', async () => {
    const at = bench();
    mkdirSync(at.path, { recursive: true });
    writeFileSync(join(at.path, 'mine'), 'x');
    await release(at);
    expect(textOf(join(at.path, 'mine'))).toBe('x');
  });

  test.each<[string, (at: Bench) => void]>([
    ['its own branch', ({ git, path }) => git(path, 'switch', '-q', '-c', 'agents-own')],
    [
      'a detached HEAD',
      ({ git, path }) => {
        git(path, 'switch', '-q', '--detach');
        git(path, 'commit', '-q', '--allow-empty', '-m', 'on no branch');
      },
    ],
  ])('does not lose uncommitted work of an agent that switched to %s', async (_what, leave) => {
    const at = bench();
    await ensure(at);
    leave(at);
    writeFileSync(join(at.path, 'new'), 'x');
    expect(
      (await wasRefused(() => release(at))) || at.git(at.root, 'log', '--all', '--format=%h', '--', 'new') !== '',
    ).toBe(true);
    expect(textOf(join(at.path, 'new')) || at.git(at.root, 'log', '--all', '--format=%h', '--', 'new')).not.toBe('');
  });

  test('works in a repository with submodules', async () => {
    const at = bench();
    at.git(at.root, 'update-index', '--add', '--cacheinfo', `160000,${at.head},sub`);
    at.git(at.root, 'commit', '-q', '-m', 'a submodule');
    await at.adhoc.ensure(PLACE, BRANCH, at.git(at.root, 'rev-parse', 'HEAD').trim());
    writeFileSync(join(at.path, 'new'), 'x');
    await release(at);
    expect(inBranch(at, 'new')).toBe('x');
    at.git(at.root, 'checkout', '-q', BRANCH);
  });

  test('keeps a nested repository', async () => {
    const at = bench();
    await ensure(at);
    const inner = join(at.path, 'inner');
    mkdirSync(inner);
    at.git(inner, 'init', '-q');
    writeFileSync(join(inner, 'only-here'), 'x');
    at.git(inner, 'add', '--all');
    at.git(inner, 'commit', '-q', '-m', 'inner');
    await release(at);
    expect(textOf(join(inner, 'only-here'))).toBe('x');
    at.git(at.root, 'checkout', '-q', BRANCH);
  });

  test('keeps a nested repository without a commit, and commits the rest', async () => {
    const at = bench();
    await ensure(at);
    mkdirSync(join(at.path, 'inner'));
    at.git(join(at.path, 'inner'), 'init', '-q');
    writeFileSync(join(at.path, 'inner', 'only-here'), 'x');
    writeFileSync(join(at.path, 'new'), 'x');
    await release(at);
    expect([textOf(join(at.path, 'inner', 'only-here')), inBranch(at, 'new')]).toEqual(['x', 'x']);
    at.git(at.root, 'checkout', '-q', BRANCH);
  });

  test('removes a worktree that a killed git left half-made', async () => {
    const at = bench();
    leaveHalfMade(at);
    for (const _time of ['once', 'twice']) await release(at);
    expect(existsSync(at.path)).toBe(false);
    at.git(at.root, 'checkout', '-q', BRANCH);
  });

  test('commits changes in files that git was told to ignore', async () => {
    const at = bench();
    await ensure(at);
    at.git(at.path, 'update-index', '--assume-unchanged', 'tracked');
    writeFileSync(join(at.path, 'tracked'), 'hidden\n');
    await release(at);
    expect(inBranch(at, 'tracked')).toBe('hidden\n');
  });

  // git removes files in any order, so a kill can come before or after it removes .git.
  test.each([['tracked'], ['tracked', '.git']])(
    'a removal that was cut off after %s commits no deletion',
    async (...removed) => {
      const at = bench();
      await ensure(at);
      litter(at);
      const before = filesOf(at.path);
      const cutOff = open(at, (step) => {
        if (step === 'release.mark') throw new Error('cut off');
      });
      await expect(cutOff.release(PLACE, BRANCH, 'cadre: paused')).rejects.toThrow('cut off');
      for (const file of removed) rmSync(join(at.path, file));
      const next = { ...at, adhoc: open(at) };
      await release(next);
      expect(existsSync(at.path)).toBe(false);
      expect(inBranch(at, 'tracked')).toBe('changed\n');
      await ensure(next);
      expect(filesOf(at.path)).toEqual(before);
    },
  );

  test('commits as cadre if git does not know the person’s name', async () => {
    const at = bench();
    writeFileSync(join(at.root, '..', '.gitconfig'), '[user]\n\tuseConfigOnly = true\n');
    await ensure(at);
    litter(at);
    await release(at);
    expect(inBranch(at, 'deep/untracked')).toBe('x');
    expect(at.git(at.root, 'log', '-1', '--format=%an <%ae>', BRANCH).trim()).toBe('cadre <cadre@localhost>');
  });

  test('commits in the person’s name if git knows it', async () => {
    const at = bench();
    writeFileSync(join(at.root, '..', '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
    await ensure(at);
    litter(at);
    await release(at);
    expect(at.git(at.root, 'log', '-1', '--format=%an <%ae>', BRANCH).trim()).toBe('Ada <ada@example.org>');
  });
});

test.each(['with space', 'quo\'te"s', 'żółw 漢字 🐢', '$(touch canary)', '-C', 'line\nend'])(
  'works in a repository whose folder is %j',
  async (folder) => {
    const at = bench(folder);
    await ensure(at);
    litter(at);
    const before = filesOf(at.path);
    await release(at);
    await ensure(at);
    expect(filesOf(at.path)).toEqual(before);
    expect(existsSync(join(at.root, 'canary'))).toBe(false);
  },
);

describe('runs nothing that was planted in the repository:', () => {
  const HOOKS = ['post-checkout', 'pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-index-change'];
  const planted: Readonly<Record<string, (at: Bench, script: string) => void>> = {
    'hooks in .git/hooks': ({ root }, script) => {
      for (const hook of [...HOOKS, 'reference-transaction']) {
        writeFileSync(join(root, '.git', 'hooks', hook), `#!/bin/sh\n${script}\n`);
        chmodSync(join(root, '.git', 'hooks', hook), 0o755);
      }
    },
    'hooks in a configured folder': (at, script) => {
      const folder = join(at.root, '.git', 'planted');
      mkdirSync(folder);
      for (const hook of HOOKS) {
        writeFileSync(join(folder, hook), `#!/bin/sh\n${script}\n`);
        chmodSync(join(folder, hook), 0o755);
      }
      at.git(at.root, 'config', 'core.hooksPath', folder);
    },
    fsmonitor: (at, script) => {
      const monitor = join(at.root, '.git', 'monitor');
      writeFileSync(monitor, `#!/bin/sh\n${script}\n`);
      chmodSync(monitor, 0o755);
      at.git(at.root, 'config', 'core.fsmonitor', monitor);
    },
    'a signing program': (at, script) => {
      const signer = join(at.root, '.git', 'signer');
      writeFileSync(signer, `#!/bin/sh\n${script}\n`);
      chmodSync(signer, 0o755);
      at.git(at.root, 'config', 'gpg.program', signer);
      at.git(at.root, 'config', 'commit.gpgSign', 'true');
    },
  };

  test.each(Object.entries(planted))('%s', async (_what, plant) => {
    const at = bench();
    const canary = join(at.root, '..', 'canary');
    plant(at, `touch ${canary}`);
    rmSync(canary, { force: true });
    await ensure(at);
    litter(at, 'without staging');
    await release(at);
    await ensure(at);
    expect(textOf(join(at.path, 'tracked'))).toBe('changed\n');
    expect(existsSync(canary)).toBe(false);
  });
});

test('leaves the main checkout unchanged, byte for byte', async () => {
  const at = bench();
  writeFileSync(join(at.root, 'tracked'), 'dirty\n');
  writeFileSync(join(at.root, 'staged'), 'in the index\n');
  writeFileSync(join(at.root, 'untracked'), 'x');
  writeFileSync(join(at.root, 'ignored'), 'x');
  at.git(at.root, 'add', 'staged');
  const before = ownOf(at);
  await ensure(at);
  litter(at);
  await release(at);
  await ensure(at);
  await release(at);
  expect(ownOf(at)).toEqual(before);
});

test('ignores the environment of a git hook, which names another checkout', async () => {
  const plain = bench();
  const speaking = { GIT_DIR: join(plain.root, '.git'), GIT_INDEX_FILE: join(plain.root, '.git', 'index') };
  const at = { ...plain, adhoc: open({ ...plain, env: { ...plain.env, ...speaking } }) };
  const before = ownOf(at);
  await ensure(at);
  litter(at);
  await release(at);
  expect(ownOf(at)).toEqual(before);
  expect(inBranch(at, 'deep/untracked')).toBe('x');
});

test('says what to do in a repository without a commit', async () => {
  const folder = temporaryFolder();
  const env = { PATH: process.env.PATH, HOME: folder };
  spawnSync('git', ['init', '-q', folder], { env });
  const { kind, message } = await failureOf(() => headCommit({ root: folder, gitFolder: join(folder, '.git') }, env));
  expect({ kind, message }).toEqual({
    kind: 'usage',
    message: `${folder} has no commit yet, so no branch can start from it. Commit something first.`,
  });
});

/** As if ~/.cadre were a symbolic link to another disk. */
function linked(): Bench {
  const at = bench();
  const link = join(at.root, '..', 'link');
  mkdirSync(at.worktrees);
  symlinkSync(at.worktrees, link);
  return { ...at, path: join(link, 'adhoc', PLACE), adhoc: open({ ...at, worktrees: link }) };
}

/** The state that git leaves when it is killed before it writes the path of the repository to .git. */
function leaveHalfMade(at: Bench): void {
  at.git(at.root, 'worktree', 'add', '-q', '--no-checkout', '-b', BRANCH, at.path, at.head);
  const own = join(at.root, '.git', 'worktrees', PLACE);
  for (const file of readdirSync(own)) if (file !== 'gitdir') rmSync(join(own, file), { recursive: true });
  writeFileSync(join(own, 'locked'), 'initializing\n');
  writeFileSync(join(at.path, '.git'), '');
}

/** Unfinished work of an agent: changed, staged and new files. */
function litter(at: Bench, staging?: 'without staging'): void {
  writeFileSync(join(at.path, 'tracked'), 'changed\n');
  writeFileSync(join(at.path, 'staged'), 'staged\r\n');
  if (staging === undefined) at.git(at.path, 'add', 'staged');
  mkdirSync(join(at.path, 'deep'));
  writeFileSync(join(at.path, 'deep', 'untracked'), 'x');
}

function filesOf(folder: string): ReadonlyMap<string, string> {
  return new Map([...contentsOf(folder)].filter(([path]) => path !== join(folder, '.git')));
}

/** The person's files, index and branch. */
function ownOf(at: Bench): readonly unknown[] {
  const files = [...contentsOf(at.root)].filter(([path]) => !path.startsWith(join(at.root, '.git/')));
  const [index, head] = ['index', 'HEAD'].map((file) => readFileSync(join(at.root, '.git', file), 'latin1'));
  return [files, index, head, at.git(at.root, 'rev-parse', 'main')];
}

async function wasRefused(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return false;
  } catch (error) {
    return error instanceof Failure;
  }
}
