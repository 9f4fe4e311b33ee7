// What is left of runs and plan reviews that are over: worktrees, branches, pins, moved files and output.
import { type PlanFile, planFile } from '../../../plan/name.ts';
import { endingReason } from '../../journal/run-endings.ts';
import type { Commit } from '../../model/commit.ts';
import {
  branchOfRun,
  MERGED_TREE,
  parseRunName,
  REVIEW_TREE,
  type RunName,
  type Tree,
  treeName,
} from '../../model/run-name.ts';
import type { LeftBranch, LeftPart } from '../../ports/cleanup.ts';
import type { Kept } from '../../ports/kept.ts';
import { placeIn } from './of-sessions.ts';
import { type Candidate, type GarbageSituation, isOld, isUp } from './situation.ts';

export function runGarbage(situation: GarbageSituation): readonly Candidate[] {
  const { left } = situation;
  return [
    ...left.trees.flatMap((tree) => worktree(situation, tree)),
    ...left.branches.flatMap((branch) => runBranch(situation, branch)),
    ...left.kept.flatMap((kept) => keptWork(situation, kept)),
    ...left.outputs.flatMap((output) => outputOf(situation, output)),
  ];
}

interface Over {
  readonly plan: PlanFile;
  readonly at: string;
  readonly why: string;
  readonly merged: Commit | null;
}

/** A run that has ended, or the review of a plan that is done or cancelled. Undefined for what may still be needed. */
function overOf(situation: GarbageSituation, { plan: slug, part }: LeftPart): Over | undefined {
  const plan = planFile(`${slug}.md`);
  if (plan === undefined) return undefined;
  const run = parseRunName(part);
  if (run !== undefined) return endedRun(situation, plan, run);
  return part === REVIEW_TREE || part === MERGED_TREE ? endedReview(situation, plan) : undefined;
}

/** The number of an attempt is never used again, so a run that has ended stays ended. */
function endedRun({ world, endings }: GarbageSituation, plan: PlanFile, run: RunName): Over | undefined {
  const branch = branchOfRun(plan, run);
  const ending = endings.get(branch);
  const isCurrent = world.plans
    .get(plan)
    ?.tasks.some((task) => task.run?.branch === branch && task.run.state !== 'DONE');
  const isWanted = [...world.outbox.values()].some((effect) => 'branch' in effect && effect.branch === branch);
  if (ending === undefined || isCurrent || isWanted) return undefined;
  return { plan, at: ending.at, why: endingReason(ending), merged: ending.merged };
}

function endedReview({ world }: GarbageSituation, plan: PlanFile): Over | undefined {
  const entry = world.plans.get(plan);
  if (entry?.status !== 'done' && entry?.status !== 'cancelled') return undefined;
  const isWanted = [...world.outbox.values()].some((effect) => 'plan' in effect && effect.plan === plan);
  const isReviewed = [...world.sessions.values()].some((one) => one.plan === plan && one.reviews === true && isUp(one));
  return isWanted || isReviewed
    ? undefined
    : { plan, at: entry.since, why: `The plan is ${entry.status}.`, merged: null };
}

/** One that is over, and has been for long enough. */
function oldOver(situation: GarbageSituation, part: LeftPart): Over | undefined {
  const over = overOf(situation, part);
  return over !== undefined && isOld(situation, over.at) ? over : undefined;
}

function worktree(situation: GarbageSituation, left: LeftPart): readonly Candidate[] {
  const over = oldOver(situation, left);
  const tree = over === undefined ? undefined : treeOf(over.plan, left.part);
  if (over === undefined || tree === undefined) return [];
  const { at, why } = over;
  const id = `worktrees/${left.plan}/${left.part}`;
  return [{ item: { kind: 'worktrees', id, at, why, remove: { kind: 'worktree', tree } }, isOnly: false }];
}

function treeOf(plan: PlanFile, part: string): Tree | undefined {
  const name = treeName(part);
  return name === undefined ? undefined : { plan, name };
}

/** What is on it alone is pinned before it goes, unless that is to go as well. */
function runBranch(situation: GarbageSituation, left: LeftBranch): readonly Candidate[] {
  const over = oldOver(situation, left);
  if (over === undefined || parseRunName(left.part) === undefined) return [];
  const { branch, commit, part, isElsewhere } = left;
  const isSafe = isElsewhere || over.merged === commit || situation.unmerged;
  const pinFor = isSafe ? null : (treeOf(over.plan, part) ?? null);
  const remove = { kind: 'branch', branch, commit, pinFor } as const;
  return [{ item: { kind: 'branches', id: branch, at: over.at, why: over.why, remove }, isOnly: false }];
}

function keptWork(situation: GarbageSituation, kept: Kept): readonly Candidate[] {
  if (kept.kind === 'commit' && kept.range === undefined) return [];
  const over = mayGo(situation, kept);
  const at = over === undefined ? null : later(kept.at, over.at);
  if (over === undefined || !isOld(situation, at)) return [];
  const why = over.why === '' ? (kept.why ?? '') : over.why;
  if (kept.kind === 'files') {
    const remove = { kind: 'files', folder: kept.folder } as const;
    return [{ item: { kind: 'files', id: kept.id, at, why, remove }, isOnly: true }];
  }
  const remove = { kind: 'pin', ref: kept.ref, commit: kept.commit } as const;
  const isOnly = !kept.isElsewhere && over.merged !== kept.commit;
  return [{ item: { kind: 'pins', id: kept.id, at, why, remove }, isOnly }];
}

/** What was kept of a run that is over, or of a plan that is known: its branch, and what others put on it. */
function mayGo(
  situation: GarbageSituation,
  kept: Kept,
): (Pick<Over, 'why' | 'merged'> & { readonly at: string | null }) | undefined {
  if (parseRunName(kept.part) !== undefined) return overOf(situation, kept);
  const plan = planFile(`${kept.plan}.md`);
  const isKnown = (plan !== undefined && situation.world.plans.has(plan)) || placeIn(situation, kept) !== undefined;
  return isKnown ? { at: null, why: '', merged: null } : undefined;
}

/** Null if neither is known. */
function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one) > Date.parse(other) ? one : other;
}

function outputOf(situation: GarbageSituation, left: LeftPart): readonly Candidate[] {
  const over = oldOver(situation, left);
  if (over === undefined) return [];
  const { plan, part } = left;
  const remove = { kind: 'output', plan, part } as const;
  return [{ item: { kind: 'output', id: `runs/${plan}/${part}`, at: over.at, why: over.why, remove }, isOnly: false }];
}
