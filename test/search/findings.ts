// Findings in the search: what is kept of them, what reviewers and people can say about them, and what always holds.
import type { Event, EventOfKind, Ruling } from '../../src/core/model/event.ts';
import type { JournalRecord } from '../../src/core/model/record.ts';
import {
  blockersOfPlan,
  type Finding,
  isBlocking,
  isContradiction,
  isListed,
  isOpen,
  judgedBy,
  type WithFindings,
} from '../../src/core/model/review/finding.ts';
import { listKey } from '../../src/core/model/review/list.ts';
import type { LandingFacts, PerStage, RunEntry, WorktreeFacts } from '../../src/core/model/run.ts';
import type { PlanSession } from '../../src/core/model/session.ts';
import type { PlanEntry, TaskEntry, World } from '../../src/core/model/world.ts';

const SAME = '2026-01-02T03:04:05.000Z';

/** A commit that was reviewed, and is no longer the pinned one. */
export const OLD = 'old';

/**
 * Of the findings only what can still matter: those that are open, one of each kind, under new names. Where one of a kind is
 * about the pinned commit, that one.
 */
export function canonicalFindings({ findings = [], run }: TaskEntry): readonly Finding[] {
  const kinds = new Map<string, Finding>();
  for (const finding of findings.filter(isOpen)) {
    const kind = kindOf(finding);
    if (kinds.get(kind)?.commit !== run?.pinned || !kinds.has(kind)) kinds.set(kind, finding);
  }
  return [...kinds.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, finding], index) => ({
      id: `f${index + 1}`,
      foundBy: finding.foundBy,
      severity: finding.severity,
      problem: 'p',
      commit: finding.commit !== null && finding.commit === run?.pinned ? finding.commit : OLD,
      state: 'open',
      ...(finding.demand ? { demand: true as const } : {}),
      ...(finding.contradicts === undefined ? {} : { contradicts: 'c' }),
      ...(finding.answered ? { answered: true as const } : {}),
      ...(finding.claimed !== undefined && finding.claimed === run?.pinned ? { claimed: finding.claimed } : {}),
      seq: 1,
      at: SAME,
    }));
}

export function canonicalLooked({ looked, pinned }: RunEntry): PerStage<string> {
  const kept = Object.entries(looked ?? {}).map(([stage, commit]) => [stage, commit === pinned ? commit : OLD]);
  return Object.fromEntries(kept.toSorted());
}

/** As in `canonicalFindings`, and one that is on the list of the plan. */
export function canonicalPlanFindings(entry: PlanEntry): readonly Finding[] {
  const { findings = [], work } = entry;
  const { tip = null } = work ?? {};
  const claims = new Set(
    findings.filter((one) => isOpen(one) && one.claimed !== undefined && one.claimed === tip).map(kindOf),
  );
  const kinds = new Map(findings.filter(isOpen).map((finding) => [kindOf(finding), finding]));
  const open = [...kinds.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, { foundBy, severity, demand, contradicts, answered }], index): Finding => {
      return {
        id: `f${index + 1}`,
        foundBy,
        severity,
        problem: 'p',
        commit: OLD,
        state: 'open',
        ...(demand ? { demand } : {}),
        ...(contradicts === undefined ? {} : { contradicts: 'c' }),
        ...(answered ? { answered } : {}),
        ...(claims.has(kind) ? { claimed: 't0' } : {}),
        seq: 1,
        at: SAME,
      };
    });
  if (!findings.some(isListed)) return open;
  const id = `f${open.length + 1}`;
  return [
    ...open,
    { id, foundBy: 'plan', severity: 'minor', problem: 'p', commit: OLD, state: 'deferred', seq: 1, at: SAME },
  ];
}

function kindOf(finding: Finding): string {
  return `${finding.foundBy} ${finding.demand} ${finding.contradicts} ${finding.answered} ${isBlocking(finding)}`;
}

/** Whether the reviewer was shown the present list. */
export function canonicalList(entry: PlanEntry, { list = '' }: PlanSession): Pick<PlanSession, 'list'> {
  const shown = listKey({ findings: canonicalPlanFindings(entry), tasks: [] });
  if (list !== listKey(entry)) return { list: 'other' };
  return shown === '' ? {} : { list: shown };
}

export const RULINGS: readonly Ruling[] = ['park', 'overrule', 'confirm', 'plan-holds', 'finding-holds'];

/** What a reviewer can hand in: with a verdict on everything that is open, unless it says nothing at all. */
export interface Said {
  readonly name: 'review-approved' | 'review-changes';
  readonly body: string;
  readonly how: string;
  readonly facts?: Partial<WorktreeFacts>;
  /** The branch is at another commit. */
  readonly isMoved?: true;
}

const NEW = { severity: 'important', place: 'a.ts:1', problem: 'p' } as const;

export function reviews(task: TaskEntry, stage: 'spec' | 'quality'): readonly Said[] {
  const open = judgedBy(stage, task).map(({ id }) => id);
  const demands = (task.findings ?? []).filter(({ demand }) => demand).map(({ id }) => id);
  const all = (verdict: string) => open.map((finding) => ({ finding, verdict }));
  const body = (verdict: string, ...findings: readonly object[]) =>
    JSON.stringify({ verdicts: all(verdict), findings });
  const shown = { changed: demands };
  const said: Said[] = [
    { name: 'review-approved', body: '', how: ' without a word' },
    { name: 'review-changes', body: body('addressed', NEW), how: ' with a finding', facts: shown },
    {
      name: 'review-changes',
      body: body('addressed', { ...NEW, severity: 'minor' }),
      how: ' with a minor one',
      facts: shown,
    },
    {
      name: 'review-changes',
      body: body('addressed', { ...NEW, contradicts_plan: 'c' }),
      how: ' with a contradiction',
      facts: shown,
    },
    {
      name: 'review-changes',
      body: body('addressed', NEW),
      how: ' with a finding outside',
      facts: { ...shown, since: ['b.ts'] },
    },
    { name: 'review-changes', body: body('addressed', NEW), how: ' (moved)', isMoved: true },
    { name: 'review-approved', body: body('addressed'), how: ' (moved)', isMoved: true },
  ];
  if (open.length > 0) {
    said.push({ name: 'review-approved', body: body('addressed'), how: ' all addressed', facts: shown });
    said.push({ name: 'review-changes', body: body('not-addressed'), how: ' nothing addressed' });
  }
  if (demands.length > 0) said.push({ name: 'review-approved', body: body('addressed'), how: ' addressed, not shown' });
  return said;
}

/** The same of the reviewer of the whole plan. */
export interface SaidOfPlan {
  readonly name: Said['name'];
  readonly body: string;
  readonly how: string;
  readonly landing: Partial<LandingFacts>;
}

export function planReviews(entry: PlanEntry): readonly SaidOfPlan[] {
  const open = judgedBy('plan', entry).map(({ id }) => id);
  const demands = (entry.findings ?? []).filter(({ demand }) => demand).map(({ id }) => id);
  const body = (verdict: string, ...findings: readonly object[]) =>
    JSON.stringify({ verdicts: open.map((finding) => ({ finding, verdict })), findings });
  const landing = { changed: demands };
  const said = (name: Said['name'], text: string, how: string, facts: Partial<LandingFacts> = landing): SaidOfPlan => {
    return { name, body: text, how, landing: facts };
  };
  return [
    said('review-approved', '', ' without a word'),
    said('review-approved', body('addressed'), ' all addressed'),
    said('review-changes', body('addressed', NEW), ' with a finding'),
    said('review-changes', body('addressed', { ...NEW, severity: 'minor' }), ' with a minor one'),
    said('review-changes', body('addressed', { ...NEW, contradicts_plan: 'c' }), ' with a contradiction'),
    said('review-changes', body('addressed', NEW), ' with a finding outside', { ...landing, since: ['b.ts'] }),
    ...(open.length === 0 ? [] : [said('review-changes', body('not-addressed'), ' nothing addressed')]),
    ...(demands.length === 0 ? [] : [said('review-approved', body('addressed'), ' addressed, not shown', {})]),
  ];
}

type Must = (holds: boolean, otherwise: string) => void;

/** What a record does to findings. */
export function findingsRecord(line: JournalRecord, entry: PlanEntry, next: PlanEntry, must: Must): void {
  if (line.event === 'start_over') return;
  changesOf(line, entry, next, must);
  planMovesOf(line, entry, next, must);
  for (const task of entry.tasks) {
    const after = next.tasks.find(({ id }) => id === task.id);
    if (after === undefined) continue;
    changesOf(line, task, after, must);
    movesOf(line, task, after, must);
  }
}

function changesOf(line: JournalRecord, before: WithFindings, after: WithFindings, must: Must): void {
  const known = new Set((before.findings ?? []).map(({ id }) => id));
  for (const { id, state } of after.findings ?? [])
    must(known.has(id) || state === 'open' || state === 'deferred', `C27 a new finding is ${state} at once`);
  const now = new Map((after.findings ?? []).map((finding) => [finding.id, finding]));
  for (const finding of before.findings ?? []) {
    const { id } = finding;
    const later = now.get(id);
    must(later !== undefined, `C25 ${id} has disappeared`);
    if (later === undefined || later === finding) continue;
    const isPersons = line.by === 'user';
    const isClosed = isOpen(finding) && !isOpen(later);
    must(isOpen(finding) || later.state === finding.state, 'C25 a finding that was settled changes');
    if (isContradiction(finding) && !isContradiction(later))
      must(isPersons, 'C27 a contradiction is decided by somebody else than a person');
    if (!isClosed) continue;
    must(later.decidedBy !== undefined, 'C25 nobody has closed a finding');
    if (later.state === 'overruled') must(isPersons, 'C25 somebody else than a person overrules a finding');
    must(later.state !== 'deferred', 'C25 an open finding is deferred');
    if (later.state === 'parked')
      must(isPersons || line.by === 'engine' || line.role === 'architect', 'C25 a reviewer parks a finding');
    if (finding.demand) must(isPersons || later.state === 'addressed', 'C26 a demand is closed by somebody else');
    if (later.state === 'addressed' && !isPersons)
      must(
        line.signal?.body?.includes(`{"finding":"${id}","verdict":"addressed"}`) === true,
        'C25 a finding is closed although no reviewer called it addressed',
      );
  }
}

function planMovesOf(line: JournalRecord, entry: PlanEntry, next: PlanEntry, must: Must): void {
  if (entry.work === undefined) return;
  const blocking = blockersOfPlan(next);
  const isByAgent = line.by === 'agent';
  for (const move of line.moves) {
    if (move.machine !== 'plan') continue;
    if (move.event === 'review_approved') {
      must(blocking.length === 0, 'C24 approved with a finding that blocks');
      const shown = entry.work.session?.list ?? '';
      must(!isByAgent || shown === listKey(entry), 'C28 approved by a reviewer that was not shown the list');
    }
    if (move.event === 'review_changes_requested' && isByAgent)
      must(blocking.length > 0, 'C29 a plan goes back without a finding that blocks');
    if (line.event === 'review_changes_requested' && line.by === 'user' && line.feedbackBy === undefined)
      must(
        (next.findings ?? []).some(({ demand, seq }) => demand && seq === line.seq),
        'C25 a demand is not kept',
      );
  }
}

function movesOf(line: JournalRecord, before: TaskEntry, after: TaskEntry, must: Must): void {
  const { run } = after;
  for (const effect of line.effects ?? [])
    if (effect.do === 'merge' && effect.task === before.id)
      must(!(before.findings ?? []).some(isBlocking), 'C24 merged with a finding that blocks');
  const moves = line.moves.flatMap((move) => (move.machine === 'coder' && move.task === before.id ? [move] : []));
  const blocking = (after.findings ?? []).filter(isBlocking);
  for (const { event, from } of moves) {
    if (event === 'changes' && from === 'CODE_REVIEW' && line.by === 'agent')
      must(blocking.length > 0, 'C29 a round without a finding that blocks');
    if ((event === 'fix_done' || event === 'code_complete') && line.by !== 'user')
      must(!blocking.some(({ commit }) => commit === run?.pinned), 'C29 reviewed again without a change');
  }
  const passes = line.event === 'stage_passed' || line.event === 'approve';
  if (
    passes &&
    'task' in line &&
    line.task === before.id &&
    line.by === 'engine' &&
    before.run?.state === 'CODE_REVIEW'
  )
    must(
      before.run.looked?.[before.run.stage ?? 'spec'] === before.run.pinned,
      'C5 a stage passes although nobody has looked at the commit',
    );
  if (line.event === 'session_begun' && line.begun.task === before.id) {
    const stage = STAGES[line.begun.role];
    if (stage !== undefined)
      must(before.run?.looked?.[stage] !== before.run?.pinned, 'C29 a review of what was reviewed already');
  }
}

const STAGES: Readonly<Partial<Record<string, 'spec' | 'quality'>>> = {
  'spec-reviewer': 'spec',
  'quality-reviewer': 'quality',
};

/** Rounds have turns for fixing of their own, so that another agent can get the work before a person is asked. */
export function isEscalatedFirst({ plans, sessions }: World): boolean {
  return [...plans.values()].some(({ tasks }) =>
    tasks.some(({ run }) => {
      const session = run?.session == null ? undefined : sessions.get(run.session.id);
      return session?.escalated === true && run?.counts.checkins === 0;
    }),
  );
}

/** What follows from what was said and seen: nothing that was found is lost, and no demand is closed without evidence. */
export function findingsAfter(
  event: Event,
  line: JournalRecord | undefined,
  before: PlanEntry,
  after: PlanEntry,
  must: Must,
): void {
  if (line === undefined || event.kind !== 'signal') return;
  const { signal } = event;
  if (line.signal !== undefined && signal.by.role === 'reviewer') {
    const added = (after.findings ?? []).length - (before.findings ?? []).length;
    const reported = reportedIn(signal);
    must(added === reported, `C25 the review of the plan reported ${reported} findings, and ${added} are kept`);
    for (const finding of before.findings ?? []) {
      const later = (after.findings ?? []).find(({ id }) => id === finding.id);
      if (finding.demand && isOpen(finding) && later?.state === 'addressed')
        must(signal.landing?.changed?.includes(finding.id) === true, 'C26 a demand is closed without evidence');
    }
  }
  for (const task of before.tasks) {
    const now = after.tasks.find(({ id }) => id === task.id);
    if (now === undefined || !('task' in line) || line.task !== task.id) continue;
    const reported = reportedIn(signal);
    const added = (now.findings ?? []).length - (task.findings ?? []).length;
    must(added === reported, `C25 ${reported} findings were reported, and ${added} are kept`);
    for (const finding of task.findings ?? []) {
      const later = (now.findings ?? []).find(({ id }) => id === finding.id);
      if (finding.demand && isOpen(finding) && later?.state === 'addressed')
        must(signal.worktree?.changed?.includes(finding.id) === true, 'C26 a demand is closed without evidence');
    }
    const isFinished = line.moves.some(({ event: move }) => move === 'fix_done' || move === 'code_complete');
    const isOld = (task.findings ?? []).some(
      (one) => isBlocking(one) && signal.worktree?.same?.includes(one.commit ?? ''),
    );
    must(!isFinished || !isOld, 'C29 reviewed again with the files that were to be changed');
  }
}

function reportedIn({ name, body, by }: EventOfKind<'signal'>['signal']): number {
  // An architect reviews the plan of a task, which has no findings.
  if ((name !== 'review-approved' && name !== 'review-changes') || by.role === 'architect') return 0;
  if (!body.startsWith('{')) return name === 'review-changes' ? 1 : 0;
  return (JSON.parse(body).findings ?? []).length;
}
