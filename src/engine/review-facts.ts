// What git says about the commits that reviews of a task were about, compared with the commit that its branch is at.
import type { Commit } from '../core/model/commit.ts';
import { Failure } from '../core/model/failure.ts';
import { openFindings } from '../core/model/review/finding.ts';
import type { LandingFacts, WorktreeFacts } from '../core/model/run.ts';
import type { PlanEntry, TaskEntry } from '../core/model/world.ts';
import type { RunWorktrees } from '../core/ports/worktrees.ts';
import { fileOfPlace } from '../core/rules/run/findings.ts';

type ReviewFacts = Pick<WorktreeFacts, 'same' | 'changed' | 'since'>;

/** The same for the review of a whole plan, whose branch is at `tip`. */
export async function planReviewFacts(
  trees: Pick<RunWorktrees, 'changed'>,
  entry: PlanEntry,
  tip: Commit,
): Promise<Pick<LandingFacts, 'changed' | 'since'>> {
  const looked = entry.work?.looked ?? null;
  const demands = openFindings(entry).filter(({ demand, place }) => demand === true && place !== undefined);
  const since = looked === null ? undefined : await filesBetween(trees, looked, tip);
  const changed = await Promise.all(
    demands.map(async ({ id, commit, place = '' }) => {
      const files = commit === null ? undefined : await filesBetween(trees, commit, tip);
      return files?.includes(fileOfPlace(place)) === true ? [id] : [];
    }),
  );
  return {
    ...(since === undefined ? {} : { since }),
    ...(demands.length === 0 ? {} : { changed: changed.flat() }),
  };
}

/** Nothing where no review has been taken. What git cannot say is left out, and then nothing follows from it. */
export async function reviewFacts(
  trees: Pick<RunWorktrees, 'changed'>,
  task: TaskEntry | undefined,
  head: Commit,
): Promise<ReviewFacts> {
  if (task === undefined) return {};
  const { run } = task;
  const looked = Object.values(run?.looked ?? {});
  const open = openFindings(task);
  const commits = [...new Set([...looked, ...open.flatMap(({ commit }) => commit ?? [])])];
  if (commits.length === 0) return {};
  const found = await Promise.all(commits.map(async (one) => [one, await filesBetween(trees, one, head)] as const));
  const files = new Map(found);
  const stage = run?.state === 'CODE_REVIEW' ? (run.stage ?? 'spec') : undefined;
  const last = stage === undefined ? undefined : run?.looked?.[stage];
  const since = last === undefined ? undefined : files.get(last);
  const changed = open.filter(
    ({ demand, place, commit }) =>
      demand === true && place !== undefined && files.get(commit ?? '')?.includes(fileOfPlace(place)) === true,
  );
  return {
    same: commits.filter((commit) => commit !== head && files.get(commit)?.length === 0),
    changed: changed.map(({ id }) => id),
    ...(since === undefined ? {} : { since }),
  };
}

async function filesBetween(
  trees: Pick<RunWorktrees, 'changed'>,
  from: Commit,
  to: Commit,
): Promise<readonly string[] | undefined> {
  if (from === to) return [];
  try {
    return await trees.changed(from, to);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
