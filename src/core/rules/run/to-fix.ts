// What is remembered when a run goes back to its implementer: the reason, and who asked for which change.
import type { FixCause, RunEntry } from '../../model/run.ts';
import { demandedFindings } from './findings.ts';
import { type RunContext, type RunStep, sayingOf } from './step.ts';

/** A person may send something back without a word. */
export const NO_COMMENT = 'It was sent back without a comment.';

/** A failed test or merge asks for nothing but itself; what a reviewer or a person asks for is remembered as a request. */
export function toFix(context: RunContext, reason: FixCause, text: string): Pick<RunStep, 'change' | 'findings'> {
  const { by, run } = context;
  const said = sayingOf(context, text);
  const fixing = { reason, ...said };
  const isRequest = by.who === 'user' || (by.who === 'agent' && reason === 'code_review_changes');
  if (!isRequest) return { change: { fixing } };
  const change = { fixing, asked: { by: said.by, text, commit: run.pinned } };
  if (by.who !== 'user') return { change };
  const demands = demandsIn(context, text);
  const asked = demands.findings === undefined ? change.asked : { ...change.asked, asFindings: true as const };
  return { change: { ...change, asked, ...anotherRound(run) }, ...demands };
}

/** What a person says has to change: each paragraph is a demand. */
export function demandsIn({ task, run, world, now }: RunContext, text: string): Pick<RunStep, 'findings'> {
  if (text === NO_COMMENT) return {};
  const when = { of: task, commit: run.pinned ?? run.head, seq: world.seq + 1, at: now.toISOString() };
  return { findings: demandedFindings(when, text) };
}

/** A round of review has its own turns for fixing. */
export function anotherRound({ counts }: RunEntry): Pick<RunEntry, 'counts'> {
  return { counts: { ...counts, fixing: 0 } };
}
