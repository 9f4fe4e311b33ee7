// What is remembered when a run goes back to its implementer: the reason, and who asked for which change.
import type { FixCause } from '../../model/run.ts';
import { type RunContext, type RunStep, sayingOf } from './step.ts';

/** A person may send something back without a word. */
export const NO_COMMENT = 'It was sent back without a comment.';

/** A failed test or merge asks for nothing but itself; what a reviewer or a person asks for is remembered as a request. */
export function toFix(context: RunContext, reason: FixCause, text: string): Pick<RunStep, 'change' | 'decision'> {
  const { by, run } = context;
  const said = sayingOf(context, text);
  const fixing = { reason, ...said };
  const isRequest = by.who === 'user' || (by.who === 'agent' && reason === 'code_review_changes');
  if (!isRequest) return { change: { fixing } };
  const change = { fixing, asked: { by: said.by, text, commit: run.pinned } };
  const isDemand = by.who === 'user' && text !== NO_COMMENT;
  return isDemand ? { change, decision: { kind: 'demand', ...said } } : { change };
}
