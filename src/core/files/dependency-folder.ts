// Which folder a setup command fills from lock files alone, so that a copy of it is as good as running the command again.
import { npmScript, type ProjectFiles, packageOf } from './project-files.ts';

export interface DependencyFolder {
  readonly folder: string;
  /** The files that decide what is in it. */
  readonly inputs: readonly string[];
}

/** Undefined where the command is another one, or may do more than fill the folder. */
export function dependencyFolder(setup: readonly string[], files: ProjectFiles): DependencyFolder | undefined {
  const lock = LOCKS.find(({ words }) => words.every((word, at) => setup[at] === word))?.locks.find(files.has);
  if (lock === undefined || runsOwnScripts(files) || installsOwnFolders(files)) return undefined;
  return { folder: 'node_modules', inputs: ['package.json', lock, '.npmrc', '.yarnrc'].filter(files.has) };
}

/** pnpm and bun link from a store of their own, and later versions of yarn may use no folder at all. */
const LOCKS = [
  { words: ['npm', 'ci'], locks: ['package-lock.json', 'npm-shrinkwrap.json'] },
  { words: ['yarn', 'install', '--frozen-lockfile'], locks: ['yarn.lock'] },
] as const;

/** Scripts of the project itself may write anywhere in the worktree. */
function runsOwnScripts(files: ProjectFiles): boolean {
  return ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'].some(
    (name) => npmScript(files, name) !== undefined,
  );
}

/** Packages of the repository itself are installed as links into the worktree, or copied from it as they are now. */
function installsOwnFolders(files: ProjectFiles): boolean {
  const { workspaces, dependencies, devDependencies, optionalDependencies } = packageOf(files);
  const versions = [dependencies, devDependencies, optionalDependencies].flatMap((all) => Object.values(Object(all)));
  return (
    workspaces !== undefined || versions.some((version) => /^(?:file|link|portal|workspace):|^[./~]/.test(`${version}`))
  );
}
