// The status of a worktree's files, read without taking a lock.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Git, type GitCallOptions, NO_LOCKS } from './git.ts';

export interface TreeStatus {
  /** Undefined if the branch has no commit. */
  readonly head: string | undefined;
  readonly branch: string | undefined;
  /** Changed, staged or in conflict. */
  readonly changed: readonly string[];
  /** Submodules with commits or changes that the outer repository does not have. */
  readonly submodules: readonly string[];
  /** A trailing "/" means a folder; at depths other than `normal`, a nested repository. */
  readonly untracked: readonly string[];
  /** A trailing "/" means a whole folder. */
  readonly ignored: readonly string[];
}

/** `normal` lists a new folder as one entry, `all` every file in it, and `ignored` the ignored files as well. */
export type StatusDepth = 'normal' | 'all' | 'ignored';

export interface StatusOptions extends GitCallOptions {
  /** Writes to the index which files are unchanged, so that the next call need not read them. */
  readonly writesIndex?: boolean;
}

export async function statusOf(
  git: Git,
  path: string,
  depth: StatusDepth,
  { env, writesIndex = false }: StatusOptions = {},
): Promise<TreeStatus> {
  const untracked = `--untracked-files=${depth === 'normal' ? 'normal' : 'all'}`;
  const ignored = depth === 'ignored' ? ['--ignored=matching'] : [];
  const words = ['status', '--porcelain=v2', '-z', '--branch', '--no-renames', '--ignore-submodules=none'];
  const locks = writesIndex ? {} : NO_LOCKS;
  return parseStatus(await git.must(path, [...words, untracked, ...ignored], { env: { ...locks, ...env } }));
}

export function parseStatus(text: string): TreeStatus {
  const lines = text.split('\0');
  const after = (start: string): readonly string[] =>
    lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
  const [head = ''] = after('# branch.oid ');
  const [branch = ''] = after('# branch.head ');
  return {
    head: head === '(initial)' ? undefined : head,
    branch: branch === '(detached)' ? undefined : branch,
    // Fields before the path: eight of a changed entry, ten of one in conflict.
    changed: lines.flatMap((line) => /^(?:1(?: \S+){7}|u(?: \S+){9}) (.+)$/s.exec(line)?.[1] ?? []),
    submodules: lines.flatMap((line) => /^1 \S+ S(?!\.\.\.)\S{3}(?: \S+){5} (.+)$/s.exec(line)?.[1] ?? []),
    untracked: after('? '),
    ignored: after('! '),
  };
}

/**
 * Clears the flags by which an agent told git to ignore changes in tracked files, so that these changes are neither lost
 * nor left behind. Files missing because of a sparse checkout keep the flag. Returns the files.
 */
export async function unhide(git: Git, path: string, more: GitCallOptions = {}): Promise<readonly string[]> {
  const listed = (await git.must(path, ['ls-files', '-v', '-z'], more)).split('\0');
  const entries = listed.map((line) => ({ mark: line.slice(0, 1), file: line.slice(2) }));
  const unchanged = entries.filter(({ mark }) => /[a-z]/.test(mark)).map(({ file }) => file);
  const skipped = entries.filter(({ mark, file }) => /s/i.test(mark) && existsSync(join(path, file)));
  const clear = async (option: string, files: readonly string[]): Promise<void> => {
    if (files.length === 0) return;
    await git.must(path, ['update-index', option, '-z', '--stdin'], { ...more, input: `${files.join('\0')}\0` });
  };
  await clear('--no-assume-unchanged', unchanged);
  await clear(
    '--no-skip-worktree',
    skipped.map(({ file }) => file),
  );
  return [...new Set([...unchanged, ...skipped.map(({ file }) => file)])];
}
