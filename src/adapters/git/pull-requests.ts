// Pull requests through `gh`: pushed, opened once, merged there. What `gh pr view` says counts, and no exit code.
import { setTimeout as sleep } from 'node:timers/promises';

import { Failure } from '../../core/model/failure.ts';
import type { PullOutcome, PullRequest, PullRequests } from '../../core/ports/pull-requests.ts';
import { showText } from '../../text/show.ts';
import { withoutRepoVariables } from '../repo/repo.ts';
import { type Finished, isInstalled, runMeanwhile } from '../system/exec.ts';
import type { GitRepo } from './git.ts';
import { push, REMOTE } from './remote.ts';

export interface PullOptions extends Pick<GitRepo, 'git' | 'root'> {
  readonly env: NodeJS.ProcessEnv;
  /** How long the remote is given to find something out, in milliseconds; ten times that, to decide something. */
  readonly patience?: number;
  /** How long one call of gh may take, in milliseconds. */
  readonly timeLimit?: number;
}

export function pullRequests(options: PullOptions): PullRequests {
  const { root, env, git, patience = 2_000, timeLimit = 120_000 } = options;
  const gh = (...words: readonly string[]): Promise<Finished> =>
    runMeanwhile(['gh', ...words], { cwd: root, env: { ...withoutRepoVariables(env), ...QUIET }, timeLimit });

  /** `which`: the branch that it is of, or its address. */
  const view = async (which: string): Promise<Seen | undefined> => {
    const answer = await gh('pr', 'view', which, '--json', FIELDS.join());
    const seen = seenIn(answer.stdout);
    if (seen === undefined && !NONE.test(answer.stderr)) throw ghFailure(answer);
    return seen;
  };

  const open = async ({ head, into, message }: PullRequest): Promise<Seen> => {
    const [title = '', ...body] = message.split('\n');
    const about = ['--title', title, '--body', body.join('\n').trim()];
    const answer = await gh('pr', 'create', '--head', head, '--base', into, ...about);
    return (await view(head)) ?? ghFails(answer);
  };

  const merge = async ({ url }: Seen, { commit, message, keepsHistory }: PullRequest): Promise<Finished> => {
    const [subject = '', ...body] = message.split('\n');
    const how = keepsHistory ? '--merge' : '--squash';
    const what = ['--match-head-commit', commit, '--subject', subject, '--body', body.join('\n').trim()];
    // With a repository named, the branch is deleted there and not here, where nobody's checkout is to change.
    return gh('pr', 'merge', url, '--repo', repositoryOf(url), how, '--delete-branch', ...what);
  };

  /** Whether it can be merged takes the remote a moment to find out. */
  const seenAfter = async (url: string): Promise<Seen> => {
    for (let looks = 0; ; looks++) {
      const seen = (await view(url)) ?? ghFails({ exitCode: 1, stdout: '', stderr: `${url} is gone.` });
      if (seen.state !== 'OPEN' || seen.mergeable !== 'UNKNOWN' || looks === MOST_LOOKS) return seen;
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
      if (why !== undefined) throw new Failure('environment', 'no-pull-requests', `There is no pull request: ${why}.`);
      const before = await view(pull.head);
      if (before !== undefined && before.state !== 'OPEN' && before.headRefOid === pull.commit) return judged(before);
      await push(options, pull.commit, pull.head);
      const opened = before?.state === 'OPEN' ? before : await open(pull);
      if (opened.state !== 'OPEN') return judged(opened);
      const said = await merge(opened, pull);
      return judged(await seenAfter(opened.url), said.stderr);
    },
  };
}

const MOST_LOOKS = 5;

const QUIET = { GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1', GIT_TERMINAL_PROMPT: '0' };

const FIELDS = ['url', 'state', 'mergeable', 'mergeStateStatus', 'reviewDecision', 'headRefOid'] as const;

type Seen = Readonly<Record<(typeof FIELDS)[number], string>>;

const NONE = /no (?:open )?pull requests? found/i;

function seenIn(text: string): Seen | undefined {
  try {
    const fields = Object(JSON.parse(text));
    return FIELDS.every((field) => typeof fields[field] === 'string') ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** "https://github.com/people/thing/pull/7" -> "github.com/people/thing". */
function repositoryOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/pull\/\d+$/, '');
}

function judged({ url, state, mergeable, mergeStateStatus, reviewDecision }: Seen, said = ''): PullOutcome {
  if (state === 'MERGED') return { kind: 'merged', url };
  if (state === 'CLOSED') return { kind: 'turned-down', url, why: `${url} was closed and not merged.` };
  if (mergeable === 'CONFLICTING')
    return { kind: 'turned-down', url, why: `${url} conflicts with the branch that it is to be merged into.` };
  const [first = ''] = said.trim().split('\n');
  const reason = first === '' ? mergeStateStatus : `${mergeStateStatus}: ${showText(first)}`;
  const byPerson = FOR_PERSON[reviewDecision] ?? FOR_PERSON[mergeStateStatus];
  const remedy = byPerson ?? 'See there which check or approval is missing, or merge it.';
  const why = `${url} is open, and cannot be merged yet (${reason}). ${remedy}`;
  return { kind: 'waits', url, why, needsPerson: byPerson !== undefined };
}

/** What no check that runs there brings about, by what the remote says of the reviews, and else of the pull request. */
const FOR_PERSON: Readonly<Record<string, string>> = {
  REVIEW_REQUIRED: 'It has to be approved there.',
  CHANGES_REQUESTED: 'A review there asks for changes: answer it, or close the pull request to have the work fixed.',
  BEHIND: 'Its branch has to be brought up to date there.',
  DRAFT: 'It is a draft: say there that it is ready.',
};

function ghFailure({ stderr, stdout, exitCode }: Finished): Failure {
  const said = stderr.trim() || stdout.trim() || `exit code ${exitCode}`;
  return new Failure('environment', 'gh-failed', `gh says: ${showText(said)} "gh auth status" tells more.`);
}

function ghFails(answer: Finished): never {
  throw ghFailure(answer);
}
