// Finds out from git what a run or a plan has changed.

import type { Commit } from '../../core/model/commit.ts';
import { treeOfBranch } from '../../core/model/run-name.ts';
import type { ChangedFile, Changes, CommitRange } from '../../core/ports/changes.ts';
import type { Merging } from '../../core/ports/merging.ts';
import type { RunWorktrees } from '../../core/ports/worktrees.ts';
import { branchOf } from '../../plan/name.ts';
import { type Git, NO_LOCKS, resolveRefs } from './git.ts';
import { branchRefs } from './plan-branches.ts';

export interface ChangesOptions {
  readonly root: string;
  readonly git: Git;
  readonly trees: RunWorktrees;
  readonly merging: Merging;
}

export function changes({ root, git, trees, merging }: ChangesOptions): Changes {
  const ask = (...words: readonly string[]): Promise<string> => git.must(root, words, { env: NO_LOCKS });
  const between = async (onto: Commit, to: Commit): Promise<CommitRange> => ({
    from: (await ask('merge-base', onto, to)).trim(),
    to,
    merged: false,
  });
  const words = (range: CommitRange, form: 'patch' | 'stat', colour: 'auto' | 'never'): readonly string[] => [
    ...['diff', '--no-ext-diff', `--color=${colour}`, ...(form === 'stat' ? ['--stat'] : [])],
    ...[range.from, range.to, '--'],
  ];
  return {
    async ofRun(plan, { branch, merged }) {
      const [own, plans] = [`refs/heads/${branch}`, `refs/heads/${branchOf(plan)}`];
      const found = await resolveRefs(git, root, [own, plans]);
      const [head, tip] = [found.get(own), found.get(plans)];
      if (merged !== null && tip !== undefined) {
        const commit = await merging.merged(treeOfBranch(plan, branch), branchOf(plan), merged);
        if (commit !== undefined)
          return { from: (await ask('rev-parse', `${commit}^`)).trim(), to: commit, merged: true };
      }
      // What the run merged from the plan's branch in the meantime is not its own change.
      return head === undefined || tip === undefined ? undefined : between(tip, head);
    },
    async ofPlan(plan, configured) {
      const ref = `refs/heads/${branchOf(plan)}`;
      // `planBranch` would create it.
      if (!(await resolveRefs(git, root, [ref])).has(ref)) return undefined;
      const { base, tip } = await trees.planBranch(plan, configured);
      const found = await resolveRefs(git, root, branchRefs(base));
      const [onto] = branchRefs(base).flatMap((one) => found.get(one) ?? []);
      return onto === undefined ? undefined : between(onto, tip);
    },
    async files({ from, to }) {
      const listed = await ask('diff', '--no-ext-diff', '--no-renames', '--numstat', '-z', from, to, '--');
      return listed.split('\0').flatMap(fileFrom);
    },
    command: (range, form, colour) => ['git', '-C', root, ...words(range, form, colour)],
    text: (range, form) => ask(...words(range, form, 'never')),
  };
}

/** "3\t1\tpath"; for binary files git prints dashes instead of the numbers. */
function fileFrom(line: string): readonly ChangedFile[] {
  const [, added = '', removed = '', path] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(line) ?? [];
  const count = (text: string): number | null => (text === '-' ? null : Number(text));
  return path === undefined ? [] : [{ path, added: count(added), removed: count(removed) }];
}
