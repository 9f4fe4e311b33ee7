// Pushes to the remote and fetches from it.

import type { Commit } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import { showText } from '../../text/show.ts';
import type { GitRepo } from './git.ts';

/** The remote that everything is pushed to. */
export const REMOTE = 'origin';

type Transfer = Pick<GitRepo, 'git' | 'root'>;

/** A remote that does not answer in time is asked again later. */
const PATIENCE = { timeLimit: 600_000 };

/** Never forced: commits that only the remote has are someone's work. */
export async function push({ git, root }: Transfer, commit: Commit, branch: string): Promise<void> {
  const answer = await git.ask(root, ['push', '--quiet', REMOTE, `${commit}:refs/heads/${branch}`], PATIENCE);
  if (answer.exitCode === 0) return;
  throw new Failure(
    'person',
    'not-pushed',
    `Could not push ${branch} to ${REMOTE}: ${showText(answer.stderr.trim())} Check the branch there, then try again.`,
  );
}

/** The last commit of the branch on the remote, or undefined if the remote has no such branch. */
export async function fetchBranch({ git, root }: Transfer, branch: string): Promise<Commit | undefined> {
  const ref = `refs/remotes/${REMOTE}/${branch}`;
  const words = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', REMOTE, `+refs/heads/${branch}:${ref}`];
  const answer = await git.ask(root, words, PATIENCE);
  if (answer.exitCode === 0) return (await git.must(root, ['rev-parse', ref])).trim();
  if (/couldn't find remote ref/i.test(answer.stderr)) return undefined;
  throw new Failure(
    'environment',
    'not-fetched',
    `Could not fetch ${branch} from ${REMOTE}: ${showText(answer.stderr.trim())}`,
  );
}
