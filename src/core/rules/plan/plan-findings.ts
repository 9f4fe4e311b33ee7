// Takes the review of a whole plan: records what it found, and decides whether the plan is approved, goes back, or waits.
import { PLAN_REVIEW } from '../../../machines/plan.ts';
import { type ReviewWord, readReview } from '../../../reviews/read-review.ts';
import type { ReviewDocument } from '../../../reviews/review-document.ts';
import { changedFindings } from '../../journal/fold-findings.ts';
import { accepted, type Decision, record, refused, refusedFor } from '../../model/decision.ts';
import { numbered } from '../../model/effect.ts';
import type { EventOfKind } from '../../model/event.ts';
import { personsDecision, unknownPlan } from '../../model/refusals.ts';
import { blockersOfPlan, isContradiction } from '../../model/review/finding.ts';
import type { LandingFacts, RecordChange } from '../../model/run.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import { findingsText, judged, reportedFindings, verdictProblems } from '../run/findings.ts';
import { rulingOn } from '../run/ruling.ts';
import type { ManagedContext } from './context.ts';
import { movePlan } from './move.ts';
import { findingsChange } from './persons-findings.ts';
import { noCycleLeft, whyNoVerdict } from './review.ts';

/** What the reviewer that cadre started hands in. */
export interface PlanReview {
  readonly word: ReviewWord;
  readonly body: string;
  readonly landing?: LandingFacts;
}

export function takePlanReview(context: ManagedContext, { word, body, landing }: PlanReview): Decision {
  const { world, now, by, entry, work, signal } = context;
  const { plan } = entry;
  const no = entry.status === PLAN_REVIEW ? whyNoVerdict(context) : undefined;
  if (no !== undefined) return no;
  const read = readReview(body, word);
  if (!read.ok)
    return refused('bad-review', `The review of the plan could not be read: ${read.violations.join('; ')}.`);
  const { document } = read;
  const problems = verdictProblems(entry, 'plan', document);
  if (problems.length > 0)
    return refused('no-verdict', `The review of ${plan} is not complete: ${problems.join('; ')}.`);
  const occasion = { of: entry, commit: work.tip, seq: world.seq + 1, at: now.toISOString() };
  const isAgain = work.looked != null;
  const found = reportedFindings(occasion, 'plan', document, isAgain ? landing?.since : undefined);
  const { changed = [] } = landing ?? {};
  const findings = [...judged(entry, 'plan', document, { pinned: work.tip, changed }), ...found];
  const blockers = blockersOfPlan({ findings: changedFindings(entry.findings, findings) });
  const along = [...findingsChange(plan, findings), { of: 'plan', plan, change: { looked: work.tip } } as const];
  const text = proseIn(document, body) ?? findingsText(blockers);
  const asked = { plan, by, feedback: text, along, ...(landing === undefined ? {} : { landing }) };
  if (blockers.some(isContradiction)) return waitFor({ ...context, along }, 'contradiction', text);
  const toChange = blockers.filter(({ claimed }) => claimed === undefined || claimed !== work.tip);
  if (toChange.length > 0) return movePlan(world, { ...asked, event: 'review_changes_requested' }, now, signal);
  if (blockers.length > 0) return waitFor({ ...context, along }, 'evidence', text);
  const { feedback: _nothing, ...approval } = asked;
  return movePlan(world, { ...approval, event: 'review_approved' }, now, signal);
}

/** A review in prose is passed on as it is. */
function proseIn({ findings = [], verdicts = [] }: ReviewDocument, body: string): string | undefined {
  const [only] = findings;
  return findings.length === 1 && verdicts.length === 0 && only?.problem === body.trim() ? body : undefined;
}

const WAITS = {
  contradiction: 'the review found something that contradicts the plan, and you decide which of the two holds',
  evidence: 'the reviewer says that what you demanded is addressed, but its place has not changed',
} as const;

/** Nothing moves before a person has decided. */
function waitFor(
  context: ManagedContext & { readonly along: readonly RecordChange[] },
  what: keyof typeof WAITS,
  text: string,
): Decision {
  const { world, now, along, signal } = context;
  const { plan } = context.entry;
  const waiting = { text, at: now.toISOString(), by: 'reviewer' } as const;
  return accepted(
    record(
      context,
      { event: 'review_waits', plan, feedback: text },
      {
        changes: [...along, { of: 'plan', plan, change: { waiting } }],
        effects: numbered(world.seq + 1, [{ do: 'tell', text: `${plan}: ${WAITS[what]}.\n${text}` }]),
        ...(signal === undefined ? {} : { signal }),
      },
    ),
  );
}

/** What a person decides about findings of the plan. Where that was a contradiction, the plan continues as after the review. */
export function rulePlan(world: World, event: EventOfKind<'rule-plan'>, now: Date): Decision {
  const { plan, ruling, by, findings: ids, text: why } = event;
  if (by.who !== 'user') return refused('user-only', personsDecision(ruling, by));
  const entry = world.plans.get(plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(plan));
  const changed = rulingOn({ of: entry, name: plan, by }, ruling, { ids, why });
  if ('records' in changed) return changed;
  const along = findingsChange(plan, changed);
  const after = { findings: changedFindings(entry.findings, changed) };
  if (isAnswered(entry, after) && entry.work !== undefined && !noCycleLeft(world, entry.work)) {
    const feedback = findingsText(blockersOfPlan(after));
    const asked = { plan, by, event: 'review_changes_requested', feedback, feedbackBy: 'reviewer', along } as const;
    return movePlan(world, asked, now);
  }
  return accepted(record({ world, now, by }, { event: 'plan_findings_ruled', plan }, { changes: along }));
}

/** The last question about the plan's text is answered, and something has to change. */
function isAnswered(entry: PlanEntry, after: Pick<PlanEntry, 'findings'>): boolean {
  if (entry.status !== PLAN_REVIEW || entry.work?.waiting == null) return false;
  const blockers = blockersOfPlan(after);
  return blockersOfPlan(entry).some(isContradiction) && blockers.length > 0 && !blockers.some(isContradiction);
}
