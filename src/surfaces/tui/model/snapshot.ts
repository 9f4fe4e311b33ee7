// Everything that is shown, as the app has read it. The model of the interface holds none of it.

import type { CodeDiff } from '../../../app/reads/code-diff.ts';
import type { PlanDetail, TaskDetail } from '../../../app/reads/detail.ts';
import type { FullStatus, Status } from '../../../app/reads/status.ts';
import type { WhyPlan, WhyTask } from '../../../app/reads/why.ts';
import type { TranscriptEntry } from '../../../core/model/workshop/entry.ts';
import type { ChangedFile, CommitLine } from '../../../core/ports/changes.ts';
import type { Asking } from '../../../core/views/asking.ts';
import type { FindingView } from '../../../core/views/findings.ts';
import type { KnownRepository } from '../../../core/views/known-repository.ts';
import type { OpenQuestion } from '../../../core/views/questions.ts';
import type { PlanFile } from '../../../plan/name.ts';
import type { DiffLine } from './diff-rows.ts';

export type ShownPlan = FullStatus['plans'][number];

export interface Snapshot {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Null until the first reading. */
  readonly status: Status | null;
  /** The plan that the list shows; null where there is none. */
  readonly plan: ShownPlan | null;
  /** It is a file that is not registered: nothing but its text is known. */
  readonly isNew: boolean;
  readonly questions: readonly OpenQuestion[];
  /** What agent programs ask on their own screens. */
  readonly asks: readonly Asking[];
  /** What happened last, newest first. */
  readonly latest: readonly Happened[];
  /** The other repositories of this machine. */
  readonly repositories: readonly KnownRepository[];
  /** This process is the engine. */
  readonly isEngineHere: boolean;
  /** What the window shows; null until it is read. */
  readonly window: WindowContent | null;
}

export interface Happened {
  readonly at: string;
  readonly plan: PlanFile;
  /** Its address; null where it is about the plan. */
  readonly task: string | null;
  readonly text: string;
}

/** `key`: what it is of, see `windowKey`. */
export type WindowContent = { readonly key: string } & (
  | { readonly kind: 'screen'; readonly text: string }
  | ({
      readonly kind: 'diff';
      readonly lines: readonly DiffLine[];
      /** Those that are not settled. */
      readonly findings: readonly FindingView[];
    } & DiffFacts)
  | ({ readonly kind: 'git'; readonly commits: readonly CommitLine[]; readonly worktree: string | null } & DiffFacts)
  | {
      readonly kind: 'task';
      readonly detail: TaskDetail;
      readonly why: WhyTask;
      readonly findings: readonly FindingView[];
    }
  | {
      readonly kind: 'plan';
      readonly findings: readonly FindingView[];
      readonly detail: PlanDetail;
      readonly why: WhyPlan;
      /** Of its workshop; empty where it was not made in one. */
      readonly transcript: readonly TranscriptEntry[];
      /** The plan that waits for approval, as its file will say it. */
      readonly proposed: string | null;
      /** Newest first. */
      readonly timeline: readonly Happened[];
    }
  | { readonly kind: 'message'; readonly text: string }
);

export interface DiffFacts extends Pick<CodeDiff, 'of' | 'span' | 'hasUncommitted' | 'rewrites'> {
  readonly files: readonly ChangedFile[];
}

export const NOTHING_READ: Snapshot = {
  now: 0,
  status: null,
  plan: null,
  isNew: false,
  questions: [],
  asks: [],
  latest: [],
  repositories: [],
  isEngineHere: false,
  window: null,
};
