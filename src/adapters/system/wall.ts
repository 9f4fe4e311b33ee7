// Finds out whether this machine can put a wall around commands, and what has to be reachable behind it.
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import type { SandboxSettings, WallInForce, Wanted } from '../../core/settings/sandbox.ts';
import { showText } from '../../text/show.ts';
import { bubblewrapArguments, type Wall } from './bubblewrap.ts';
import { type Finished, run, runMeanwhile } from './exec.ts';

/** What is done with a command: it runs as it is, behind a wall, or not at all. */
export type Walled =
  | { readonly kind: 'open' }
  /** `front`: the words before those of the command. */
  | { readonly kind: 'behind'; readonly front: readonly string[]; readonly env: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string };

/** Decides about a command that runs in this folder. */
export type WallFor = (cwd: string) => Promise<Walled>;

export interface WallOptions {
  /** Git's common folder. */
  readonly gitFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Asked each time, because a person may change the settings while the engine is running. */
  readonly settings: () => SandboxSettings;
}

export function wallsAround({ gitFolder, env, settings }: WallOptions): WallFor {
  return async (cwd) => {
    const sandbox = settings();
    const inForce = wallInForce(sandbox.commands, env);
    if (inForce === undefined) return { kind: 'open' };
    if (inForce.wall === null)
      return inForce.wanted === 'auto'
        ? { kind: 'open' }
        : { kind: 'refused', why: `it has to run behind a wall, and there is none: ${inForce.why}` };
    const front = bubblewrapArguments(wallAround(cwd, gitFolder, sandbox, env));
    // Its own failure must not be taken for that of the command.
    const whyNot = failureOf(await runMeanwhile([...front, 'true'], { env }));
    if (whyNot !== undefined) return { kind: 'refused', why: `its wall could not be set up: ${whyNot}` };
    return { kind: 'behind', front, env: sandbox.env };
  };
}

/** Undefined where none is wanted. */
export function wallInForce(wanted: Wanted, env: NodeJS.ProcessEnv): WallInForce | undefined {
  if (wanted === 'off') return undefined;
  const why = whyNoBubblewrap(env);
  return why === undefined ? { wanted, wall: 'bubblewrap' } : { wanted, wall: null, why };
}

function whyNoBubblewrap(env: NodeJS.ProcessEnv): string | undefined {
  if (process.platform !== 'linux') return 'bubblewrap exists for Linux only.';
  const tried = run(['bwrap', '--unshare-user', '--unshare-pid', '--proc', '/proc', '--ro-bind', '/', '/', 'true'], {
    env,
  });
  return tried.exitCode === 127 ? 'bubblewrap (bwrap) is not installed.' : failureOf(tried);
}

/** Why the wall could not be set up, if it could not: what bwrap says when it is to run nothing. */
export function failureOf({ exitCode, stderr }: Finished): string | undefined {
  if (exitCode === 0) return undefined;
  return showText(stderr.trim().split('\n').at(-1) || `bwrap exited with ${exitCode}.`);
}

function wallAround(cwd: string, gitFolder: string, settings: SandboxSettings, env: NodeJS.ProcessEnv): Wall {
  const home = env.HOME || homedir();
  const expanded = (path: string): string => expandedPath(path, home);
  return {
    home,
    cwd,
    ...theSystem(),
    read: [gitFolder, ...toolFolders(env.PATH ?? '', home), ...settings.read.map(expanded)],
    write: [cwd, ...settings.write.map(expanded)],
    kept: [join(cwd, '.git')].filter((path) => existsSync(path)),
    network: settings.network,
  };
}

export function expandedPath(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}

const TOP_FOLDERS = ['/usr', '/etc', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix', '/snap'];
const SECRET_FILES = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers'];
const SECRET_FOLDERS = ['/etc/ssh', '/etc/ssl/private', '/etc/sudoers.d'];

/** What every wall shows of the system. */
export function theSystem(): Pick<Wall, 'links' | 'folders' | 'secretFiles' | 'secretFolders'> {
  const found = TOP_FOLDERS.flatMap((path) => {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    return facts === undefined ? [] : [{ path, isLink: facts.isSymbolicLink() }];
  });
  return {
    folders: found.flatMap(({ path, isLink }) => (isLink ? [] : [path])),
    links: found.flatMap(({ path, isLink }) => (isLink ? [{ path, to: readlinkSync(path) }] : [])),
    secretFiles: SECRET_FILES.filter((path) => existsSync(path)),
    secretFolders: SECRET_FOLDERS.filter((path) => existsSync(path)),
  };
}

/**
 * Folders of the PATH that are in the home folder, as those of nvm, pyenv and rustup are. The libraries of programs in
 * `<folder>/bin` are in `<folder>`; only `~/.local` holds too much else.
 */
export function toolFolders(path: string, home: string): readonly string[] {
  const inHome = path.split(':').filter((folder) => folder.startsWith(home + sep) && existsSync(folder));
  const wholes = inHome.map((folder) => {
    const above = dirname(folder);
    return basename(folder) === 'bin' && above !== home && above !== join(home, '.local') ? above : folder;
  });
  return [...new Set(wholes)];
}
