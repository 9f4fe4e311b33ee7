// What all code that works on worktrees shares: the repository, folders, ports and a queue.
import { join } from 'node:path';

import { KeyedQueue } from '../../core/model/keyed-queue.ts';
import type { Tree } from '../../core/model/run-name.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Locks } from '../../core/ports/locks.ts';
import { slugOf } from '../../plan/name.ts';
import { type Git, openGit } from '../git/git.ts';
import { type WorktreeLinks, worktreeLinks } from '../git/worktree-links.ts';
import { commandRunner, type RunCommand } from '../system/command.ts';
import type { Reached } from '../system/failpoints.ts';
import { type CommitImports, commitImports } from '../walls/import-commits.ts';
import { type PortBlocks, portBlocks } from './port-blocks.ts';

export interface TreeOptions {
  /** The main checkout. */
  readonly root: string;
  /** Git's common folder. */
  readonly gitFolder: string;
  /** Contains all worktrees. */
  readonly worktrees: string;
  /** Contains a folder for each run, with the output of its commands and saved files. */
  readonly runs: string;
  /** Cadre's own common folder of git. */
  readonly ownGit: string;
  /** `~/.cadre`. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly disk: Disk;
  readonly locks: Locks;
  readonly git?: Git;
  readonly ports?: PortBlocks;
  readonly reached?: Reached;
  readonly runCommand?: RunCommand;
}

export interface TreeContext extends Required<TreeOptions> {
  pathOf(tree: Tree): string;
  folderOf(tree: Tree): string;
  readonly links: WorktreeLinks;
  /** Takes over what agents behind walls have committed. */
  readonly imports: CommitImports;
  /** Serializes the work on each worktree, keyed by its path. */
  readonly queue: KeyedQueue;
}

export function treeContext(options: TreeOptions): TreeContext {
  const { git = openGit(options), reached = () => undefined } = options;
  const links = worktreeLinks(options);
  return {
    ...options,
    git,
    ports: options.ports ?? portBlocks(options),
    reached,
    imports: commitImports({ ...options, git, links, reached }),
    runCommand: options.runCommand ?? commandRunner(),
    pathOf: ({ plan, name }) => join(options.worktrees, slugOf(plan), name),
    folderOf: ({ plan, name }) => join(options.runs, slugOf(plan), name),
    links,
    queue: new KeyedQueue(),
  };
}
