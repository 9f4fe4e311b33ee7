// Rulings: what a person, the architect or the policy decides about findings that are open.
import { authorOf } from '../../../signals/author.ts';
import { changedFindings } from '../../journal/fold-findings.ts';
import { accepted, BY_ENGINE, type Decision, record, refused } from '../../model/decision.ts';
import type { By, Ruling } from '../../model/event.ts';
import {
  blockersOfStage,
  type Finding,
  isBlocking,
  isContradiction,
  isOpen,
  mayBeParked,
  type WithFindings,
} from '../../model/review/finding.ts';
import { findingsWait, isLive } from '../../model/run-status.ts';
import { afterReview, stageOf } from './review.ts';
import { nameOf, type RunContext, recordStep, type TaskContext } from './step.ts';

/** What a person decides. Without ids it is about every finding for which that is possible. */
export function rule(
  context: TaskContext,
  ruling: Ruling,
  { ids = [], why = '' }: { readonly ids?: readonly string[] | undefined; readonly why?: string | undefined },
): Decision {
  const changed = rulingOn({ of: context.task, name: nameOf(context), by: context.by }, ruling, { ids, why });
  return 'records' in changed ? changed : ruled(context, changed);
}

/** What a ruling of a person's is about: a task or a plan, with its name for messages. */
export interface Ruled {
  readonly of: WithFindings;
  readonly name: string;
  readonly by: By;
}

/** The findings as they are after it, or why it is not possible. */
export function rulingOn(
  { of: { findings = [] }, name, by }: Ruled,
  ruling: Ruling,
  { ids = [], why = '' }: { readonly ids?: readonly string[] | undefined; readonly why?: string | undefined },
): readonly Finding[] | Decision {
  const unknown = ids.find((id) => !findings.some((finding) => finding.id === id));
  if (unknown !== undefined) return refused('unknown-finding', `${name} has no finding ${unknown}.`);
  const named = ids.length === 0 ? findings.filter(MAY_BE[ruling]) : findings.filter(({ id }) => ids.includes(id));
  if (named.length === 0) return refused('state', `${name} has no finding that can be ${WORDS[ruling]}.`);
  const unfit = named.find((finding) => !MAY_BE[ruling](finding));
  if (unfit !== undefined)
    return refused('state', `${unfit.id} of ${name} is ${stateWords(unfit)}: it cannot be ${WORDS[ruling]}.`);
  return named.map((finding) => decided({ by }, finding, ruling, why));
}

/** Whether a finding of the task can be ruled on in this way. */
export const MAY_BE: { readonly [ruling in Ruling]: (finding: Finding) => boolean } = {
  park: isBlocking,
  overrule: isOpen,
  confirm: (finding) => isOpen(finding) && !isContradiction(finding),
  'plan-holds': isContradiction,
  'finding-holds': isContradiction,
};

const WORDS: { readonly [ruling in Ruling]: string } = {
  park: 'parked',
  overrule: 'overruled',
  confirm: 'confirmed as addressed',
  'plan-holds': 'decided against the plan',
  'finding-holds': 'decided against the plan',
};

function stateWords(finding: Finding): string {
  if (isContradiction(finding)) return 'a contradiction of the plan';
  return isOpen(finding) ? 'not a contradiction of the plan' : finding.state;
}

function decided({ by }: Pick<TaskContext, 'by'>, finding: Finding, ruling: Ruling, why: string): Finding {
  const { claimed: _claimed, ...rest } = finding;
  const decision = { decidedBy: authorOf(by), ...(why.trim() === '' ? {} : { because: why.trim() }) };
  switch (ruling) {
    case 'park':
      return { ...rest, ...decision, state: 'parked' };
    case 'overrule':
      return { ...rest, ...decision, state: 'overruled' };
    case 'confirm':
      return { ...rest, ...decision, state: 'addressed' };
    case 'plan-holds':
      return { ...rest, ...decision, state: 'overruled', answered: true };
    case 'finding-holds':
      return { ...rest, ...decision, answered: true, demand: true };
  }
}

/** Where the review of a run waited for an answer about the plan, the run continues as after that review. */
function ruled(context: TaskContext, changed: readonly Finding[]): Decision {
  const { task, entry } = context;
  const { run } = task;
  if (!isLive(run)) {
    const fact = { event: 'findings_ruled', plan: entry.plan, task: task.id, attempt: task.attempts } as const;
    return accepted(
      record(context, fact, { changes: [{ of: 'findings', plan: entry.plan, task: task.id, findings: changed }] }),
    );
  }
  const of: RunContext = { ...context, run };
  const after = { findings: changedFindings(task.findings, changed) };
  const wasAsked = findingsWait(run, task) === 'contradiction';
  if (wasAsked && findingsWait(run, after) !== 'contradiction' && findingsWait(run, after) !== 'passed')
    return afterReview({ ...of, by: context.by }, changed, {});
  return recordStep(of, { moves: [], name: 'findings_ruled', findings: changed });
}

/** The architect parks what it names; the rest is a person's. */
export function ruleAsArchitect(context: RunContext, text: string): Decision {
  const { run, task } = context;
  const blockers = blockersOfStage(stageOf(run), task);
  const ids = parkedIn(text);
  const unfit = ids.find((id) => !blockers.some((finding) => finding.id === id && mayBeParked(finding)));
  if (unfit !== undefined)
    return refused('unknown-finding', `${unfit} is not a finding of ${nameOf(context)} that the architect may park.`);
  const parked = blockers.filter(({ id }) => ids.includes(id));
  return recordStep(context, {
    moves: [],
    name: 'findings_ruled',
    cause: text,
    change: { ruled: true },
    findings: parked.map((finding) => decided(context, finding, 'park', text)),
  });
}

/** The ids in lines that start with PARK. */
function parkedIn(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => /^\s*[-*]?\s*PARK\b/i.test(line));
  return [...new Set(lines.flatMap((line) => line.match(/\bf[1-9][0-9]{0,5}\b/g) ?? []))];
}

/** With the policy `auto`, everything that is not critical is parked. */
export function ruleAutomatically(context: RunContext): Decision {
  const engine = { ...context, by: BY_ENGINE };
  const blockers = blockersOfStage(stageOf(context.run), context.task);
  const harmless = blockers.filter((finding) => mayBeParked(finding) && finding.severity !== 'critical');
  return recordStep(engine, {
    moves: [],
    name: 'findings_ruled',
    change: { ruled: true },
    findings: harmless.map((finding) => decided(engine, finding, 'park', 'No rounds were left.')),
  });
}
