// What a run or a plan has changed, as a person wants to see it.
import type { PlanFile } from '../../plan/name.ts';
import type { Commit } from '../model/commit.ts';

/** From one commit to another. */
export interface CommitRange {
  readonly from: Commit;
  readonly to: Commit;
  /** It is on the plan's branch: `to` is the commit that brought it there. */
  readonly merged: boolean;
}

export interface ChangedFile {
  readonly path: string;
  /** Lines; null where it is not text. */
  readonly added: number | null;
  readonly removed: number | null;
}

/** A run, as far as what it has changed depends on it. */
export interface RunBranch {
  readonly branch: string;
  /** The commit that was merged; null where none was. */
  readonly merged: Commit | null;
}

/** Looks, takes no lock, and changes nothing. */
export interface Changes {
  /** Nothing where its branch is not there. */
  ofRun(plan: PlanFile, run: RunBranch): Promise<CommitRange | undefined>;
  /** The plan's branch against its base; nothing where there is none yet. `base`: the branch that is configured. */
  ofPlan(plan: PlanFile, base: string | undefined): Promise<CommitRange | undefined>;
  files(span: CommitRange): Promise<readonly ChangedFile[]>;
  /** The command that shows it, as a list of words. */
  command(span: CommitRange, form: 'patch' | 'stat', colour: 'auto' | 'never'): readonly string[];
  text(span: CommitRange, form: 'patch' | 'stat'): Promise<string>;
}
