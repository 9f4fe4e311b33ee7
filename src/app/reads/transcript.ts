// What was said in the workshop of a plan.
import { Failure } from '../../core/model/failure.ts';
import type { TranscriptEntry } from '../../core/model/workshop/entry.ts';
import type { PlanEntry } from '../../core/model/world.ts';

export interface Transcript {
  readonly plan: string;
  readonly transcript: readonly TranscriptEntry[];
}

export function readTranscript({ plan, workshop }: PlanEntry): Transcript {
  if (workshop === undefined)
    throw new Failure('usage', 'no-run', `${plan} was not made in a workshop, so it has no transcript.`);
  return { plan, transcript: workshop.transcript };
}
