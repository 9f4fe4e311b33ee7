// Finding the main checkout from any folder.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRepo } from '../../../src/adapters/repo/repo.ts';
import { failureOf, temporaryFolder } from '../../support/pieces.ts';
import { MAIN, type Repo, temporaryRepo } from '../../support/repo.ts';

function linkedWorktree(repo: Repo, name = 'linked'): string {
  const path = join(repo.root, '..', name);
  repo.git('worktree', 'add', '-q', '-b', name, path);
  return path;
}

/** As an author, and allowed to add submodules from local paths. */
function git(cwd: string, env: NodeJS.ProcessEnv, ...argv: readonly string[]): string {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...who, ...argv], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

describe('the main checkout is found', () => {
  test('from its top, from a folder deep in it, through a link to it and inside its .git', () => {
    const repo = temporaryRepo();
    const deep = join(repo.root, 'src', 'deep');
    mkdirSync(deep, { recursive: true });
    const link = join(repo.root, '..', 'link');
    symlinkSync(repo.root, link);
    for (const cwd of [
      repo.root,
      deep,
      link,
      join(link, 'src'),
      join(repo.root, '.git'),
      join(repo.root, '.git', 'refs'),
    ])
      expect([cwd, findRepo(cwd, repo.env).root]).toEqual([cwd, repo.root]);
  });

  test('from a linked worktree, with the same state folder as from the checkout itself', () => {
    const repo = temporaryRepo();
    const linked = linkedWorktree(repo);
    mkdirSync(join(linked, 'sub'));
    expect(findRepo(join(linked, 'sub'), repo.env)).toEqual(findRepo(repo.root, repo.env));
  });

  test('in a folder whose name has spaces, quotes and letters of any script', () => {
    const base = temporaryFolder();
    const root = join(base, `my "repo" é 日本 $HOME`);
    mkdirSync(root);
    const env = { PATH: process.env.PATH, HOME: base };
    git(root, env, 'init', '-q');
    expect(findRepo(root, env).root).toBe(root);
  });

  test('in a folder whose name ends in a space', () => {
    const base = temporaryFolder();
    const root = join(base, 'repo ');
    mkdirSync(root);
    const env = { PATH: process.env.PATH, HOME: base };
    git(root, env, 'init', '-q');
    expect(findRepo(root, env).root).toBe(root);
  });

  test('when git keeps its folder elsewhere', () => {
    const base = temporaryFolder();
    const env = { PATH: process.env.PATH, HOME: base };
    git(base, env, 'init', '-q', '--separate-git-dir', join(base, 'kept'), join(base, 'repo'));
    const found = findRepo(join(base, 'repo'), env);
    expect([found.root, found.gitFolder]).toEqual([join(base, 'repo'), join(base, 'kept')]);
  });

  test('in a submodule, which is its own repository, even from one of its worktrees', () => {
    const repo = temporaryRepo();
    const inner = temporaryRepo();
    git(repo.root, repo.env, 'submodule', '--quiet', 'add', inner.root, 'parts/inner');
    const submodule = join(repo.root, 'parts', 'inner');
    const worktree = join(repo.root, '..', 'of-inner');
    git(submodule, repo.env, 'worktree', 'add', '-q', '-b', 'side', worktree);
    expect(findRepo(submodule, repo.env)).toMatchObject({
      root: submodule,
      gitFolder: join(repo.root, '.git', 'modules', 'parts', 'inner'),
    });
    expect(findRepo(worktree, repo.env)).toEqual(findRepo(submodule, repo.env));
    expect(findRepo(repo.root, repo.env).state).not.toBe(findRepo(submodule, repo.env).state);
  });
});

describe('inside a git hook', () => {
  test.each(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR'])(
    '%s of another repository is ignored',
    (variable) => {
      const [repo, other] = [temporaryRepo(), temporaryRepo()];
      const value = { GIT_WORK_TREE: other.root, GIT_INDEX_FILE: join(other.root, '.git', 'index') }[variable];
      const env = { ...repo.env, [variable]: value ?? join(other.root, '.git') };
      expect(findRepo(repo.root, env)).toEqual(findRepo(repo.root, repo.env));
    },
  );

  test('of a linked worktree, a command acts on the main checkout', () => {
    const repo = temporaryRepo();
    const linked = linkedWorktree(repo);
    repo.writePlan('a.md');
    const hook = join(repo.root, '.git', 'hooks', 'post-commit');
    const seen = join(repo.root, '..', 'seen');
    mkdirSync(join(hook, '..'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\nenv > '${seen}'\nexec '${process.execPath}' '${MAIN}' register a\n`);
    chmodSync(hook, 0o755);
    git(linked, repo.env, 'commit', '-q', '--allow-empty', '-m', 'a commit that runs the hook');
    expect(readFileSync(seen, 'utf8')).toContain(`GIT_DIR=${repo.root}/.git/worktrees/linked`);
    expect(repo.status('a.md')).toBe('ready');
    expect(existsSync(join(linked, 'docs'))).toBe(false);
  });
});

describe('without a main checkout', () => {
  test('outside a repository, a command is refused and creates nothing', async () => {
    const folder = temporaryFolder();
    const repo = temporaryRepo();
    const sentence = `${folder} is not inside a git repository. Change to one, or create one with "git init".`;
    expect(await failureOf(() => findRepo(folder, repo.env))).toMatchObject({ code: 'no-repo', message: sentence });
    expect(repo.cadreWith({ cwd: folder }, 'status')).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` });
    expect(existsSync(repo.home)).toBe(false);
  });

  test.each(['bare.git', '.git'])(
    'a bare repository named %s is refused, even from one of its worktrees',
    async (name) => {
      const repo = temporaryRepo();
      const base = temporaryFolder();
      const bare = join(base, name);
      git(base, repo.env, 'clone', '-q', '--bare', repo.root, bare);
      const worktree = join(temporaryFolder(), 'linked');
      git(bare, repo.env, 'worktree', 'add', '-q', '-b', 'side', worktree);
      const sentence = `${bare} is a bare repository: it has no main checkout for plans. Clone it, then run cadre in the clone.`;
      for (const cwd of [bare, worktree]) {
        const failure = await failureOf(() => findRepo(cwd, repo.env));
        expect([cwd, failure.code, failure.message]).toEqual([cwd, 'bare-repo', sentence]);
      }
    },
  );

  test('a folder that was deleted meanwhile is named', async () => {
    const folder = join(temporaryFolder(), 'gone');
    const failure = await failureOf(() => findRepo(folder, { PATH: process.env.PATH }));
    expect([failure.code, failure.message]).toEqual([
      'no-folder',
      `${folder} no longer exists. Change to another folder.`,
    ]);
  });

  test('git is reported as missing if it has to be asked', async () => {
    const repo = temporaryRepo();
    const worktree = join(repo.root, '..', 'linked');
    repo.git('worktree', 'add', '-q', '-b', 'linked', worktree);
    const withoutGit = { ...repo.env, PATH: temporaryFolder() };
    expect(findRepo(repo.root, withoutGit)).toEqual(findRepo(repo.root, repo.env));
    expect(findRepo(worktree, withoutGit)).toEqual(findRepo(repo.root, repo.env));
    // An included file could name the main checkout.
    repo.git('config', 'include.path', 'elsewhere');
    const failure = await failureOf(() => findRepo(worktree, withoutGit));
    expect([failure.code, failure.message]).toEqual(['no-git', 'git is not installed. Install it, then try again.']);
  });
});

describe("cadre's own folder", () => {
  test('is in the home folder unless CADRE_HOME names another', async () => {
    const repo = temporaryRepo();
    expect(findRepo(repo.root, repo.env).state.startsWith(join(repo.home, 'repos', 'repo-'))).toBe(true);
    const failure = await failureOf(() => findRepo(repo.root, { ...repo.env, CADRE_HOME: 'relative' }));
    expect([failure.code, failure.message]).toEqual([
      'bad-home',
      'CADRE_HOME is "relative", which is not an absolute path.',
    ]);
  });

  test('differs for repositories of the same name, and is the same through a link', () => {
    const [one, other] = [temporaryRepo(), temporaryRepo()];
    const link = join(one.root, '..', 'link');
    symlinkSync(one.root, link);
    const state = (root: string): string => findRepo(root, one.env).state;
    expect(state(one.root)).not.toBe(state(other.root));
    expect(state(link)).toBe(state(one.root));
    rmSync(link);
    expect(realpathSync(one.root)).toBe(one.root);
  });
});
