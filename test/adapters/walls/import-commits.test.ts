// What an agent has committed behind a wall: it is taken over whole, or not at all.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type CommitImports, commitImports } from '../../../src/adapters/walls/import-commits.ts';
import { privateFolder, privateGitIn } from '../../../src/adapters/walls/private-git.ts';
import { treeContext } from '../../../src/adapters/worktrees/tree-context.ts';
import { type InsideGit, privateWork, WALLED_SESSION } from '../../support/private-work.ts';
import { BRANCH, RUN, type RunBench, runBench, write } from '../../support/run-bench.ts';

interface Walled {
  readonly at: RunBench;
  readonly inside: InsideGit;
  readonly imports: CommitImports;
  /** The private git folder. */
  readonly git: string;
  /** The commit that the session started from. */
  readonly base: string;
}

async function walled(format: 'sha1' | 'sha256' = 'sha1'): Promise<Walled> {
  const at = runBench({ format });
  await at.setUp();
  const context = treeContext(at.places);
  const inside = await privateWork(at);
  const git = privateGitIn(join(privateFolder(context, at.path), WALLED_SESSION));
  return { at, inside, git, imports: commitImports(context), base: at.commit(BRANCH) };
}

function commit({ at, inside }: Walled, file: string, text = file): string {
  write(at.path, file, text);
  inside('add', '-A');
  inside('commit', '-q', '-m', file);
  return inside('rev-parse', 'HEAD').trim();
}

test.each(['sha1', 'sha256'] as const)(
  'a commit is in the repository only once it is taken over (%s)',
  async (format) => {
    const its = await walled(format);
    const made = commit(its, 'made');
    expect(its.at.commit(BRANCH)).toBe(its.base);
    expect(() => its.at.git(its.at.root, 'cat-file', '-e', made)).toThrow();
    expect(await its.imports.bring(its.at.path)).toEqual({ kind: 'imported', commit: made });
    expect(its.at.commit(BRANCH)).toBe(made);
    expect(its.at.git(its.at.path, 'status', '--porcelain')).toBe('');
    expect(its.at.git(its.at.path, 'show', 'HEAD:made')).toBe('made');
    expect(its.at.git(its.at.root, 'fsck', '--strict')).toBe('');
    expect(await its.imports.bring(its.at.path)).toEqual({ kind: 'nothing' });
  },
);

test('the engine sees the commits and the changes of an agent that is still working', async () => {
  const its = await walled();
  commit(its, 'made');
  write(its.at.path, 'more', 'x');
  expect(await its.at.trees.look(RUN)).toMatchObject({ kind: 'present', commits: 1, dirty: ['more'] });
  const second = commit(its, 'second');
  expect(await its.at.trees.look(RUN)).toMatchObject({ commits: 2, head: second, dirtyCount: 0 });
});

test('an amended commit, a merge and a rebase are taken over as the agent left them', async () => {
  const its = await walled();
  commit(its, 'one');
  await its.imports.bring(its.at.path);
  its.inside('commit', '-q', '--amend', '-m', 'again');
  its.inside('switch', '-q', '-c', 'side', 'HEAD~1');
  commit(its, 'side');
  its.inside('switch', '-q', BRANCH);
  its.inside('merge', '-q', '-m', 'merged', 'side');
  const merged = its.inside('rev-parse', 'HEAD').trim();
  expect(await its.imports.bring(its.at.path)).toEqual({ kind: 'imported', commit: merged });
  its.inside('rebase', '-q', '--force-rebase', 'HEAD~1');
  const rebased = its.inside('rev-parse', 'HEAD').trim();
  expect(rebased).not.toBe(merged);
  expect(await its.imports.bring(its.at.path)).toEqual({ kind: 'imported', commit: rebased });
  expect(its.at.git(its.at.path, 'status', '--porcelain')).toBe('');
});

test('refs that the agent has packed are found', async () => {
  const its = await walled();
  const made = commit(its, 'made');
  its.inside('pack-refs', '--all');
  its.inside('gc', '-q');
  expect(await its.imports.bring(its.at.path)).toEqual({ kind: 'imported', commit: made });
});

test('commits on other branches are pinned at the end, and what was private is removed', async () => {
  const its = await walled();
  const made = commit(its, 'made');
  its.inside('switch', '-q', '-c', 'mine');
  const other = commit(its, 'other');
  its.inside('switch', '-q', '--detach');
  const loose = commit(its, 'loose');
  expect(await its.imports.finish(its.at.path)).toEqual({ kind: 'imported', commit: made });
  const pins = its.at.git(its.at.root, 'for-each-ref', '--format=%(objectname)', 'refs/cadre/keep/build-it/t1-a1/');
  expect(pins.trim().split('\n').toSorted()).toEqual([other, loose].toSorted());
  expect(its.at.git(its.at.root, 'branch', '--list', 'mine')).toBe('');
  expect(existsSync(its.git)).toBe(false);
});

test("an agent's branches, tags and replacements of the person's are not taken over", async () => {
  const its = await walled();
  const before = its.at.git(its.at.root, 'for-each-ref');
  const made = commit(its, 'made');
  its.inside('update-ref', 'refs/heads/main', made);
  its.inside('update-ref', 'refs/heads/plan/build-it', made);
  its.inside('tag', 'v1');
  its.inside('replace', '-f', its.base, made);
  await its.imports.finish(its.at.path);
  expect(its.at.git(its.at.root, 'for-each-ref')).toBe(
    before.replace(`${its.base} commit\trefs/heads/${BRANCH}`, `${made} commit\trefs/heads/${BRANCH}`),
  );
});

/** Writes an object under a name that is not its own. */
function forge(git: string, name: string, kind: string, text: string): void {
  const path = join(git, 'objects', name.slice(0, 2), name.slice(2));
  rmSync(path, { force: true });
  writeFileSync(path, deflateSync(Buffer.from(`${kind} ${Buffer.byteLength(text)}\0${text}`)));
}

const REFUSED: Readonly<Record<string, (its: Walled, tip: string) => void>> = {
  'a file with the content of another': ({ git, inside }, tip) =>
    forge(git, inside('rev-parse', `${tip}:made`).trim(), 'blob', 'forged'),
  'a commit that is not what its name says': ({ git, inside }, tip) =>
    forge(git, tip, 'commit', inside('cat-file', 'commit', tip).replace('made', 'forged')),
  'a missing tree': ({ git, inside }, tip) => {
    const tree = inside('rev-parse', `${tip}^{tree}`).trim();
    rmSync(join(git, 'objects', tree.slice(0, 2), tree.slice(2)));
  },
  'a pipe in place of an object': ({ git, inside }, tip) => {
    const blob = inside('rev-parse', `${tip}:made`).trim();
    const path = join(git, 'objects', blob.slice(0, 2), blob.slice(2));
    rmSync(path);
    execFileSync('mkfifo', [path]);
  },
  'a link in place of an object': ({ git, at, inside }, tip) => {
    const blob = inside('rev-parse', `${tip}:made`).trim();
    const path = join(git, 'objects', blob.slice(0, 2), blob.slice(2));
    rmSync(path);
    execFileSync('ln', ['-s', join(at.base, 'secret'), path]);
  },
  'a tree with a path that leads out of the worktree': ({ git, inside }) => {
    const blob = inside('rev-parse', 'HEAD:made').trim();
    const entry = Buffer.concat([Buffer.from('100644 ../evil\0'), Buffer.from(blob, 'hex')]);
    const made = execFileSync('git', ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], {
      input: entry,
      env: { ...process.env, GIT_DIR: git },
      encoding: 'utf8',
    }).trim();
    inside('update-ref', `refs/heads/${BRANCH}`, inside('commit-tree', made, '-p', 'HEAD', '-m', 'evil').trim());
  },
};

test.each(Object.keys(REFUSED))('with %s nothing is taken over', async (what) => {
  const its = await walled();
  const tip = commit(its, 'made');
  const before = its.at.git(its.at.root, 'for-each-ref');
  REFUSED[what]?.(its, tip);
  const answer = await its.imports.finish(its.at.path);
  expect(answer).toMatchObject({ kind: 'refused', why: expect.stringContaining('behind the wall') });
  expect(its.at.git(its.at.root, 'for-each-ref')).toBe(before);
  expect(existsSync(its.git)).toBe(true);
  expect(await its.at.trees.look(RUN)).toMatchObject({ kind: 'gone', why: expect.stringContaining('behind the wall') });
});

test('a branch that somebody else has moved stays where it is, and says so', async () => {
  const its = await walled();
  commit(its, 'made');
  const tree = its.at.git(its.at.root, 'rev-parse', `${BRANCH}^{tree}`).trim();
  const moved = its.at.git(its.at.root, 'commit-tree', tree, '-p', its.base, '-m', 'theirs').trim();
  its.at.git(its.at.root, 'update-ref', `refs/heads/${BRANCH}`, moved);
  expect(await its.imports.bring(its.at.path)).toMatchObject({
    kind: 'refused',
    why: expect.stringContaining('moved'),
  });
  expect(its.at.commit(BRANCH)).toBe(moved);
});

test('a branch that is a link is not followed', async () => {
  const its = await walled();
  const made = commit(its, 'made');
  const file = join(its.git, 'refs', 'heads', BRANCH);
  writeFileSync(join(its.at.base, 'elsewhere'), `${made}\n`);
  rmSync(file);
  execFileSync('ln', ['-s', join(its.at.base, 'elsewhere'), file]);
  await its.imports.bring(its.at.path);
  expect(its.at.commit(BRANCH)).toBe(its.base);
});

test('where nobody works behind a wall, nothing happens', async () => {
  const at = runBench();
  await at.setUp();
  const before = readdirSync(join(at.root, '.git'));
  const imports = commitImports(treeContext(at.places));
  expect(await imports.bring(at.path)).toEqual({ kind: 'nothing' });
  expect(await imports.finish(at.path)).toEqual({ kind: 'nothing' });
  expect(readdirSync(join(at.root, '.git'))).toEqual(before);
});
