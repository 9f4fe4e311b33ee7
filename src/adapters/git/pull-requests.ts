// Pull requests through `gh`: pushes, opens one, merges it. Trusts what `gh pr view` shows, not exit codes.
import { setTimeout as sleep } from 'node:timers/promises';

import type { Commit } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import type { PullOutcome, PullRequest, PullRequests } from '../../core/ports/pull-requests.ts';
import { showText } from '../../text/show.ts';
import { type Finished, isInstalled, runMeanwhile } from '../system/exec.ts';
import type { GitRepo } from './git.ts';
import { push, REMOTE } from './remote.ts';

export interface PullOptions extends Pick<GitRepo, 'git' | 'root'> {
  readonly env: NodeJS.ProcessEnv;
  /** How often the remote is asked whether it can merge, in milliseconds. A pull request that waits: ten times that. */
  readonly patience?: number;
  /** How long one call of gh may take, in milliseconds. */
  readonly timeLimit?: number;
}

export function pullRequests(options: PullOptions): PullRequests {
  const { root, env, git, patience = 2_000, timeLimit = 120_000 } = options;
  const gh = async (...words: readonly string[]): Promise<Finished> =>
    runMeanwhile(['gh', ...words], { cwd: root, env: { ...(await git.environment(root)), ...QUIET }, timeLimit });

  /** `which`: the branch, or the URL of the pull request. */
  const view = async (which: string): Promise<PullView | undefined> => {
    const answer = await gh('pr', 'view', which, '--json', [...FIELDS, 'mergeCommit'].join());
    const pull = parseView(answer.stdout);
    if (pull === undefined && !NOT_FOUND.test(answer.stderr)) throw ghFailure(answer);
    return pull;
  };

  const open = async ({ head, into, message }: PullRequest): Promise<PullView> => {
    const [title = '', ...body] = message.split('\n');
    const about = ['--title', title, '--body', body.join('\n').trim()];
    const answer = await gh('pr', 'create', '--head', head, '--base', into, ...about);
    return (await view(head)) ?? failWith(answer);
  };

  const merge = async ({ url }: PullView, { commit, message, keepsHistory }: PullRequest): Promise<Finished> => {
    const [subject = '', ...body] = message.split('\n');
    const how = keepsHistory ? '--merge' : '--squash';
    const what = ['--match-head-commit', commit, '--subject', subject, '--body', body.join('\n').trim()];
    // With --repo, gh deletes the branch on the remote only and leaves every checkout here alone.
    return gh('pr', 'merge', url, '--repo', repositoryOf(url), how, '--delete-branch', ...what);
  };

  /** The remote needs a moment to find out whether it can merge. */
  const viewAfterMerge = async (url: string): Promise<PullView> => {
    for (let views = 0; ; views++) {
      const pull = (await view(url)) ?? failWith({ exitCode: 1, stdout: '', stderr: `${url} no longer exists.` });
      if (pull.state !== 'OPEN' || pull.mergeable !== 'UNKNOWN' || views === MAX_VIEWS) return pull;
      await sleep(patience);
    }
  };

  return {
    patience: 10 * patience,
    async problem() {
      if (!isInstalled('gh', env)) return 'gh is not installed (https://cli.github.com)';
      const remote = await git.ask(root, ['remote', 'get-url', REMOTE]);
      return remote.exitCode === 0 ? undefined : `the repository has no remote "${REMOTE}"`;
    },
    async merge(pull) {
      const why = await this.problem();
      if (why !== undefined)
        throw new Failure('environment', 'no-pull-requests', `Cannot open a pull request: ${why}.`);
      const before = await view(pull.head);
      if (before !== undefined && before.state !== 'OPEN' && before.headRefOid === pull.commit)
        return outcomeOf(before);
      await push(options, pull.commit, pull.head);
      const opened = before?.state === 'OPEN' ? before : await open(pull);
      if (opened.state !== 'OPEN') return outcomeOf(opened);
      const answer = await merge(opened, pull);
      return outcomeOf(await viewAfterMerge(opened.url), answer.stderr);
    },
    async mergedAs(head, commit) {
      const pull = await view(head);
      return pull?.state === 'MERGED' && pull.headRefOid === commit ? pull.mergeCommit : undefined;
    },
  };
}

const MAX_VIEWS = 5;

const QUIET = { GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1', GIT_TERMINAL_PROMPT: '0' };

const FIELDS = ['url', 'state', 'mergeable', 'mergeStateStatus', 'reviewDecision', 'headRefOid'] as const;

type PullView = Readonly<Record<(typeof FIELDS)[number], string>> & {
  /** The commit on the target branch, once it is merged. */
  readonly mergeCommit: Commit | undefined;
};

const NOT_FOUND = /no (?:open )?pull requests? found/i;

function parseView(text: string): PullView | undefined {
  try {
    const fields = Object(JSON.parse(text));
    const commit = Object(fields.mergeCommit).oid;
    const mergeCommit = typeof commit === 'string' ? commit : undefined;
    return FIELDS.every((field) => typeof fields[field] === 'string') ? { ...fields, mergeCommit } : undefined;
  } catch {
    return undefined;
  }
}

/** "https://github.com/people/thing/pull/7" -> "github.com/people/thing". */
function repositoryOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/pull\/\d+$/, '');
}

function outcomeOf(pull: PullView, stderr = ''): PullOutcome {
  const { url, state, mergeable, mergeStateStatus, reviewDecision, mergeCommit: commit } = pull;
  if (state === 'MERGED' && commit !== undefined) return { kind: 'merged', url, commit };
  if (state === 'MERGED')
    return {
      kind: 'waits',
      url,
      why: `${url} is merged, but gh does not report the merge commit.`,
      needsPerson: false,
    };
  if (state === 'CLOSED') return { kind: 'turned-down', url, why: `${url} was closed without being merged.` };
  if (mergeable === 'CONFLICTING') return { kind: 'turned-down', url, why: `${url} conflicts with its target branch.` };
  const [first = ''] = stderr.trim().split('\n');
  const reason = first === '' ? mergeStateStatus : `${mergeStateStatus}: ${showText(first)}`;
  const request = PERSON_REQUESTS[reviewDecision] ?? PERSON_REQUESTS[mergeStateStatus];
  const remedy = request ?? 'See on its page which check or approval is missing, or merge it.';
  const why = `${url} is open and cannot be merged yet (${reason}). ${remedy}`;
  return { kind: 'waits', url, why, needsPerson: request !== undefined };
}

/** What only a person can do, by the remote's review decision or else by its merge status. */
const PERSON_REQUESTS: Readonly<Record<string, string>> = {
  REVIEW_REQUIRED: 'Approve it there.',
  CHANGES_REQUESTED: 'A review there requests changes: answer it, or close the pull request to have the work fixed.',
  BEHIND: 'Update its branch there.',
  DRAFT: 'It is a draft: mark it as ready for review there.',
};

function ghFailure({ stderr, stdout, exitCode }: Finished): Failure {
  const reason = stderr.trim() || stdout.trim() || `exit code ${exitCode}`;
  return new Failure('environment', 'gh-failed', `gh failed: ${showText(reason)} Run "gh auth status" for details.`);
}

function failWith(answer: Finished): never {
  throw ghFailure(answer);
}
