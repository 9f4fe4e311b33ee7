// Lists what is pinned under refs/cadre/keep: when and why it was pinned, and what it changes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from '../../core/model/commit.ts';
import type { KeptCommit } from '../../core/ports/kept.ts';
import { planFile } from '../../plan/name.ts';
import { KEEP, landingRef, PLAN_PART, refPrefix } from '../git/cadre-refs.ts';
import { type Git, type GitRepo, NO_LOCKS } from '../git/git.ts';
import { mergeBase } from '../git/history.ts';
import { UNCOMMITTED } from '../worktrees/pin.ts';

export async function keptCommits(repo: GitRepo): Promise<readonly KeptCommit[]> {
  const pins = await pinsIn(repo);
  const commits = await commitsOf(repo, [...new Set(pins.map(({ commit }) => commit))]);
  const bases = await basesOf(repo, pins, commits);
  const counts = await changedFiles(repo, pins.map(treesFrom(commits, bases)));
  const only = await onlyPinned(
    repo,
    pins.filter(({ commit }) => commits.has(commit)),
  );
  return pins.map((pin, index) => {
    const commit = commits.get(pin.commit);
    const base = bases[index];
    const noted = noteOf(repo.gitFolder, pin.ref);
    return {
      kind: 'commit',
      ...pin,
      at: noted?.at ?? commit?.at ?? null,
      why: noted?.why ?? commit?.why ?? null,
      files: counts[index] ?? 0,
      isUncommitted: commit?.why !== undefined,
      isElsewhere: commit !== undefined && !only.has(pin.ref),
      range: commit === undefined || base === undefined ? undefined : { from: base, to: pin.commit, merged: false },
    };
  });
}

type PinnedRef = Pick<KeptCommit, 'id' | 'plan' | 'part' | 'ref' | 'commit'>;

/** Without reading an object: git would list nothing at all if one were missing. */
async function pinsIn({ git, root }: GitRepo): Promise<readonly PinnedRef[]> {
  const listed = await git.must(root, ['for-each-ref', '--format=%(objectname) %(refname)', KEEP], { env: NO_LOCKS });
  return listed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [commit = '', ref = ''] = line.split(' ');
      const id = ref.slice(KEEP.length);
      const [plan = '', part = ''] = id.split('/');
      return { id, plan, part, ref, commit };
    });
}

interface ReadCommit {
  readonly tree: string;
  readonly parent: Commit | undefined;
  readonly at: string;
  /** For a commit of cadre's: why it pinned what was not committed. */
  readonly why: string | undefined;
}

/** Those that git still has. */
async function commitsOf({ git, root }: GitRepo, names: readonly Commit[]): Promise<ReadonlyMap<Commit, ReadCommit>> {
  const trees = await git.resolve(
    root,
    names.map((name) => `${name}^{tree}`),
  );
  const found = names.filter((_, index) => trees[index] !== undefined);
  if (found.length === 0) return new Map();
  const words = ['log', '--no-walk=unsorted', '--stdin', '-z', '--format=%H%x00%T%x00%P%x00%ct%x00%s%x00%b'];
  const fields = (await git.must(root, words, { env: NO_LOCKS, input: `${found.join('\n')}\n` })).split('\0');
  const commits = new Map<Commit, ReadCommit>();
  for (let at = 0; at + FIELDS <= fields.length; at += FIELDS) {
    const [commit = '', tree = '', parents = '', seconds = '', subject = '', body = ''] = fields.slice(at, at + FIELDS);
    commits.set(commit, {
      tree,
      parent: parents.split(' ').find((parent) => parent !== ''),
      at: new Date(Number(seconds) * 1000).toISOString(),
      why: subject === UNCOMMITTED ? body.trim() : undefined,
    });
  }
  return commits;
}

const FIELDS = 6;

/** The commit that each started from: noted for a run, for anything else where it left the branch that it lands on. */
async function basesOf(
  repo: GitRepo,
  pins: readonly PinnedRef[],
  commits: ReadonlyMap<Commit, ReadCommit>,
): Promise<readonly (Commit | undefined)[]> {
  const starts = await repo.git.resolve(repo.root, pins.map(refPrefix));
  return Promise.all(
    pins.map(async (pin, index) => {
      const commit = commits.get(pin.commit);
      if (commit === undefined) return undefined;
      return starts[index] ?? (await leftAt(repo, pin)) ?? commit.parent;
    }),
  );
}

async function leftAt(repo: GitRepo, { plan, commit }: PinnedRef): Promise<Commit | undefined> {
  const file = planFile(`${plan}.md`);
  const [landing, head] = await repo.git.resolve(repo.root, [file === undefined ? 'HEAD' : landingRef(file), 'HEAD']);
  const onto = landing ?? head;
  return onto === undefined ? undefined : mergeBase(repo, onto, commit);
}

type TreePair = readonly [before: string, after: string] | undefined;

function treesFrom(
  commits: ReadonlyMap<Commit, ReadCommit>,
  bases: readonly (Commit | undefined)[],
): (pin: PinnedRef, index: number) => TreePair {
  return ({ commit }, index) => {
    const [before, after] = [bases[index], commits.get(commit)?.tree];
    return before === undefined || after === undefined ? undefined : [before, after];
  };
}

/** In how many files each pair differs, by one git for all of them. */
async function changedFiles({ git, root }: GitRepo, pairs: readonly TreePair[]): Promise<readonly number[]> {
  const known = pairs.filter((pair) => pair !== undefined);
  if (known.length === 0) return pairs.map(() => 0);
  const trees = await git.resolve(
    root,
    known.map(([before]) => `${before}^{tree}`),
  );
  const input = known.map(([, after], index) => `${trees[index] ?? after} ${after}\n`).join('');
  const counts = await countsFor(git, root, input);
  let next = 0;
  return pairs.map((pair) => (pair === undefined ? 0 : (counts[next++] ?? 0)));
}

/** Git answers each pair with a line that repeats it, and the names of the files, each ended by a zero byte. */
async function countsFor(git: Git, root: string, input: string): Promise<readonly number[]> {
  const words = ['diff-tree', '--stdin', '-r', '-z', '--name-only', '--no-renames'];
  const text = await git.must(root, words, { env: NO_LOCKS, input });
  const counts: number[] = [];
  for (const token of text.split('\0')) {
    let name = token;
    for (let answered = ANSWERED.exec(name); answered !== null; answered = ANSWERED.exec(name)) {
      counts.push(0);
      name = name.slice(answered[0].length);
    }
    if (name !== '') counts.push((counts.pop() ?? 0) + 1);
  }
  return counts;
}

const ANSWERED = /^[0-9a-f]{40,64} [0-9a-f]{40,64}\n/;

/** The refs whose commits nothing else leads to. What was pinned of a run may be part of a plan branch that is pinned. */
async function onlyPinned(repo: GitRepo, pins: readonly PinnedRef[]): Promise<ReadonlySet<string>> {
  const branches = pins.filter(({ part }) => part === PLAN_PART);
  const others = pins.filter(({ part }) => part !== PLAN_PART);
  const [ofBranches, ofOthers] = await Promise.all([
    unreachable(repo, branches, []),
    unreachable(repo, others, [`--glob=${KEEP}*/${PLAN_PART}/*`]),
  ]);
  return new Set([...ofBranches, ...ofOthers].map(({ ref }) => ref));
}

/** Those whose commits no branch or tag has, apart from the branches of runs and sessions. `also`: more refs that count. */
export async function unreachable<Of extends { readonly commit: Commit }>(
  { git, root }: GitRepo,
  all: readonly Of[],
  also: readonly string[],
): Promise<readonly Of[]> {
  if (all.length === 0) return [];
  const words = ['rev-list', '--stdin', '--not', '--exclude=cadre/*', '--branches', '--remotes', '--tags', ...also];
  const input = all.map(({ commit }) => `${commit}\n`).join('');
  const answer = await git.ask(root, words, { env: NO_LOCKS, input });
  const listed = new Set(answer.stdout.split('\n'));
  // Where git cannot follow the history, because a commit is missing, nothing counts as being elsewhere.
  return all.filter(({ commit }) => answer.exitCode !== 0 || listed.has(commit));
}

/** What the ref's log says about its creation. Refs of older versions have no log, and git may have cut it. */
function noteOf(gitFolder: string, ref: string): { readonly at: string; readonly why: string } | undefined {
  try {
    const [line = ''] = readFileSync(join(gitFolder, 'logs', ref), 'utf8').split('\n');
    const [, seconds, why = ''] = /> (\d+) [+-]\d{4}(?:\t(.*))?$/.exec(line) ?? [];
    return seconds === undefined ? undefined : { at: new Date(Number(seconds) * 1000).toISOString(), why };
  } catch {
    return undefined;
  }
}
