// Compares the files of a worktree with a commit by an index of cadre's own, made from the commit. In the worktree's index
// an agent can mark files as unchanged, or record content that they do not have.
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from '../../core/model/commit.ts';
import { systemCode } from '../../core/model/failure.ts';
import type { Tree } from '../../core/model/run-name.ts';
import { type GitCallOptions, NO_LOCKS } from '../git/git.ts';
import { statusOf } from '../git/tree-status.ts';
import type { TreeContext } from './tree-context.ts';

export interface ComparedFiles {
  /** Files that are not as in the commit, and files that are not in it. */
  readonly differing: readonly string[];
  /** Knows which files are the same as in the commit, and nothing about the others. */
  readonly index: string;
  /** The environment in which git sees modes and symbolic links as they are. */
  readonly env: Readonly<Record<string, string>>;
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
  const env = whatDiskCan(folder);
  const own = { env: { GIT_INDEX_FILE: index, ...env } };
  try {
    await context.git.must(path, ['read-tree', commit], own);
    const again = (): Promise<readonly string[]> => differingFiles(context, path, own);
    return await work({ differing: await again(), index, env, again });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * An agent can tell git, by the repository's configuration, not to look at modes and symbolic links. Whether it can is a
 * property of the disk, so it is tried out.
 */
function whatDiskCan(folder: string): Readonly<Record<string, string>> {
  const [file, link] = [join(folder, 'file'), join(folder, 'link')];
  writeFileSync(file, '', { mode: 0o600 });
  chmodSync(file, 0o700);
  const settings = modeOf(file) === '100755' ? ['core.fileMode'] : [];
  try {
    symlinkSync('file', link);
    settings.push('core.symlinks');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
  const values = settings.flatMap((key, at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, 'true'],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(values) };
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
