// Asking a question about a run. Its answer leads back to the state in which it was asked.
import { type Decision, refused } from '../../model/decision.ts';
import type { Origin, Question, RunEntry } from '../../model/run.ts';
import { nameOf, type RunContext, recordStep } from './step.ts';

const ORIGINS: readonly string[] = ['PLANNING', 'CODING', 'FIXING'] satisfies Origin[];

export function ask(
  context: RunContext,
  text: string,
  change: Partial<RunEntry> = {},
  kind: Question['kind'] = 'ordinary',
): Decision {
  const { state } = context.run;
  if (!ORIGINS.includes(state))
    return refused('state', `${nameOf(context)} is ${state}, where questions are not possible.`);
  const question: Question = { origin: state as Origin, kind, text };
  return recordStep(context, { moves: ['ask'], cause: text, change: { ...change, question } });
}
