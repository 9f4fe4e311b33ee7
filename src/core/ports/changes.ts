// What a run or a plan has changed, as a port.
import type { PlanFile } from '../../plan/name.ts';
import type { Commit } from '../model/commit.ts';

export interface CommitRange {
  readonly from: Commit;
  readonly to: Commit;
  /** Already on the plan's branch: `to` is the merge. */
  readonly merged: boolean;
}

export interface ChangedFile {
  readonly path: string;
  /** Lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface CommitLine {
  readonly commit: Commit;
  readonly at: string;
  readonly author: string;
  readonly subject: string;
}

export interface ShowingProgram {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface RunBranch {
  readonly branch: string;
  /** The commit on the plan's branch that holds its work, if it was merged. */
  readonly merged: Commit | null;
}

/** Contract: takes no lock and changes nothing. */
export interface Changes {
  /** Undefined if its branch does not exist. */
  ofRun(plan: PlanFile, run: RunBranch): Promise<CommitRange | undefined>;
  /** The plan's branch against its base, or undefined if it does not exist. `base`: the configured branch. */
  ofPlan(plan: PlanFile, base: string | undefined): Promise<CommitRange | undefined>;
  /** What a branch has on top of the commit that it started from, or undefined if it does not exist. */
  ofBranch(branch: string, from: Commit): Promise<CommitRange | undefined>;
  /** What a commit has on top of the one that it has in common with another. */
  between(onto: Commit, to: Commit): Promise<CommitRange>;
  /** Newest first. */
  commits(range: CommitRange): Promise<readonly CommitLine[]>;
  files(range: CommitRange): Promise<readonly ChangedFile[]>;
  /** The program that shows the changes in a terminal. */
  command(range: CommitRange, form: 'patch' | 'stat', colour: 'auto' | 'always' | 'never'): Promise<ShowingProgram>;
  /** `review`: a patch with enough around each change to judge it. */
  text(range: CommitRange, form: 'patch' | 'stat' | 'review'): Promise<string>;
}
