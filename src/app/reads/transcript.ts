// What was said in the workshop of a plan.
import { Failure } from '../../core/model/failure.ts';
import type { TranscriptEntry } from '../../core/model/workshop/entry.ts';
import { isPlanning } from '../../core/model/workshop/status.ts';
import type { PlanEntry } from '../../core/model/world.ts';
import { projectPlan } from '../../workshop/project-plan.ts';

export interface Transcript {
  readonly plan: string;
  readonly transcript: readonly TranscriptEntry[];
  /** The plan that waits for a person's approval, as its file will say it. */
  readonly proposed: string | null;
}

export function readTranscript(entry: PlanEntry): Transcript {
  const { plan, workshop } = entry;
  if (workshop === undefined)
    throw new Failure('usage', 'no-run', `${plan} was not made in a workshop, so it has no transcript.`);
  const { transcript, document, state } = workshop;
  const isProposed = document !== null && state === 'review_ready' && isPlanning(entry);
  return { plan, transcript, proposed: isProposed ? projectPlan(document) : null };
}
