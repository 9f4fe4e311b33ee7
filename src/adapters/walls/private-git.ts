// A git folder for one session behind a wall: it commits there, reads the objects of the repository, and changes nothing else.
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, isAbsolute, join, relative } from 'node:path';
import { diskFailure, Failure } from '../../core/model/failure.ts';
import type { SessionId } from '../../core/model/ids.ts';
import { showText } from '../../text/show.ts';
import { type Git, NO_LOCKS } from '../git/git.ts';
import { settingLines } from '../git/harmless-settings.ts';
import { realPath } from '../git/real-path.ts';
import type { WorktreeLinks } from '../git/worktree-links.ts';
import { readPrivateHead } from './private-refs.ts';

export interface WalledRepo {
  readonly git: Git;
  /** The main checkout. */
  readonly root: string;
  /** Git's common folder. */
  readonly gitFolder: string;
  /** Cadre's own common folder of git. */
  readonly ownGit: string;
  readonly worktrees: string;
  readonly runs: string;
  readonly links: WorktreeLinks;
}

/** Behind a wall, where the objects of the repository are. */
export const SHARED_OBJECTS = '/run/cadre/objects';

/** What cadre remembers about a private git folder, where its session cannot write. */
export interface PrivateNote {
  readonly session: SessionId;
  /** The ref that moves with the session's commits: that of its branch, or HEAD. */
  readonly ref: string;
  /** Where that ref was when the session started, or after the last import. */
  readonly last: string;
  /** Where an import is about to move it, or has moved it. */
  readonly next: string;
  /** The commit that git's index of the worktree is about. */
  readonly index: string;
}

/** Contains a folder for each session that works, or has worked, in the worktree behind a wall. */
export function privateFolder({ runs, worktrees }: Pick<WalledRepo, 'runs' | 'worktrees'>, worktree: string): string {
  const name = relative(realPath(worktrees), realPath(worktree));
  if (name === '' || name.startsWith('..') || isAbsolute(name))
    throw new Error(`${worktree} is not below ${worktrees}.`);
  return join(runs, name, 'private');
}

/** What is mounted in place of the repository's git folder. Its session may write anything in it. */
export function privateGitIn(folder: string): string {
  return join(folder, 'git');
}

export interface Author {
  readonly name: string;
  readonly email: string;
}

export interface PrivateGitRequest {
  readonly worktree: string;
  readonly session: SessionId;
  readonly author: Author | null;
}

/** The path of the folder of this session, which need not exist. */
export function privateFolderFor(repo: WalledRepo, { worktree, session }: PrivateGitRequest): string {
  return join(privateFolder(repo, worktree), session);
}

/**
 * Makes the folder from what the repository has now. The note is written last: without it the folder counts as unfinished,
 * and is made again.
 */
export async function makePrivateGit(repo: WalledRepo, request: PrivateGitRequest): Promise<void> {
  const folder = privateFolderFor(repo, request);
  if (noteIn(folder) !== undefined) return;
  const own = repo.links.folderOf(request.worktree);
  if (own === undefined)
    throw new Failure('failed', 'no-worktree', `${showText(request.worktree)} is not a worktree of this repository.`);
  const git = privateGitIn(folder);
  const head = readPrivateHead(own);
  const refs = await refsOf(repo, head?.branch);
  try {
    rmSync(folder, { recursive: true, force: true });
    for (const name of [
      'objects/info',
      'refs/heads',
      'refs/tags',
      'info',
      'logs',
      'hooks',
      `worktrees/${basename(own)}`,
    ])
      mkdirSync(join(git, name), { recursive: true, mode: 0o700 });
    writeFileSync(join(git, 'objects', 'info', 'alternates'), `${SHARED_OBJECTS}\n`);
    writeFileSync(join(git, 'HEAD'), textOf(join(repo.gitFolder, 'HEAD')) ?? 'ref: refs/heads/main\n');
    writeFileSync(join(git, 'config'), configFor(repo, request.author));
    writeFileSync(join(git, 'info', 'exclude'), textOf(join(repo.gitFolder, 'info', 'exclude')) ?? '');
    writeFileSync(join(git, 'packed-refs'), refs);
    if (existsSync(join(repo.ownGit, 'shallow'))) copyFileSync(join(repo.ownGit, 'shallow'), join(git, 'shallow'));
    copyWorktreeFiles(own, join(git, 'worktrees', basename(own)));
  } catch (error) {
    throw diskFailure(error, 'write', git);
  }
  const ref = head?.branch === undefined ? 'HEAD' : `refs/heads/${head.branch}`;
  const [at] = await repo.git.resolve(repo.root, [ref === 'HEAD' ? `worktrees/${basename(own)}/HEAD` : ref]);
  if (at === undefined)
    throw new Failure('failed', 'no-worktree', `${showText(request.worktree)} has no commit checked out.`);
  writeNote(folder, { session: request.session, ref, last: at, next: at, index: at });
}

/** Only what git has written itself, and no link that leads elsewhere. */
function copyWorktreeFiles(from: string, to: string): void {
  for (const name of ['HEAD', 'commondir', 'gitdir', 'index', 'ORIG_HEAD'])
    if (lstatSync(join(from, name), { throwIfNoEntry: false })?.isFile())
      copyFileSync(join(from, name), join(to, name));
}

/** Branches, tags and remote branches, as `packed-refs` has them; of the branches of cadre's own only this one. */
async function refsOf({ git, root }: WalledRepo, own: string | undefined): Promise<string> {
  const words = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags', 'refs/remotes'];
  const listed = await git.must(root, words, { env: NO_LOCKS });
  const lines = listed.split('\n').filter((line) => line !== '');
  const shown = lines.filter((line) => !line.includes(' refs/heads/cadre/') || line.endsWith(` refs/heads/${own}`));
  return `# pack-refs with: sorted \n${shown.map((line) => `${line}\n`).join('')}`;
}

/** The harmless settings of the repository, as cadre's own git has them. No repacking: others' objects stay where they are. */
function configFor({ ownGit }: WalledRepo, author: Author | null): string {
  const own = [
    ['core.bare', 'false'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ...(author === null
      ? []
      : [
          ['user.name', author.name],
          ['user.email', author.email],
        ]),
  ];
  const harmless = textOf(join(ownGit, 'config')) ?? '';
  return `${harmless}${own.map(([key = '', value]) => settingLines(key, value)).join('')}`;
}

export function noteIn(folder: string): PrivateNote | undefined {
  try {
    const note = Object(JSON.parse(textOf(noteFile(folder)) ?? ''));
    const isNote = ['session', 'ref', 'last', 'next', 'index'].every((key) => typeof note[key] === 'string');
    return isNote ? note : undefined;
  } catch {
    return undefined;
  }
}

/** Other processes see the old text or the new one. */
export function writeNote(folder: string, note: PrivateNote): void {
  const temporary = `${noteFile(folder)}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    renameSync(temporary, noteFile(folder));
  } catch (error) {
    throw diskFailure(error, 'write', noteFile(folder));
  }
}

function noteFile(folder: string): string {
  return join(folder, 'note.json');
}

function textOf(file: string): string | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : undefined;
}
