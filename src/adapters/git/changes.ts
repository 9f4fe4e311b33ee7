// Finds out from git what a run or a plan has changed.

import type { Commit } from '../../core/model/commit.ts';
import { treeOfBranch } from '../../core/model/run-name.ts';
import type { ChangedFile, Changes, CommitLine, CommitRange } from '../../core/ports/changes.ts';
import type { RunWorktrees } from '../../core/ports/worktrees.ts';
import { branchOf } from '../../plan/name.ts';
import { SAFE } from '../repo/git-environment.ts';
import { type Git, NO_LOCKS } from './git.ts';

export interface ChangesOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly root: string;
  readonly git: Git;
  readonly trees: RunWorktrees;
}

export function changes({ env, root, git, trees }: ChangesOptions): Changes {
  const ask = (...words: readonly string[]): Promise<string> => git.must(root, words, { env: NO_LOCKS });
  const askOnce = lastFew(ask);
  const between = async (onto: Commit, to: Commit): Promise<CommitRange> => ({
    from: (await askOnce('merge-base', onto, to)).trim(),
    to,
    merged: false,
  });
  const words = (
    range: CommitRange,
    form: keyof typeof FORMS,
    colour: 'auto' | 'always' | 'never',
  ): readonly string[] => [
    ...['diff', '--no-ext-diff', '--no-textconv', `--color=${colour}`, ...FORMS[form]],
    ...[range.from, range.to, '--'],
  ];
  return {
    async ofRun(plan, { branch, merged }) {
      if (merged !== null) {
        const [before] = await git.resolve(root, [`${merged}^`]);
        if (before !== undefined) return { from: before, to: merged, merged: true };
      }
      // What its agent has just committed behind a wall counts.
      await trees.headOf(treeOfBranch(plan, branch));
      const [head, tip] = await git.resolve(root, [`refs/heads/${branch}`, `refs/heads/${branchOf(plan)}`]);
      // What the run merged from the plan's branch in the meantime is not its own change.
      return head === undefined || tip === undefined ? undefined : between(tip, head);
    },
    async ofPlan(plan, base) {
      const tip = await trees.tipOf(plan);
      return tip === undefined ? undefined : between((await trees.baseOf(plan, base)).commit, tip);
    },
    async ofBranch(branch, from) {
      const [head] = await git.resolve(root, [`refs/heads/${branch}`]);
      return head === undefined ? undefined : between(from, head);
    },
    between,
    async commits({ from, to }) {
      const listed = await askOnce(
        'log',
        '-z',
        `--max-count=${MOST_COMMITS}`,
        `--format=${COMMIT_FORMAT}`,
        `${from}..${to}`,
      );
      return listed.split('\0').flatMap(commitFrom);
    },
    async files({ from, to }) {
      const listed = await ask('diff', '--no-ext-diff', '--no-renames', '--numstat', '-z', from, to, '--');
      return listed.split('\0').flatMap(fileFrom);
    },
    command: async (range, form, colour) => ({
      argv: ['git', '-C', root, ...SAFE, ...words(range, form, colour)],
      // The pager is the person's, in the person's language.
      env: { ...(await git.environment(root)), LC_ALL: env.LC_ALL },
    }),
    text: (range, form) => askOnce(...words(range, form, 'never')),
  };
}

/** What git says about two commits never changes, and several reviewers read it. A diff may be long: only a few are kept. */
function lastFew(ask: (...words: readonly string[]) => Promise<string>): typeof ask {
  const kept = new Map<string, Promise<string>>();
  return (...words) => {
    const key = words.join('\0');
    const known = kept.get(key);
    if (known !== undefined) return known;
    const asked = ask(...words);
    kept.set(key, asked);
    asked.catch(() => kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return asked;
  };
}

const MOST_KEPT = 8;

/** A reviewer sees only the changes, so it needs more around them than a person with an editor. */
const FORMS = { patch: [], stat: ['--stat'], review: ['--unified=12'] } as const;

const MOST_COMMITS = 200;

/** Nothing in a subject or a name is a line end. */
const COMMIT_FORMAT = '%H%n%aI%n%an%n%s';

function commitFrom(text: string): readonly CommitLine[] {
  const [commit = '', at = '', author = '', subject = ''] = text.split('\n');
  return commit === '' ? [] : [{ commit, at, author, subject }];
}

/** "3\t1\tpath"; for binary files git prints dashes instead of the numbers. */
function fileFrom(line: string): readonly ChangedFile[] {
  const [, added = '', removed = '', path] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(line) ?? [];
  const count = (text: string): number | null => (text === '-' ? null : Number(text));
  return path === undefined ? [] : [{ path, added: count(added), removed: count(removed) }];
}
