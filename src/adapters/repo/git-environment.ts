// The environment and the options of every git that cadre starts: none of them may run what somebody planted.

/** Git sets these for hooks. They name the hook's repository, and would hide the one in the current folder. */
const REPO_VARIABLES: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_ATTR_SOURCE',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

const QUIET = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_ASKPASS: 'true',
  SSH_ASKPASS: 'true',
};

/**
 * An object is what its name says, whatever refs/replace says. The session marks everything that git starts, such as a
 * filter or a credential helper: a "cadre" in it does not speak for the person.
 */
const UNDECEIVED = { GIT_NO_REPLACE_OBJECTS: '1', CADRE_SESSION: 'git' };

export function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !REPO_VARIABLES.has(name));
  return { ...Object.fromEntries(own), ...QUIET, ...UNDECEIVED };
}

export interface MainCheckout {
  readonly root: string;
  /** Git's common folder. */
  readonly gitFolder: string;
}

/** For commands that read refs or names, in the repository as it is. Nothing in its configuration makes these start a program. */
export function repositoryVariables({ root, gitFolder }: MainCheckout): Readonly<Record<string, string>> {
  return { GIT_DIR: gitFolder, GIT_COMMON_DIR: gitFolder, GIT_WORK_TREE: root };
}

/** Hooks, monitors and signing programs do not run. What git found out about files earlier is not taken on trust. */
export const SAFE = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.ignoreStat=false',
  'core.trustCtime=true',
  'core.checkStat=default',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'i18n.commitEncoding=UTF-8',
  'protocol.ext.allow=never',
].flatMap((setting) => ['-c', setting]);
