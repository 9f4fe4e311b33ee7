// Compares the files of a worktree with a commit by an index of cadre's own, made from the commit. In the worktree's index
// an agent can mark files as unchanged, or record content that they do not have.
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from '../../core/model/commit.ts';
import type { Tree } from '../../core/model/run-name.ts';
import { type GitCallOptions, NO_LOCKS } from '../git/git.ts';
import { statusOf } from '../git/tree-status.ts';
import type { TreeContext } from './tree-context.ts';

export interface ComparedFiles {
  /** Files that are not as in the commit, and files that are not in it. */
  readonly differing: readonly string[];
  /** Knows which files are the same as in the commit, and nothing about the others. */
  readonly index: string;
  /** Compares the others again, and those that have changed since. */
  again(): Promise<readonly string[]>;
}

/** Reads every file, because the times by which git recognizes unchanged ones are in the worktree's index. */
export async function comparingFiles<T>(
  context: TreeContext,
  tree: Tree,
  commit: Commit,
  work: (compared: ComparedFiles) => Promise<T>,
): Promise<T> {
  const path = context.pathOf(tree);
  const folder = join(context.folderOf(tree), 'comparing');
  // A killed cadre may have left it. Only the engine compares, one call after the other for each worktree.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const index = join(folder, 'index');
  const own = { env: { GIT_INDEX_FILE: index } };
  try {
    await context.git.must(path, ['read-tree', commit], own);
    const again = (): Promise<readonly string[]> => differingFiles(context, path, own);
    return await work({ differing: await again(), index, again });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function differingFiles({ git }: TreeContext, path: string, own: GitCallOptions): Promise<readonly string[]> {
  const { changed, untracked } = await statusOf(git, path, 'all', { ...own, writesIndex: true });
  if (changed.length === 0) return untracked;
  const identical = await identicalFiles(git, path, changed, own);
  return [...changed.filter((file) => !identical.has(file)), ...untracked];
}

/**
 * Those of the files that have the commit's content byte for byte. Git calls such a file changed if committing it would
 * change it, for example its line ends, which is so right after a checkout.
 */
async function identicalFiles(
  git: TreeContext['git'],
  path: string,
  files: readonly string[],
  own: GitCallOptions,
): Promise<ReadonlySet<string>> {
  const listed = await git.must(path, ['ls-files', '--stage', '-z'], { env: { ...own.env, ...NO_LOCKS } });
  const entries = new Map(listed.split('\0').map((line) => [line.slice(line.indexOf('\t') + 1), line.split(' ')]));
  const plain = files.filter((file) => !file.includes('\n') && modeOf(join(path, file)) === entries.get(file)?.[0]);
  const input = plain.map((file) => `${file}\n`).join('');
  const hashes = (await git.must(path, ['hash-object', '--no-filters', '--stdin-paths'], { input })).split('\n');
  return new Set(plain.filter((file, index) => entries.get(file)?.[1] === hashes[index]));
}

/** As git has it; undefined for what is not a regular file. */
function modeOf(file: string): string | undefined {
  const facts = lstatSync(file, { throwIfNoEntry: false });
  if (!facts?.isFile()) return undefined;
  return (facts.mode & 0o100) === 0 ? '100644' : '100755';
}
