// Abandoning a run: it ends, and a person decides what happens to the task.
import type { Decision } from '../../model/decision.ts';
import { type RunContext, recordStep, sayingOf } from './step.ts';

/** `reason` may be empty. */
export function abandon(context: RunContext, reason: string): Decision {
  const text = reason.trim();
  return recordStep(context, {
    moves: ['abandon'],
    ...(text === '' ? {} : { cause: text }),
    change: { abandoned: sayingOf(context, text) },
  });
}
