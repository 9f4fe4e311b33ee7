// Somebody moves or deletes the plan branch, or moves the base: what can happen then, and what must hold.
import type { Event } from '../../src/core/model/event.ts';
import type { JournalRecord } from '../../src/core/model/record.ts';
import type { RunEntry } from '../../src/core/model/run.ts';
import { isLive } from '../../src/core/model/run-status.ts';
import type { PlanEntry, World } from '../../src/core/model/world.ts';
import { PLAN, USER } from '../support/world.ts';
import { FOREIGN, OTHER_TIP } from './canonical.ts';
import type { Happening } from './environment.ts';
import type { Ghost } from './ghost.ts';
import type { Model } from './models.ts';

export type IncidentHappening = Omit<Happening, 'now'>;

/** In the states in which the engine looks at branches. */
export function incidentHappenings(
  which: NonNullable<Model['incidents']>,
  { world, entry, ghost }: { readonly world: World; readonly entry: PlanEntry; readonly ghost: Ghost },
): readonly IncidentHappening[] {
  const { work, status } = entry;
  if (which === 'link') return ofLink(world, entry, ghost);
  if (work === undefined || work.tip === null) return [];
  const isWatched = status === 'implementing' || status === 'reviewing';
  return [
    ...(isWatched ? (which === 'base' ? ofBase(entry, ghost) : ofBranch(entry, ghost)) : []),
    ...settings(world, entry, ghost),
    ...decisions(entry, ghost),
  ];
}

/** A merge that is on the branch and not recorded is lost with it. */
function ofBranch({ work }: PlanEntry, { branch, landed }: Ghost): readonly IncidentHappening[] {
  const tip = work?.tip ?? null;
  const ours = landed.size > 0 ? (work?.moving?.to ?? tip) : tip;
  const found = { ours, foreign: FOREIGN, gone: null }[branch];
  return [
    ...(branch === 'foreign' ? [] : [changes('somebody moves the branch', { branch: 'foreign', landed: new Set() })]),
    ...(branch === 'gone' ? [] : [changes('somebody deletes the branch', { branch: 'gone', landed: new Set() })]),
    ...(branch === 'ours' ? [] : [changes('somebody moves the branch back', { branch: 'ours' })]),
    {
      actor: 'engine',
      label: 'the branch was seen before cadre moved it',
      event: { kind: 'branch-seen', plan: PLAN, expected: OTHER_TIP, found: OTHER_TIP },
    },
    { actor: 'engine', label: 'the branch is seen', event: { kind: 'branch-seen', plan: PLAN, expected: tip, found } },
  ];
}

function ofBase({ work }: PlanEntry, { base }: Ghost): readonly IncidentHappening[] {
  const expected = work?.base ?? { branch: 'main', commit: '' };
  const found = { branch: 'main', commit: base === 'ours' ? expected.commit : FOREIGN };
  const contains = base === 'ours';
  return [
    changes('somebody moves the base', { base: contains ? 'foreign' : 'ours' }),
    { actor: 'engine', label: 'the base is seen', event: { kind: 'base-seen', plan: PLAN, expected, found, contains } },
  ];
}

/** Somebody changes the link of the first task's worktree, or changes it back; the engine sees it, and may restore it. */
function ofLink(world: World, { tasks }: PlanEntry, { link }: Ghost): readonly IncidentHappening[] {
  const [task] = tasks;
  const run = task?.run;
  if (task === undefined || !isLive(run) || run.base === null) return [];
  const isOurs = link === 'ours';
  const seen = (label: string, why: string | null): IncidentHappening => ({
    actor: 'engine',
    label,
    event: { kind: 'link-seen', plan: PLAN, task: task.id, attempt: run.attempt, why },
  });
  return [
    changes(`somebody changes the link${isOurs ? '' : ' back'}`, { link: isOurs ? 'foreign' : 'ours' }),
    seen('the link is seen', isOurs ? null : 'w'),
    {
      actor: 'user',
      label: 'incident restore of the worktree',
      event: { kind: 'worktree-restore', plan: PLAN, task: task.id, by: USER },
    },
    ...relinking(world, run, link),
  ];
}

function relinking(world: World, { incident }: RunEntry, link: Ghost['link']): readonly IncidentHappening[] {
  const effect = incident?.restoring;
  if (effect === undefined || !world.outbox.has(effect)) return [];
  const result = (label: string, failed?: string): IncidentHappening => ({
    actor: 'engine',
    label,
    event: { kind: 'result', effect, result: { of: 'relink', ...(failed === undefined ? {} : { failed }) } },
  });
  if (link === 'ours') return [result('the worktree is restored')];
  return [
    { actor: 'engine', label: 'the worktree is linked', event: NOTHING, ghost: { link: 'ours' } },
    result('the worktree cannot be restored', 'why'),
  ];
}

function changes(label: string, ghost: Partial<Ghost>): IncidentHappening {
  return { actor: 'user', label, event: NOTHING, ghost };
}

const NOTHING: Event = { kind: 'effect-done', effect: 'none' };

/** The effect that moves the branch back does so before its result is recorded, or fails. */
function settings(world: World, { work }: PlanEntry, { branch }: Ghost): readonly IncidentHappening[] {
  const effect = work?.incident?.restoring;
  if (effect === undefined || !world.outbox.has(effect)) return [];
  const result = (label: string, failed?: string): IncidentHappening => ({
    actor: 'engine',
    label,
    event: {
      kind: 'result',
      effect,
      result: { of: 'set-branch', ...(failed === undefined ? {} : { failed }) },
    },
  });
  if (branch === 'ours') return [result('the branch is back')];
  const set: IncidentHappening = {
    actor: 'engine',
    label: 'the branch is set',
    event: NOTHING,
    ghost: { branch: 'ours' },
  };
  return [set, result('the branch cannot be set', 'why')];
}

function decisions({ tasks, work }: PlanEntry, { branch, base }: Ghost): readonly IncidentHappening[] {
  const found = work?.incident?.of === 'base' ? (base === 'ours' ? '' : FOREIGN) : branch === 'foreign' ? FOREIGN : '';
  const done = tasks.filter(({ state }) => state === 'done').map(({ id }) => id);
  const take = (label: string, more: { missing: readonly string[]; lost?: 'replan' | 'keep' }): IncidentHappening => ({
    actor: 'user',
    label: `incident ${label}`,
    event: { kind: 'incident-take', plan: PLAN, by: USER, found, ...more },
  });
  return [
    { actor: 'user', label: 'incident restore', event: { kind: 'incident-restore', plan: PLAN, by: USER } },
    take('take', { missing: [] }),
    ...(done.length === 0 ? [] : [take('take, replan', { missing: done, lost: 'replan' })]),
  ];
}

/** After a person took the branch as it is, it is cadre's again. */
export function branchAfter(ghost: Ghost, record: JournalRecord): Ghost {
  if (record.event !== 'incident_ended' || record.how !== 'taken') return ghost;
  return record.branch === 'main' ? { ...ghost, base: 'ours' } : { ...ghost, branch: 'ours' };
}

export interface IncidentChecked {
  readonly line: JournalRecord;
  readonly entry: PlanEntry;
  readonly next: PlanEntry;
  /** Before the record. */
  readonly ghost: Ghost;
  readonly must: (holds: boolean, otherwise: string) => void;
}

/** What a record must not do. */
export function incidentRecord({ line, entry, next, ghost, must }: IncidentChecked): void {
  const [before, after] = [entry.work, next.work];
  if (before === undefined || after === undefined) return;
  tipRecord({ line, entry, next, ghost, must });
  for (const move of line.moves)
    if (move.machine === 'plan' && move.event === 'review_approved') {
      must(before.incident === null, 'C30 approved during an incident');
      must(before.tip === null || ghost.branch === 'ours', 'C30 approved although the branch is elsewhere');
    }
  if (before.incident !== null) {
    for (const effect of line.effects ?? []) {
      const isReview = effect.do === 'start-session' && effect.turn === 'review-all';
      must(
        !['worktree', 'merge', 'land'].includes(effect.do) && !isReview,
        `C30 ${effect.do} issued during an incident`,
      );
    }
    must(line.event !== 'move_intended', 'C30 a branch moves during an incident');
  }
  for (const effect of line.effects ?? [])
    if (effect.do === 'set-branch' && line.event === 'incident_restoring')
      must(effect.to === before.tip, 'C11 the branch is restored without what was merged');
  if (line.event === 'incident_ended' && line.how !== 'taken')
    must((line.branch === 'main' ? ghost.base : ghost.branch) === 'ours', 'C30 an incident ends without a person');
  if (line.event === 'incident_ended' && line.how === 'taken')
    must(line.by === 'user', 'C30 an incident without a person');
  if (line.event !== 'incident') return;
  must((line.incident.of === 'base' ? ghost.base : ghost.branch) !== 'ours', 'C30 an incident that nobody caused');
  attemptsKept({ line, entry, next, ghost, must });
}

/** The journal's commit changes by cadre's own moves and by a person's word. */
function tipRecord({ line, entry, next, must }: IncidentChecked): void {
  const [before, after] = [entry.work, next.work];
  if (before?.tip === after?.tip) return;
  const isOwn = before?.moving?.to === after?.tip && ['merged', 'branch_moved'].includes(line.event);
  const isTaken = line.event === 'incident_ended' && line.by === 'user';
  must(isOwn || isTaken || line.event === 'start_over', 'C30 the journal follows the branch');
}

function attemptsKept({ entry, next, must }: IncidentChecked): void {
  for (const { id, run } of entry.tasks) {
    const after = next.tasks.find((task) => task.id === id)?.run;
    if (run === undefined || after === undefined) continue;
    const isWithdrawn = run.issued?.do === 'merge' && after.issued === null;
    const attempts = run.counts.mergeAttempts - (isWithdrawn ? 1 : 0);
    must(after.counts.mergeAttempts === attempts, 'C30 an incident costs a merge attempt');
    must(after.counts.turns === run.counts.turns && after.state === run.state, 'C30 an incident costs a turn');
  }
}

/** While a worktree is not linked as git did it: nobody works there, nothing is issued for it, and it costs nothing. */
export function worktreeRecord({ line, entry, next, ghost, must }: IncidentChecked): void {
  for (const { id, run } of entry.tasks) {
    const after = next.tasks.find((task) => task.id === id)?.run;
    if (run === undefined || after === undefined || run.attempt !== after.attempt) continue;
    if (line.event === 'worktree_changed') {
      must(ghost.link !== 'ours', 'C30 an incident of a worktree that nobody changed');
      attemptsKept({ line, entry, next, ghost, must });
    }
    if (line.event === 'worktree_restored' || line.event === 'worktree_change_undone')
      must(ghost.link === 'ours', 'C30 the incident of a worktree ends although its link is changed');
    if (run.incident == null || !isLive(run)) continue;
    for (const effect of line.effects ?? []) {
      const isOurs = 'task' in effect ? effect.task === id : line.event === 'session_begun' && line.begun.task === id;
      const isWork = ['verify', 'merge', 'start-session', 'nudge'].includes(effect.do);
      must(!isOurs || !isWork, `C30 ${effect.do} issued for a run whose worktree is changed`);
    }
    must(line.by !== 'agent' || !('task' in line) || line.task !== id, 'C31 a signal from a changed worktree counts');
    const isSame = JSON.stringify(run.counts) === JSON.stringify(after.counts);
    must(isSame || line.by === 'user', `C30 ${line.event} counts while the worktree is changed`);
  }
}

/** What must hold in every settled world. */
export function incidentWorld(world: World, entry: PlanEntry, must: IncidentChecked['must']): void {
  const { work } = entry;
  for (const { id, run } of entry.tasks) {
    if (!isLive(run) || run.incident == null) continue;
    for (const { task, wanted, ended, failure } of world.sessions.values()) {
      const isOver = wanted !== 'running' || ended !== undefined || failure !== undefined;
      must(task !== id || isOver, 'C31 an agent runs in a changed worktree');
    }
    must(run.issued === null, 'C30 something is pending for a run whose worktree is changed');
  }
  if (work?.incident == null) return;
  // A move that was intended before the base moved may have happened, and is completed.
  must(work.moving === null || work.incident.of === 'base', 'C30 a move is pending during an incident');
  const isPending = entry.tasks.some(
    ({ run }) => run?.issued?.do === 'merge' && run.issued.effect !== work.moving?.effect,
  );
  must(!isPending, 'C30 a merge is pending during an incident');
  for (const { reviews, wanted } of world.sessions.values())
    must(reviews !== true || wanted !== 'running', 'C31 a plan reviewer runs during an incident');
}

/** The engine is restoring the worktree. */
export function isBeingRelinked({ outbox }: World, { incident }: RunEntry): boolean {
  return incident != null && outbox.has(incident.restoring ?? '');
}

/** The engine is moving the branch back, or a person has to say what holds. */
export function isWaitingForBranch({ outbox }: World, { work }: PlanEntry): boolean {
  return work?.incident != null && outbox.has(work.incident.restoring ?? '');
}
