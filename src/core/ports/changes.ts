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

export interface RunBranch {
  readonly branch: string;
  /** The commit of the run that was merged, if any. */
  readonly merged: Commit | null;
}

/** Contract: takes no lock and changes nothing. */
export interface Changes {
  /** Undefined if its branch does not exist. */
  ofRun(plan: PlanFile, run: RunBranch): Promise<CommitRange | undefined>;
  /** The plan's branch against its base, or undefined if it does not exist. `base`: the configured branch. */
  ofPlan(plan: PlanFile, base: string | undefined): Promise<CommitRange | undefined>;
  files(range: CommitRange): Promise<readonly ChangedFile[]>;
  /** The command that shows the changes, as a list of words. */
  command(range: CommitRange, form: 'patch' | 'stat', colour: 'auto' | 'never'): readonly string[];
  text(range: CommitRange, form: 'patch' | 'stat'): Promise<string>;
}
