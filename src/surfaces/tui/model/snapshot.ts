// Everything that is shown, as the app has read it. The model of the interface holds none of it.
import type { CodeDiff } from '../../../app/reads/code-diff.ts';
import type { PlanDetail, TaskDetail } from '../../../app/reads/detail.ts';
import type { FullStatus, Status } from '../../../app/reads/status.ts';
import type { WhyPlan, WhyTask } from '../../../app/reads/why.ts';
import type { TranscriptEntry } from '../../../core/model/workshop/entry.ts';
import type { ChangedFile, CommitLine } from '../../../core/ports/changes.ts';
import type { Asking } from '../../../core/views/asking.ts';
import type { OpenQuestion } from '../../../core/views/questions.ts';

export type ShownPlan = FullStatus['plans'][number];

export interface Snapshot {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Null until the first reading. */
  readonly status: Status | null;
  /** The plan that the list shows; null where there is none, or its file is not registered. */
  readonly plan: ShownPlan | null;
  readonly questions: readonly OpenQuestion[];
  /** What agent programs ask on their own screens. */
  readonly asks: readonly Asking[];
  /** What happened last, newest first. */
  readonly latest: readonly Happened[];
  /** What the window shows; null until it is read. */
  readonly window: WindowContent | null;
}

export interface Happened {
  readonly at: string;
  readonly text: string;
}

/** `key`: what it is of, see `windowKey`. */
export type WindowContent = { readonly key: string } & (
  | { readonly kind: 'screen'; readonly text: string }
  | ({ readonly kind: 'diff'; readonly text: string } & DiffFacts)
  | ({ readonly kind: 'git'; readonly commits: readonly CommitLine[]; readonly worktree: string | null } & DiffFacts)
  | { readonly kind: 'task'; readonly detail: TaskDetail; readonly why: WhyTask }
  | {
      readonly kind: 'plan';
      readonly detail: PlanDetail;
      readonly why: WhyPlan;
      /** Of its workshop; empty where it was not made in one. */
      readonly transcript: readonly TranscriptEntry[];
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
  questions: [],
  asks: [],
  latest: [],
  window: null,
};
