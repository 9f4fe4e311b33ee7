// Takes over what a session behind a wall has committed: its objects are checked one by one, then its branch moves in one
// step. Until then the repository has none of them, and after a kill the next call finishes.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../core/model/failure.ts';
import type { SessionId } from '../../core/model/ids.ts';
import { sessionId } from '../../core/model/ids.ts';
import { KeyedQueue } from '../../core/model/keyed-queue.ts';
import { oneLine } from '../../text/one-line.ts';
import { KEEP } from '../git/cadre-refs.ts';
import { NO_LOCKS } from '../git/git.ts';
import type { Reached } from '../system/failpoints.ts';
import { noteIn, type PrivateNote, privateFolder, privateGitIn, type WalledRepo, writeNote } from './private-git.ts';
import { readPrivateBranch, readPrivateBranches, readPrivateHead } from './private-refs.ts';

export type Imported =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'imported'; readonly commit: string }
  /** No commit was taken over. */
  | { readonly kind: 'refused'; readonly why: string };

export interface CommitImports {
  /** Takes over what has been committed in this worktree behind a wall, by a session that may still run. */
  bring(worktree: string): Promise<Imported>;
  /**
   * The same for sessions that have ended. Commits that are on none of the branches taken over are pinned, and what is
   * private is removed. A refused one stays where it is.
   */
  finish(worktree: string): Promise<Imported>;
}

export type ImportingRepo = WalledRepo & { readonly reached: Reached };

export function commitImports(repo: ImportingRepo): CommitImports {
  const queue = new KeyedQueue();
  /** What was refused last, so that it is not tried again in every round. */
  const refused = new Map<string, { readonly tip: string; readonly why: string }>();

  const take = async (worktree: string, folder: string): Promise<Imported> => {
    const note = noteIn(folder);
    if (note === undefined) return { kind: 'nothing' };
    const tip = tipOf(folder, repo.links.folderOf(worktree), note);
    if (tip === undefined) return { kind: 'nothing' };
    const before = refused.get(folder);
    if (before?.tip === tip) return { kind: 'refused', why: before.why };
    const taken = await takeTip(repo, { worktree, folder, note, tip });
    if (taken.kind === 'refused') refused.set(folder, { tip, why: taken.why });
    return taken;
  };
  const each = (worktree: string, work: (folder: string) => Promise<Imported>): Promise<Imported> => {
    const all = privateFolder(repo, worktree);
    const sessions = sessionsIn(all);
    if (sessions.length === 0) return Promise.resolve({ kind: 'nothing' });
    return queue.run(all, async () => {
      let last: Imported = { kind: 'nothing' };
      for (const session of sessions) {
        const one = await work(join(all, session));
        if (one.kind === 'refused') return one;
        if (one.kind !== 'nothing') last = one;
      }
      return last;
    });
  };
  return {
    bring: (worktree) => each(worktree, (folder) => take(worktree, folder)),
    finish: (worktree) =>
      each(worktree, async (folder) => {
        const taken = await take(worktree, folder);
        if (taken.kind === 'refused') return taken;
        const left = await pinOthers(repo, worktree, folder);
        if (left !== undefined) return { kind: 'refused', why: left };
        removeAll(folder);
        return taken;
      }),
  };
}

function sessionsIn(folder: string): readonly SessionId[] {
  try {
    return readdirSync(folder).flatMap((name) => sessionId(name) ?? []);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}

/** Where the session's own branch is behind the wall. */
function tipOf(folder: string, own: string | undefined, { ref }: PrivateNote): string | undefined {
  const git = privateGitIn(folder);
  if (ref !== 'HEAD') return readPrivateBranch(git, ref.slice('refs/heads/'.length));
  return own === undefined ? undefined : commitOfHead(git, own);
}

function commitOfHead(git: string, own: string): string | undefined {
  const head = readPrivateHead(join(git, 'worktrees', own.slice(own.lastIndexOf('/') + 1)));
  return head?.branch === undefined ? head?.commit : readPrivateBranch(git, head.branch);
}

interface Taking {
  readonly worktree: string;
  readonly folder: string;
  readonly note: PrivateNote;
  readonly tip: string;
}

async function takeTip(repo: ImportingRepo, { worktree, folder, note, tip }: Taking): Promise<Imported> {
  const { ref, last, next, index } = note;
  const isUntouched = tip === last && tip === next && tip === index;
  if (isUntouched) return { kind: 'nothing' };
  const [now] = await repo.git.resolve(repo.root, [nameIn(repo, worktree, ref)]);
  if (now !== tip) {
    if (now !== last && now !== next) return { kind: 'refused', why: movedElsewhere(ref) };
    const why = await takeObjects(repo, folder, [tip]);
    if (why !== undefined) return { kind: 'refused', why };
    // After a power failure, too, a branch that has moved is known to have been moved by this.
    writeNote(folder, { ...note, last: now, next: tip });
    repo.reached('import.intent');
    const words = ['update-ref', '--no-deref', '-m', `cadre: commits of ${note.session}`, ref, tip, now];
    const moved = await repo.git.ask(ref === 'HEAD' ? worktree : repo.root, words);
    repo.reached('import.ref');
    if (moved.exitCode !== 0) return { kind: 'refused', why: movedElsewhere(ref) };
  }
  if (index !== tip) {
    await repo.git.must(worktree, ['read-tree', '--reset', tip]);
    repo.reached('import.index');
  }
  writeNote(folder, { ...note, last: tip, next: tip, index: tip });
  return { kind: 'imported', commit: tip };
}

/** The name of the ref in the whole repository. */
function nameIn({ links }: WalledRepo, worktree: string, ref: string): string {
  const own = links.folderOf(worktree) ?? '';
  return ref === 'HEAD' ? `worktrees/${own.slice(own.lastIndexOf('/') + 1)}/HEAD` : ref;
}

function movedElsewhere(ref: string): string {
  return `${ref.replace('refs/heads/', '')} was moved while a session behind a wall was working on it, so its commits were not taken over.`;
}

/** A session must not keep cadre waiting with an object that is a pipe. In milliseconds. */
const IMPORT_LIMIT = 120_000;

/** What the private store says about its objects is not taken on trust. */
const DISTRUSTING = ['core.commitGraph=false', 'core.multiPackIndex=false', 'pack.useBitmaps=false'].flatMap(
  (setting) => ['-c', setting],
);

/** Returns why these commits, or something that they consist of, are not what they should be; undefined if all is there. */
async function takeObjects(repo: ImportingRepo, folder: string, tips: readonly string[]): Promise<string | undefined> {
  const { git, root, gitFolder, reached } = repo;
  const pack = join(folder, 'pack');
  const strange = strangeFile(join(privateGitIn(folder), 'objects'));
  if (strange !== undefined) return unusable(`${strange} is neither a file nor a folder`);
  rmSync(pack, { recursive: true, force: true });
  const known = await git.must(root, KNOWN, { env: NO_LOCKS });
  const store = {
    GIT_OBJECT_DIRECTORY: join(privateGitIn(folder), 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(join(gitFolder, 'objects')),
  };
  const words = [...DISTRUSTING, 'pack-objects', '--quiet', '--revs', '--non-empty'];
  const packed = await git.ask(root, [...words, pack], {
    input: `${tips.join('\n')}\n--not\n${known}`,
    env: { ...store, ...NO_LOCKS },
    timeLimit: IMPORT_LIMIT,
  });
  if (packed.exitCode !== 0) return unusable(packed.stderr);
  reached('import.packed');
  const name = packed.stdout.trim();
  if (/^[0-9a-f]{40,64}$/.test(name)) {
    const indexed = await git.ask(root, ['index-pack', '--strict', '--stdin'], {
      inputFile: `${pack}-${name}.pack`,
      timeLimit: IMPORT_LIMIT,
    });
    for (const end of ['pack', 'idx', 'rev']) rmSync(`${pack}-${name}.${end}`, { force: true });
    if (indexed.exitCode !== 0) return unusable(indexed.stderr);
  }
  reached('import.objects');
  const whole = await git.ask(root, ['rev-list', '--objects', '--quiet', ...tips, '--not', '--all'], {
    env: NO_LOCKS,
  });
  return whole.exitCode === 0 ? undefined : unusable(whole.stderr);
}

/** Git would wait for a pipe, and follow a link to what the session cannot read. */
function strangeFile(folder: string): string | undefined {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.find((entry) => !entry.isFile() && !entry.isDirectory())?.name;
}

/** What the repository has anyway. More would only cost time. */
const KNOWN = [
  'for-each-ref',
  '--format=%(objectname)',
  '--count=1000',
  '--sort=-creatordate',
  'refs/heads',
  'refs/cadre',
];

/** Git splits the variable at colons, unless a path is quoted. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}

function unusable(stderr: string): string {
  return `git does not accept what was committed behind the wall: ${oneLine(stderr) || 'it took too long.'}`;
}

/** Pins commits of other branches than the one taken over. Returns why it could not. */
async function pinOthers(repo: ImportingRepo, worktree: string, folder: string): Promise<string | undefined> {
  const git = privateGitIn(folder);
  const own = repo.links.folderOf(worktree);
  const head = own === undefined ? undefined : commitOfHead(git, own);
  const commits = [...new Set([...readPrivateBranches(git).values(), ...(head === undefined ? [] : [head])])];
  const missing = await unknownOf(repo, commits);
  if (missing.length === 0) return undefined;
  const why = await takeObjects(repo, folder, missing);
  if (why !== undefined) return why;
  const pins = `${KEEP}${pinFolder(repo, worktree)}`;
  const listed = await repo.git.must(repo.root, ['for-each-ref', '--format=%(refname)', `${pins}/`], { env: NO_LOCKS });
  let number = Math.max(0, ...listed.split('\n').map((ref) => Number(/\d+$/.exec(ref)?.[0] ?? 0)));
  for (const commit of missing) {
    const words = ['update-ref', '--no-deref', '--create-reflog', '-m', 'cadre: committed behind a wall'];
    await repo.git.must(repo.root, [...words, `${pins}/${++number}`, commit, '']);
  }
  repo.reached('import.kept');
  return undefined;
}

/** As the pins of the worktree are named. */
function pinFolder(repo: WalledRepo, worktree: string): string {
  return privateFolder(repo, worktree).slice(repo.runs.length + 1, -'/private'.length);
}

/** Those that no ref of the repository contains. */
async function unknownOf({ git, root }: WalledRepo, commits: readonly string[]): Promise<readonly string[]> {
  if (commits.length === 0) return [];
  const found = await git.resolve(
    root,
    commits.map((commit) => `${commit}^{commit}`),
  );
  const missing = commits.filter((_commit, index) => found[index] === undefined);
  const present = commits.filter((_commit, index) => found[index] !== undefined);
  if (present.length === 0) return missing;
  const words = ['rev-list', ...present, '--not', '--all'];
  const loose = await git.must(root, words, { env: NO_LOCKS });
  return [...missing, ...loose.split('\n').filter((line) => present.includes(line))];
}

/** A session may have made it hard to remove something. Then it is left behind. */
function removeAll(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}
