// Merges by pull requests, with a bare repository as the remote and a fake `gh`. Only what `gh pr view` shows counts.
import { describe, expect, test } from 'vitest';
import { openGit } from '../../../src/adapters/git/git.ts';
import { pullRequests } from '../../../src/adapters/git/pull-requests.ts';
import { merging } from '../../../src/adapters/worktrees/merging.ts';
import type { Tree, TreeName } from '../../../src/core/model/run-name.ts';
import type { MergeRequest } from '../../../src/core/ports/merging.ts';
import type { PullRequest, PullRequests } from '../../../src/core/ports/pull-requests.ts';
import { bringHub, type Hub } from '../../support/fake-gh.ts';
import { failureOf, temporaryFolder } from '../../support/pieces.ts';
import {
  agreed,
  BRANCH,
  benchIn,
  GOOD,
  ownOf,
  PLAN,
  PLAN_BRANCH,
  RUN,
  type RunBench,
  UNASKED,
  work,
} from '../../support/run-bench.ts';

interface Bench extends RunBench {
  readonly hub: Hub;
  readonly pulls: PullRequests;
  onRemote(ref: string): string;
}

function bench(): Bench {
  const base = temporaryFolder();
  const at = benchIn(base);
  const hub = bringHub(base, (...argv) => at.git(at.root, ...argv));
  const env = { ...at.env, PATH: `${hub.bin}:${at.env.PATH}` };
  const git = openGit({ ...at.places, env });
  const pulls = pullRequests({ root: at.root, env, git, patience: 1 });
  const merges = agreed(merging({ root: at.root, gitFolder: `${at.root}/.git`, git, pulls }));
  return { ...at, hub, pulls, merging: merges, onRemote: (ref) => at.git(hub.path, 'rev-parse', ref).trim() };
}

const second: Tree = { plan: PLAN, name: 't2-a1' as TreeName };

const request = (at: Bench, pin: string, run = RUN): MergeRequest => ({
  run,
  base: 'main',
  pin,
  tip: at.commit(PLAN_BRANCH),
  message: 'feat: it\n\nAll of it.',
});

async function worked(at: Bench, files: Readonly<Record<string, string>>, run = RUN): Promise<string> {
  await at.setUp(run);
  return work(at, files, at.pathOf(run));
}

describe('a run offered as a pull request', () => {
  test('is merged on the remote as one commit, and the local plan branch follows', async () => {
    const at = bench();
    await worked(at, { one: '1' });
    const pin = work(at, { two: '2' });
    const [tip, own] = [at.commit(PLAN_BRANCH), ownOf(at)];
    const answer = await at.merging.offer(request(at, pin), UNASKED);
    const commit = at.commit(PLAN_BRANCH);
    expect(answer).toEqual({ kind: 'merged', commit });
    expect(at.onRemote(PLAN_BRANCH)).toBe(commit);
    expect(at.git(at.root, 'log', '-1', '--format=%P%n%B', commit)).toBe(
      `${tip}\nfeat: it\n\nAll of it.\n\nCadre-Run: build-it/t1-a1 ${pin}\n\n`,
    );
    expect(at.git(at.root, 'diff', commit, pin)).toBe('');
    expect(at.hub.pulls()).toMatchObject([{ head: BRANCH, base: PLAN_BRANCH, title: 'feat: it', state: 'MERGED' }]);
    // The branch is deleted on the remote and stays here.
    expect(() => at.onRemote(`refs/heads/${BRANCH}`)).toThrow();
    expect([at.commit(BRANCH), ownOf(at)]).toEqual([pin, own]);
    expect(await at.merging.offer(request(at, pin), UNASKED)).toEqual({ kind: 'already', commit });
    expect(at.hub.calls().filter((call) => call === 'pr merge')).toHaveLength(1);
  });

  test('counts as merged if it is, whatever the exit code of gh', async () => {
    const at = bench();
    at.hub.mood('lying');
    const pin = await worked(at, { one: '1' });
    expect(await at.merging.offer(request(at, pin), UNASKED)).toMatchObject({ kind: 'merged' });
  });

  test.each([
    ['queueing', /pull\/1 is open and cannot be merged yet \(CLEAN\)\./],
    ['blocking', /pull\/1 is open and cannot be merged yet \(BLOCKED: the base branch policy prohibits the merge\)\./],
  ] as const)('waits where the remote is %s, is opened once, and is merged when it may be', async (mood, why) => {
    const at = bench();
    at.hub.mood(mood);
    const pin = await worked(at, { one: '1' });
    for (const _time of [1, 2])
      expect(await at.merging.offer(request(at, pin), UNASKED)).toEqual({
        kind: 'waits',
        why: expect.stringMatching(why),
        needsPerson: false,
      });
    expect(at.hub.calls().filter((call) => call === 'pr create')).toHaveLength(1);
    at.hub.mood('obliging');
    expect(await at.merging.offer(request(at, pin), UNASKED)).toMatchObject({ kind: 'merged' });
  });

  test('is turned down if it is closed on the remote, and later commits get a new pull request', async () => {
    const at = bench();
    at.hub.mood('blocking');
    const pin = await worked(at, { one: '1' });
    await at.merging.offer(request(at, pin), UNASKED);
    at.hub.change({ state: 'CLOSED' });
    at.hub.mood('obliging');
    expect(await at.merging.offer(request(at, pin), UNASKED)).toEqual({
      kind: 'turned-down',
      why: 'https://github.com/people/thing/pull/1 was closed without being merged.',
    });
    const fixed = work(at, { one: 'one' });
    expect(await at.merging.offer(request(at, fixed), UNASKED)).toMatchObject({ kind: 'merged' });
    expect(at.hub.pulls().map(({ state }) => state)).toEqual(['CLOSED', 'MERGED']);
  });

  test('is merged here as well if a person merges it on the remote', async () => {
    const at = bench();
    at.hub.mood('blocking');
    const pin = await worked(at, { one: '1' });
    const asked = request(at, pin);
    await at.merging.offer(asked, UNASKED);
    at.hub.mood('obliging');
    // As after a call that was cut off right there.
    await at.pulls.merge({ head: BRANCH, commit: pin, into: PLAN_BRANCH, message: 'x', keepsHistory: false });
    expect(at.commit(PLAN_BRANCH)).toBe(asked.tip);
    const commit = at.onRemote(PLAN_BRANCH);
    expect(await at.pulls.mergedAs(BRANCH, pin)).toBe(commit);
    expect(await at.merging.offer(asked, UNASKED)).toEqual({ kind: 'merged', commit });
    expect(at.commit(PLAN_BRANCH)).toBe(commit);
    expect(await at.merging.offer(request(at, pin), UNASKED)).toMatchObject({ kind: 'already' });
  });

  test('is verified together with what others have merged on the remote', async () => {
    const at = bench();
    const [pin, other] = [await worked(at, { one: '1' }), await worked(at, { two: '2' }, second)];
    await at.merging.offer(request(at, other, second), UNASKED);
    const result = { kind: 'failed', exitCode: 1, tail: '' } as const;
    expect(await at.merging.offer(request(at, pin), async () => result)).toEqual({ kind: 'unverified', result });
    expect(at.hub.pulls()).toHaveLength(1);
    expect(await at.merging.offer(request(at, pin), GOOD)).toMatchObject({ kind: 'merged' });
    expect(at.git(at.root, 'show', `${PLAN_BRANCH}:one`)).toBe('1');
  });

  test('reports each conflicting file before anything is pushed', async () => {
    const at = bench();
    const [pin, other] = [await worked(at, { one: '1' }), await worked(at, { one: '2' }, second)];
    await at.merging.offer(request(at, other, second), UNASKED);
    expect(await at.merging.offer(request(at, pin), UNASKED)).toEqual({ kind: 'conflict', files: ['one'] });
    expect(() => at.onRemote(`refs/heads/${BRANCH}`)).toThrow();
  });

  test('keeps a merge of the base in its history', async () => {
    const at = bench();
    await worked(at, { one: '1' });
    const base = work(at, { new: 'x' }, at.root);
    at.git(at.path, 'merge', '-q', '--no-edit', 'main');
    const pin = at.commit(BRANCH);
    expect(await at.merging.offer(request(at, pin), UNASKED)).toMatchObject({ kind: 'merged' });
    expect(at.git(at.root, 'merge-base', PLAN_BRANCH, 'main').trim()).toBe(base);
    expect(await at.pulls.mergedAs(BRANCH, pin)).toBe(at.commit(PLAN_BRANCH));
  });

  test.each<[string, (at: Bench) => void]>([
    ['before the pull request is merged', () => undefined],
    ['after the pull request was merged', (at) => at.hub.mood('obliging')],
  ])('waits for a person if the remote has commits that cadre did not make, %s', async (_when, prepare) => {
    const at = bench();
    at.hub.mood('blocking');
    const pin = await worked(at, { one: '1' });
    const asked = request(at, pin);
    await at.merging.offer(asked, UNASKED);
    const foreign = at.git(at.root, 'commit-tree', 'main^{tree}', '-p', PLAN_BRANCH, '-m', 'theirs').trim();
    at.git(at.root, 'push', '-q', 'origin', `${foreign}:refs/heads/${PLAN_BRANCH}`);
    prepare(at);
    // A person merges it there, where that is possible.
    await at.pulls.merge({ head: BRANCH, commit: pin, into: PLAN_BRANCH, message: 'x', keepsHistory: false });
    expect(await at.merging.offer(asked, UNASKED)).toEqual({
      kind: 'waits',
      why: expect.stringContaining(`origin/${PLAN_BRANCH} is at `),
      needsPerson: true,
    });
    expect(at.commit(PLAN_BRANCH)).toBe(asked.tip);
  });
});

test('stops a gh that never answers, with its child processes, and reports the timeout', async () => {
  const at = bench();
  at.hub.mood('hanging');
  const env = { ...at.env, PATH: `${at.hub.bin}:${at.env.PATH}` };
  const pulls = pullRequests({ root: at.root, env, git: openGit({ ...at.places, env }), timeLimit: 1_000 });
  const pull = { head: BRANCH, commit: at.commit('main'), into: PLAN_BRANCH, message: 'feat: it', keepsHistory: false };
  expect(await failureOf(() => pulls.merge(pull))).toMatchObject({
    kind: 'environment',
    message: expect.stringContaining('It took longer than 1 s and was stopped.'),
  });
});

test('stops a git that waits too long for a remote', async () => {
  const at = bench();
  at.git(at.root, 'remote', 'set-url', 'origin', 'ssh://nowhere/thing');
  const env = { ...at.env, GIT_SSH_COMMAND: 'sleep 1000 #' };
  const answer = await openGit({ ...at.places, env }).ask(at.root, ['fetch', 'origin'], { timeLimit: 1_000 });
  expect(answer).toMatchObject({ exitCode: 124, stderr: expect.stringContaining('It took longer than 1 s') });
});

describe('opens no pull request', () => {
  const pull = (at: Bench): PullRequest => ({
    head: 'main',
    commit: at.commit('main'),
    into: 'main',
    message: 'x',
    keepsHistory: false,
  });

  test('without a remote', async () => {
    const at = bench();
    at.git(at.root, 'remote', 'remove', 'origin');
    expect(await at.pulls.problem()).toBe('the repository has no remote "origin"');
    expect((await failureOf(() => at.pulls.merge(pull(at)))).message).toBe(
      'Cannot open a pull request: the repository has no remote "origin".',
    );
  });

  test('without gh', async () => {
    const at = bench();
    const env = { ...at.env, PATH: '/nowhere' };
    const pulls = pullRequests({ root: at.root, env, git: openGit(at.places) });
    expect(await pulls.problem()).toBe('gh is not installed (https://cli.github.com)');
  });

  test('if gh is not logged in', async () => {
    const at = bench();
    at.hub.mood('logged out');
    expect(await failureOf(() => at.pulls.merge(pull(at)))).toMatchObject({
      kind: 'environment',
      code: 'gh-failed',
      message: expect.stringMatching(/gh auth login.*Run "gh auth status" for details\.$/),
    });
  });

  test('of a branch that has other commits on the remote, which stay', async () => {
    const at = bench();
    const pin = await worked(at, { one: '1' });
    const theirs = work(at, { theirs: 'x' }, at.root);
    at.git(at.root, 'push', '-q', 'origin', `${theirs}:refs/heads/${BRANCH}`);
    expect(await failureOf(() => at.merging.offer(request(at, pin), UNASKED))).toMatchObject({ code: 'not-pushed' });
    expect(at.onRemote(BRANCH)).toBe(theirs);
  });
});
