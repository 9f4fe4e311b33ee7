// The wall around the program of a session: what it reaches there, and what it finds in the places of the person's files.
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import type { SandboxSettings } from '../../core/settings/sandbox.ts';
import { bubblewrapArguments, type MovedPath, type Wall } from '../system/bubblewrap.ts';
import { expandedPath, theSystem, toolFolders } from '../system/wall.ts';
import { SHARED_OBJECTS } from './private-git.ts';

/** Behind a wall, the folder in which the socket of the session is. Nothing else is mounted there. */
export const SPEAKING = '/run/cadre/socket';

export interface WalledSession {
  readonly worktree: string;
  /** Git's common folder. */
  readonly gitFolder: string;
  /** Takes the place of `gitFolder` behind the wall. */
  readonly privateGit: string;
  /** The folder with the socket of the session. */
  readonly speaking: string;
  /** Files for this session: its settings, its prompt, what the prompt names. */
  readonly reads: readonly string[];
  /** The program and its arguments: where a program is, its wall has to show it. */
  readonly program: string;
  /** How cadre is called: the program that runs it, and its main file. */
  readonly cadre: readonly string[];
  /** What the program keeps for itself, such as its credentials: paths below the home folder. */
  readonly own: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly sandbox: SandboxSettings;
}

export function agentWallArguments(session: WalledSession): readonly string[] {
  return bubblewrapArguments(agentWall(session));
}

export function agentWall(session: WalledSession): Wall {
  const { worktree, gitFolder, privateGit, speaking, reads, own, env, sandbox } = session;
  const home = env.HOME || homedir();
  const expanded = (paths: readonly string[]): readonly string[] => paths.map((path) => expandedPath(path, home));
  const moved: readonly MovedPath[] = [
    { path: privateGit, at: gitFolder, access: 'write' },
    { path: join(gitFolder, 'objects'), at: SHARED_OBJECTS, access: 'read' },
    // Otherwise the session could read objects of any folder that git, outside, can read.
    { path: join(privateGit, 'objects', 'info'), at: join(gitFolder, 'objects', 'info'), access: 'read' },
    { path: speaking, at: SPEAKING, access: 'read' },
  ];
  return {
    home,
    cwd: worktree,
    ...theSystem(),
    read: distinct([
      ...toolFolders(env.PATH ?? '', home),
      ...programFolders(session, home),
      ...reads,
      ...expanded(sandbox.read),
    ]),
    write: distinct([
      worktree,
      ...own.map((path) => join(home, path)).filter((path) => existsSync(path)),
      ...expanded(sandbox.write),
    ]),
    moved,
    kept: [join(worktree, '.git')].filter((path) => existsSync(path)),
    network: sandbox.network,
  };
}

/** Where the program and cadre are, if that is not a folder of the system. */
function programFolders({ program, cadre: [node = '', main = ''], env }: WalledSession, home: string) {
  const found = program.includes('/') ? [program] : whereIs(program, env.PATH ?? '');
  const files = [...found, node, main].filter((path) => existsSync(path));
  // The program may be a link; both ends of it are needed.
  const folders = files.flatMap((path) => [dirname(path), folderOf(realpathSync(path), home)]);
  return folders.filter((path) => !isOfSystem(path));
}

/** The libraries of a program in `<folder>/bin` are in `<folder>`. */
function folderOf(program: string, home: string): string {
  const folder = dirname(program);
  const above = dirname(folder);
  const isTooMuch = above === '/' || basename(above) === '.local' || `${home}${sep}`.startsWith(above + sep);
  return basename(folder) === 'bin' && !isTooMuch ? above : folder;
}

function whereIs(program: string, path: string): readonly string[] {
  const files = path.split(':').map((folder) => join(folder, program));
  return files.filter((file) => existsSync(file)).slice(0, 1);
}

function isOfSystem(path: string): boolean {
  const { folders, links } = theSystem();
  return [...folders, ...links.map((link) => link.path)].some((top) => path === top || path.startsWith(top + sep));
}

function distinct(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
