// Pins work under refs/cadre/keep: commits everything in a worktree without touching its index or its branch.
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../core/model/failure.ts';
import { runBranch, type Tree } from '../../core/model/run-name.ts';
import type { Pinned } from '../../core/ports/worktrees.ts';
import { pinsOf } from '../git/cadre-refs.ts';
import { commitWith, type Git, type GitRepo, NO_LOCKS, resolveRefs, treesOf } from '../git/git.ts';
import type { LinkedRepo } from '../git/git-worktrees.ts';
import { statusOf, unhide } from '../git/tree-status.ts';
import type { Reached } from '../system/failpoints.ts';

/** Pins what is in the worktree, or its branch if the worktree is gone. Does nothing if the last pin is the same. */
export async function pinWorktree(
  repo: LinkedRepo & { readonly reached: Reached },
  tree: Tree,
  path: string,
  why: string,
): Promise<Pinned> {
  const { git, root, links, reached } = repo;
  const own = links.folderOf(path);
  const shot = own === undefined ? await branchOnly(repo, tree) : await snapshot(repo, path, own);
  const before = await listPins(repo, tree);
  const [last] = before;
  if (last !== undefined && isSame(last, shot)) return { ref: last.ref, commit: last.commit, missing: shot.missing };
  const commit = await commitOf(git, root, shot, why);
  reached('keep.commit');
  const ref = `${pinsOf(tree)}/${(last?.number ?? 0) + 1}`;
  // The ref's log says when and why, also where the commit is the agent's own.
  await git.must(root, ['update-ref', '--no-deref', '--create-reflog', '-m', why, ref, commit, '']);
  reached('keep.ref');
  return { ref, commit, missing: shot.missing };
}

interface Snapshot {
  readonly head: string | undefined;
  /** Everything in the worktree that is not ignored. */
  readonly tree: string;
  /** The staged tree, if it differs from both the head and the files. */
  readonly staged: string | undefined;
  readonly isCommitted: boolean;
  readonly missing: readonly string[];
}

/** Writes the files as a tree, with a copy of the worktree's index. */
export async function snapshot({ git, root }: GitRepo, path: string, own: string): Promise<Snapshot> {
  const index = join(own, 'cadre-keep-index');
  const env = { GIT_INDEX_FILE: index };
  rmSync(`${index}.lock`, { force: true });
  try {
    if (existsSync(join(own, 'index'))) copyFileSync(join(own, 'index'), index);
    const status = await statusOf(git, path, 'all');
    const head = status.head ?? lastHead(own);
    const isClean = [status.changed, status.untracked, status.submodules].every((files) => files.length === 0);
    const [headTree] = head === undefined ? [] : await treesOf(git, root, [head]);
    const hidden = await unhide(git, path, { env });
    if (isClean && hidden.length === 0 && status.head !== undefined && headTree !== undefined)
      return { head, tree: headTree, staged: undefined, isCommitted: true, missing: [] };
    // In the middle of a merge the index cannot be written as a tree; its files are in the worktree.
    const stagedAnswer = await git.ask(path, ['write-tree'], { env });
    const staged = stagedAnswer.exitCode === 0 ? stagedAnswer.stdout.trim() : undefined;
    const nested = status.untracked.filter((file) => file.endsWith('/'));
    const without = nested.map((file) => `:(top,exclude,literal)${file.slice(0, -1)}`);
    const added = await git.ask(path, ['add', '--all', '--ignore-errors', '--', ':/', ...without], { env });
    const tree = (await git.must(path, ['write-tree'], { env })).trim();
    const isOther = staged !== undefined && staged !== headTree && staged !== tree;
    return {
      head,
      tree,
      staged: isOther ? staged : undefined,
      isCommitted: tree === headTree && !isOther,
      missing: [...nested, ...status.submodules, ...unreadable(added.exitCode, added.stderr)],
    };
  } finally {
    rmSync(index, { force: true });
  }
}

function unreadable(exitCode: number, stderr: string): readonly string[] {
  if (exitCode === 0) return [];
  const named = [...stderr.matchAll(/unable to index file '([^\n]+)'/g)].map((match) => match[1] ?? '');
  return named.length > 0 ? named : [stderr.trim()];
}

/** The worktree's last commit, which its reflog has even if its branch was deleted. */
export function lastHead(own: string): string | undefined {
  try {
    // Git notes a deletion as well, with a commit of zeros.
    const commits = readFileSync(join(own, 'logs', 'HEAD'), 'utf8').matchAll(/^\S+ (?!0+ )([0-9a-f]{40,64}) /gm);
    return [...commits].at(-1)?.[1];
  } catch {
    return undefined;
  }
}

async function branchOnly({ git, root }: GitRepo, tree: Tree): Promise<Snapshot> {
  const ref = `refs/heads/${runBranch(tree)}`;
  const head = (await resolveRefs(git, root, [ref])).get(ref);
  if (head === undefined)
    throw new Failure(
      'failed',
      'nothing-to-keep',
      `There is neither a worktree nor a branch ${runBranch(tree)}, so there is nothing to pin.`,
    );
  return { head, tree: '', staged: undefined, isCommitted: true, missing: [] };
}

async function commitOf(git: Git, root: string, shot: Snapshot, why: string): Promise<string> {
  const { head, tree, staged, isCommitted } = shot;
  if (isCommitted && head !== undefined) return head;
  const parents = head === undefined ? [] : ['-p', head];
  const commitTree = async (what: string, above: readonly string[], message: string): Promise<string> =>
    (await commitWith(git, root, ['commit-tree', what, ...above, '-F', '-'], { input: message })).trim();
  const index = staged === undefined ? [] : ['-p', await commitTree(staged, parents, 'cadre: staged changes\n')];
  return commitTree(tree, [...parents, ...index], `${UNCOMMITTED}\n\n${why}\n`);
}

/** Pins are recognized by it, also those of earlier versions, so it does not change. */
export const UNCOMMITTED = 'cadre: what was not committed';

export interface Pin {
  readonly ref: string;
  readonly number: number;
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** Its commit holds uncommitted work on top of the committed. */
  readonly isUncommitted: boolean;
}

/** The pins of a worktree, newest first. */
export async function listPins({ git, root }: GitRepo, tree: Tree): Promise<readonly Pin[]> {
  const format = '--format=%(refname)%00%(objectname)%00%(tree)%00%(parent)%00%(contents:subject)';
  const listed = await git.must(root, ['for-each-ref', format, `${pinsOf(tree)}/`], { env: NO_LOCKS });
  return listed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [ref = '', commit = '', its = '', parents = '', subject = ''] = line.split('\0');
      return {
        ref,
        number: Number(/\d+$/.exec(ref)?.[0] ?? 0),
        commit,
        tree: its,
        parents: parents.split(' ').filter((parent) => parent !== ''),
        isUncommitted: subject === UNCOMMITTED,
      };
    })
    .toSorted((one, other) => other.number - one.number);
}

function isSame(last: Pin, { head, tree, isCommitted }: Snapshot): boolean {
  if (isCommitted) return last.commit === head;
  return last.isUncommitted && last.tree === tree && last.parents[0] === head;
}
