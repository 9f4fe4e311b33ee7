// Verdicts on a task's plan, and on its code by the two reviews. A verdict is about one commit.
import { BY_ENGINE, type Decision, refused } from '../../model/decision.ts';
import type { UnnumberedEffect } from '../../model/effect.ts';
import { blockersOfStage, type Finding } from '../../model/review/finding.ts';
import type { WorktreeFacts } from '../../model/run.ts';
import { hasMoved } from '../../model/run-status.ts';
import { openDemands } from '../../model/tasks.ts';
import { abandon } from './abandon.ts';
import { waitsNext } from './manual-step.ts';
import { nameOf, type RunContext, type RunStep, recordStep, runEffectFields, sayingOf } from './step.ts';
import { toFix } from './to-fix.ts';
import { notLooked } from './verify.ts';

export type Verdict = 'approve' | 'changes' | 'abandon';

export function giveVerdict(
  context: RunContext,
  verdict: Verdict,
  text: string,
  worktree: WorktreeFacts | undefined,
): Decision {
  switch (context.run.state) {
    case 'PLAN_REVIEW':
      return judgePlan(context, verdict, text);
    case 'CODE_REVIEW':
      return judgeCode(context, verdict, text, worktree);
    case 'QUESTION':
      if (verdict === 'abandon') return abandon(context, text);
      break;
  }
  return refused('state', `${nameOf(context)} is ${context.run.state}; there is nothing to ${VERBS[verdict]}.`);
}

const VERBS: { readonly [verdict in Verdict]: string } = {
  approve: 'approve',
  changes: 'send back',
  abandon: 'abandon',
};

function judgePlan(context: RunContext, verdict: Verdict, text: string): Decision {
  if (verdict === 'abandon') return abandon(context, text);
  const said = verdict === 'changes' ? ({ kind: 'proposal', ...sayingOf(context, text) } as const) : null;
  return recordStep(context, { moves: [verdict], ...(text === '' ? {} : { cause: text }), change: { said } });
}

function judgeCode(context: RunContext, verdict: Verdict, text: string, worktree: WorktreeFacts | undefined): Decision {
  if (verdict === 'abandon') return abandon(context, text);
  if (verdict === 'changes') return sendBack(context, text);
  if (worktree === undefined) return notLooked(context);
  if (hasMoved(context.run, worktree.head)) return sendBack({ ...context, by: BY_ENGINE }, movedOn(context, worktree));
  return passStage(context, overruled(context));
}

/** More goes into the record: what a review found. */
type Along = Pick<RunStep, 'change' | 'findings' | 'effects'>;

export function passStage(context: RunContext, along: Along): Decision {
  return context.run.stage === 'quality' ? approveQuality(context, along) : approveSpec(context, along);
}

/** A person who approves the work overrules, by name, what keeps it from passing. */
function overruled(context: RunContext): Along {
  if (context.by.who !== 'user') return {};
  const blockers = blockersOfStage(context.run.stage ?? 'spec', context.task);
  const findings = blockers.map(({ claimed: _claimed, ...finding }): Finding => {
    return { ...finding, state: 'overruled', decidedBy: 'person', because: 'A person approved the work.' };
  });
  return { findings };
}

export function sendBack(context: RunContext, text: string, along: Along = {}): Decision {
  const { change, findings = [] } = toFix(context, 'code_review_changes', text);
  return recordStep(context, {
    moves: ['changes'],
    cause: text,
    change: { ...change, ...along.change },
    findings: [...findings, ...(along.findings ?? [])],
    effects: along.effects ?? [],
  });
}

/** Nobody reviews or merges a commit that has come to the branch since the verification. */
export function sendBackMoved(context: RunContext, worktree: WorktreeFacts): Decision {
  return sendBack(context, movedOn(context, worktree));
}

export function movedOn({ run }: Pick<RunContext, 'run'>, { head }: WorktreeFacts): string {
  return `The branch moved on to ${head} after ${run.pinned} was sent to review. Signal again when the new commit is ready to be verified and reviewed.`;
}

/**
 * Somebody committed during a review, and nobody can tell who. The commits are pinned and removed from the branch, so that
 * the implementer gets back what it had finished, and no reviewer approves what it wrote itself.
 */
export function sendBackTo(
  context: RunContext,
  pin: string,
  { head }: WorktreeFacts,
  { asked, findings }: { readonly asked: string; readonly findings: readonly Finding[] },
): Decision {
  const undo: UnnumberedEffect = { do: 'undo', ...runEffectFields(context), pin };
  const along: Along = { findings, effects: [undo] };
  if (asked !== '') return sendBack(context, asked, along);
  const text = `The branch moved on to ${head} while ${pin} was being reviewed. It was reset to ${pin}, and ${head} is kept: take what belongs to the task from it ("git cherry-pick"), and signal again when that is ready to be verified and reviewed.`;
  return sendBack({ ...context, by: BY_ENGINE }, text, along);
}

/** The stage changes, and the task moves with it; the run stays in review. */
function approveSpec(context: RunContext, { change, ...along }: Along): Decision {
  const { world, now } = context;
  return recordStep(context, {
    ...along,
    moves: [],
    name: 'stage_passed',
    change: {
      ...change,
      stage: 'quality',
      ruled: false,
      entered: world.seq + 1,
      since: now.toISOString(),
      ...(context.run.waitsNext ? { waitsNext: false } : {}),
      ...waitsNext(context),
    },
    ...demandsMet(context),
  });
}

/** The task is done only after the merge. For an unverified commit only a person's approval counts. */
function approveQuality(context: RunContext, { change, ...along }: Along): Decision {
  const { run, by } = context;
  const isCovered = !run.unverified || run.override === run.pinned;
  if (by.who !== 'user' && !isCovered)
    return recordStep(context, { ...along, moves: [], name: 'advised', change: { ...change, advised: true } });
  return recordStep(context, {
    ...along,
    moves: ['approve'],
    change: { ...change, ...(isCovered ? {} : { override: run.pinned }), ...waitsNext(context) },
    ...demandsMet(context),
  });
}

/** A person who approves the work has nothing more to demand of it. */
function demandsMet({ by, task, world }: RunContext): Pick<RunStep, 'marks'> {
  return by.who === 'user' && openDemands(task).length > 0 ? { marks: { demandsMet: world.seq + 1 } } : {};
}
