// A wall around a program, made by bubblewrap: it sees the system and its own worktree, and nothing else of the person's.

export interface Wall {
  readonly home: string;
  /** Where the command starts. */
  readonly cwd: string;
  /** Top folders of the system that are links, as `/bin` often is, and those that are folders of their own. */
  readonly links: readonly { readonly path: string; readonly to: string }[];
  readonly folders: readonly string[];
  /** Files and folders of the system that hold secrets, and exist here. */
  readonly secretFiles: readonly string[];
  readonly secretFolders: readonly string[];
  /** What else can be read, and written. Each must exist. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** What is at another path behind the wall, in this order. Each must exist. */
  readonly moved?: readonly MovedPath[];
  /** Files and folders in what can be written that can only be read. Each must exist. */
  readonly kept: readonly string[];
  readonly network: 'all' | 'none';
}

export interface MovedPath {
  readonly path: string;
  /** Where it is behind the wall. */
  readonly at: string;
  readonly access: 'read' | 'write';
}

/** The root of the new file system is empty, so what is not named here does not exist behind the wall. */
export function bubblewrapArguments(wall: Wall): readonly string[] {
  const { home, cwd, links, folders, secretFiles, secretFolders, read, write, moved = [], kept, network } = wall;
  return [
    'bwrap',
    // Other processes can be neither seen nor signalled, and everything inside ends with the command.
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network === 'none' ? ['--unshare-net'] : []),
    ...['--die-with-parent', '--cap-drop', 'ALL'],
    ...folders.flatMap((path) => ['--ro-bind', path, path]),
    ...links.flatMap(({ path, to }) => ['--symlink', to, path]),
    ...secretFiles.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...secretFolders.flatMap((path) => ['--perms', '0700', '--tmpfs', path]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp', '--tmpfs', '/run'],
    // Root could write these without any capability, because their owner is root.
    ...['--ro-bind', '/proc/sys', '/proc/sys', '--ro-bind-try', '/proc/sysrq-trigger', '/proc/sysrq-trigger'],
    // Where the resolver's configuration is a link into /run.
    ...['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'],
    ...['--perms', '0700', '--tmpfs', home],
    ...read.flatMap((path) => ['--ro-bind', path, path]),
    ...write.flatMap((path) => ['--bind', path, path]),
    ...moved.flatMap(({ path, at, access }) => [access === 'read' ? '--ro-bind' : '--bind', path, at]),
    ...kept.flatMap((path) => ['--ro-bind', path, path]),
    ...['--setenv', 'TMPDIR', '/tmp', '--chdir', cwd, '--'],
  ];
}
