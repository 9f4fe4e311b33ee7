// What the parts that deal with worktrees of runs are given: places, and the tools to work there.
import { join } from 'node:path';

import { KeyedQueue } from '../../core/model/keyed-queue.ts';
import type { Tree } from '../../core/model/run-name.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Locks } from '../../core/ports/locks.ts';
import { slugOf } from '../../plan/name.ts';
import { type Git, openGit } from '../git/git.ts';
import { commandRunner, type RunCommand } from '../system/command.ts';
import type { Reached } from '../system/failpoints.ts';
import { type PortBlocks, portBlocks } from './port-blocks.ts';

export interface TreeOptions {
  /** The main checkout, and git's common folder. */
  readonly root: string;
  readonly gitFolder: string;
  /** Where worktrees are made, and where each run has a folder for what is written about it. */
  readonly worktrees: string;
  readonly runs: string;
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
  /** Work on one worktree runs one after another, keyed by its path. */
  readonly queue: KeyedQueue;
}

export function treeContext(places: TreeOptions): TreeContext {
  return {
    ...places,
    git: places.git ?? openGit({ env: places.env }),
    ports: places.ports ?? portBlocks(places),
    reached: places.reached ?? (() => undefined),
    runCommand: places.runCommand ?? commandRunner(),
    pathOf: ({ plan, name }) => join(places.worktrees, slugOf(plan), name),
    folderOf: ({ plan, name }) => join(places.runs, slugOf(plan), name),
    queue: new KeyedQueue(),
  };
}
