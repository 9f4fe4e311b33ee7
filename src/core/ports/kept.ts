// Work that cadre kept before something removed it, as a port.
import type { Commit } from '../model/commit.ts';
import type { Tree } from '../model/run-name.ts';
import type { CommitRange } from './changes.ts';
import type { RestoreOutcome } from './worktrees.ts';

/** A commit that is pinned, or files that no commit can hold. */
export type Kept = KeptCommit | KeptFiles;

interface KeptFields {
  /** How a person names it: `search/t1-a1/2`. */
  readonly id: string;
  /** The plan's name without ".md". */
  readonly plan: string;
  /** What it was part of: the name of a worktree, or `plan` for the plan branch. */
  readonly part: string;
  /** When it was kept; null if nothing says so. */
  readonly at: string | null;
  /** Why, as a sentence; null for what an older cadre kept. */
  readonly why: string | null;
  /** How many files it changes, or how many it is. */
  readonly files: number;
}

export interface KeptCommit extends KeptFields {
  readonly kind: 'commit';
  readonly ref: string;
  readonly commit: Commit;
  /** Its last commit is cadre's, and holds what was not committed. */
  readonly isUncommitted: boolean;
  /** A branch or tag has it too, apart from the branches of runs; or, for a run, an old plan branch that is pinned. */
  readonly isElsewhere: boolean;
  /** What it changes; undefined if git no longer has its objects. */
  readonly range: CommitRange | undefined;
}

export interface KeptFiles extends KeptFields {
  readonly kind: 'files';
  readonly folder: string;
}

/** `existing`: the branch was at that commit already. `taken`: it is at another one. */
export type BranchOutcome = 'created' | 'existing' | 'taken' | 'not-a-name';

/** Contract: nothing that exists is overwritten, no checkout is touched, and what was kept stays kept. */
export interface KeptWork {
  /** Newest first. Takes no lock and changes nothing. */
  list(): Promise<readonly Kept[]>;
  /** Creates a branch at the commit. */
  toBranch(kept: KeptCommit, branch: string): Promise<BranchOutcome>;
  /** Creates the worktree of a run again, in which uncommitted work is uncommitted again. No session may work in it. */
  toWorktree(kept: KeptCommit, tree: Tree): Promise<RestoreOutcome>;
  /** Whether a worktree is there. */
  hasWorktree(tree: Tree): boolean;
  /** Copies the files into a folder that is missing or empty, and returns its path. Copies nothing if it is neither. */
  toFolder(kept: KeptFiles, folder: string): Promise<string | undefined>;
}
