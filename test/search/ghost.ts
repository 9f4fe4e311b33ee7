// What really happened to each commit, derived from the records alone, to check the world against.
import type { JournalRecord } from '../../src/core/model/record.ts';
import { PLAN } from '../support/world.ts';
import { branchAfter } from './incidents.ts';

/** For the current run of a task: the commit that was last pinned, and what is known about that commit. */
export interface Evidence {
  readonly pin: string | null;
  readonly approvedPlan: boolean;
  readonly verified: boolean;
  readonly overridden: boolean;
  readonly spec: boolean;
  readonly quality: boolean;
}

export interface Ghost {
  readonly seen: Readonly<Record<string, Evidence>>;
  /** Tasks whose merge is on the plan branch. */
  readonly landed: ReadonlySet<string>;
  /** Where the plan branch really is: where cadre left it, at another commit, or nowhere. */
  readonly branch: 'ours' | 'foreign' | 'gone';
  /** Whether the base branch still contains the commit that the plan is based on. */
  readonly base: 'ours' | 'foreign';
  /** Whether the worktree of the task's run is linked to the repository as git did it. */
  readonly link: 'ours' | 'foreign';
}

const NOTHING: Evidence = {
  pin: null,
  approvedPlan: false,
  verified: false,
  overridden: false,
  spec: false,
  quality: false,
};

export const NO_GHOST: Ghost = { seen: {}, landed: new Set(), branch: 'ours', base: 'ours', link: 'ours' };

export function evidenceOf(ghost: Ghost, task: string): Evidence {
  return ghost.seen[task] ?? NOTHING;
}

export function afterRecord(ghost: Ghost, record: JournalRecord): Ghost {
  if (record.event === 'start_over') return NO_GHOST;
  // A launch makes another worktree.
  let next = { ...branchAfter(ghost, record), ...(record.event === 'launch' ? { link: 'ours' as const } : {}) };
  if (record.event === 'stage_passed') next = withSeen(next, record.task, { spec: true });
  for (const move of record.moves) {
    if (move.machine === 'plan' || move.machine === 'workshop') continue;
    next = withSeen(next, move.task, afterMove(evidenceOf(next, move.task), move, record));
  }
  return next;
}

function withSeen(ghost: Ghost, task: string, part: Partial<Evidence>): Ghost {
  return { ...ghost, seen: { ...ghost.seen, [task]: { ...evidenceOf(ghost, task), ...part } } };
}

function afterMove(
  before: Evidence,
  move: Exclude<JournalRecord['moves'][number], { machine: 'plan' }>,
  record: JournalRecord,
): Evidence {
  if (move.machine === 'task') return move.event === 'launch' || move.event === 'replan' ? NOTHING : before;
  switch (move.event) {
    case 'code_complete':
    case 'fix_done':
    case 'escalate': {
      const pin = pinnedBy(record);
      // An override stays valid for the same commit.
      const overridden = before.overridden && pin === before.pin;
      return { ...before, pin, overridden, verified: false, spec: false, quality: false };
    }
    case 'tests_pass':
      return { ...before, verified: true };
    case 'approve':
      if (move.from === 'PLAN_REVIEW') return { ...before, approvedPlan: true };
      return { ...before, quality: true, overridden: before.overridden || (record.by === 'user' && !before.verified) };
    default:
      return before;
  }
}

function pinnedBy(record: JournalRecord): string | null {
  for (const change of record.changes ?? [])
    if (change.of === 'run' && change.plan === PLAN) return change.change?.pinned ?? null;
  return null;
}

/** Keeps only what belongs to unsettled tasks. */
export function forgetSettled(ghost: Ghost, atWork: ReadonlySet<string>): Ghost {
  const kept = Object.entries(ghost.seen).filter(([task]) => atWork.has(task));
  const landed = new Set([...ghost.landed].filter((task) => atWork.has(task)));
  return { ...ghost, seen: Object.fromEntries(kept), landed, ...(atWork.size === 0 ? { link: 'ours' } : {}) };
}

export function ghostEssence({ seen, landed, branch, base, link }: Ghost): string {
  return JSON.stringify([Object.entries(seen).toSorted(), [...landed].toSorted(), branch, base, link]);
}
