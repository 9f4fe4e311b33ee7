#!/usr/bin/env node
// Replaces GitHub's `gh`: pull requests between branches of a bare repository, which is the remote "origin". The file
// `gh-mood` next to that repository says how it behaves; it records its calls in `gh-calls`.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const git = (...argv) => execFileSync('git', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const remote = git('remote', 'get-url', 'origin');
const at = (name) => join(dirname(remote), name);
// The environment names the repository that gh was called in.
const elsewhere = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^GIT_(?:DIR|COMMON_DIR|WORK_TREE)$/.test(name)),
);
const inRemote = (...argv) =>
  execFileSync('git', ['-C', remote, '-c', 'user.name=hub', '-c', 'user.email=hub@hub', ...argv], {
    env: elsewhere,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
const textOf = (name, fallback) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8').trim() : fallback);

const argv = process.argv.slice(2);
appendFileSync(at('gh-calls'), `${JSON.stringify(argv)}\n`);
const [, what, which] = argv;
const option = (name) => argv[argv.indexOf(name) + 1];
const pulls = JSON.parse(textOf('gh-pulls', '[]'));
const mood = textOf('gh-mood', 'obliging');
const save = () => writeFileSync(at('gh-pulls'), JSON.stringify(pulls));
const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};

if (mood === 'hanging') execFileSync('sleep', ['1000'], { stdio: 'inherit' });
if (mood === 'logged out') fail('To get started with GitHub CLI, please run:  gh auth login');
({ view, create, merge })[what]();

function view() {
  const pull = find();
  if (pull === undefined) fail(`no pull requests found for branch "${which}"`);
  const headRefOid = pull.state === 'OPEN' ? commitOf(pull.head) : pull.headRefOid;
  const mergeable = pull.state !== 'OPEN' || mergedTree(pull) !== undefined ? 'MERGEABLE' : 'CONFLICTING';
  const { url, state } = pull;
  const reviewDecision = mood === 'reviewing' ? 'REVIEW_REQUIRED' : '';
  const mergeCommit = pull.merged === undefined ? null : { oid: pull.merged };
  const seen = { url, state, mergeable, headRefOid, mergeStateStatus: statusIn(mood), reviewDecision, mergeCommit };
  process.stdout.write(JSON.stringify(seen));
}

function create() {
  const [head, base, title, body] = ['--head', '--base', '--title', '--body'].map(option);
  if (pulls.some((pull) => pull.head === head && pull.state === 'OPEN')) fail('a pull request already exists');
  if (commitOf(head) === undefined || commitOf(base) === undefined) fail('Head sha or base sha cannot be blank');
  const url = `https://github.com/people/thing/pull/${pulls.length + 1}`;
  pulls.push({
    url,
    head,
    base,
    title,
    body,
    state: mood === 'closing' ? 'CLOSED' : 'OPEN',
    headRefOid: commitOf(head),
  });
  save();
  process.stdout.write(`${url}\n`);
}

function merge() {
  const pull = find();
  if (option('--repo') !== 'github.com/people/thing') fail('which repository?');
  if (commitOf(pull.head) !== option('--match-head-commit')) fail('Head branch was modified.');
  if (pull.state !== 'OPEN') fail('the pull request is not open');
  if (statusIn(mood) === 'BLOCKED') fail('the base branch policy prohibits the merge');
  if (mood === 'queueing') return;
  const tree = mergedTree(pull);
  if (tree === undefined) fail('the merge commit cannot be cleanly created');
  const parents = [pull.base, ...(argv.includes('--merge') ? [pull.head] : [])].flatMap((one) => ['-p', commitOf(one)]);
  const message = `${option('--subject')}\n\n${option('--body')}`;
  const commit = inRemote('commit-tree', tree, ...parents, '-m', message);
  Object.assign(pull, { state: 'MERGED', headRefOid: commitOf(pull.head), merged: commit });
  inRemote('update-ref', `refs/heads/${pull.base}`, commit, commitOf(pull.base));
  if (argv.includes('--delete-branch')) inRemote('update-ref', '-d', `refs/heads/${pull.head}`);
  save();
  if (mood === 'lying') fail('failed to delete the branch');
}

function find() {
  const own = pulls.filter((pull) => pull.url === which || pull.head === which);
  return own.find((pull) => pull.state === 'OPEN') ?? own.at(-1);
}

function statusIn(now) {
  return now === 'blocking' || now === 'reviewing' ? 'BLOCKED' : 'CLEAN';
}

function commitOf(branch) {
  try {
    return inRemote('rev-parse', '--verify', '--quiet', `refs/heads/${branch}`);
  } catch {
    return undefined;
  }
}

/** The merged tree, or undefined if there is a conflict. */
function mergedTree({ base, head }) {
  try {
    return inRemote('merge-tree', '--write-tree', commitOf(base), commitOf(head));
  } catch {
    return undefined;
  }
}
