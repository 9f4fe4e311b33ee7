// What a reviewer reads instead of searching the repository: commits, files and changes, made from the commits under review.
import type { Commit } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import type { RunEntry } from '../../core/model/run.ts';
import type { PlanEntry } from '../../core/model/world.ts';
import type { Changes, CommitRange } from '../../core/ports/changes.ts';
import type { PackageTexts } from '../../core/views/prompts/turn-prompt.ts';

/** All of it is about commits that the journal has: while somebody reviews, an agent could move a branch to hide changes. */
export type PackagePorts = Pick<Changes, 'between' | 'commits' | 'text'>;

/** For the reviewers of a task. Undefined where git cannot say; the reviewer then asks git itself. */
export async function runPackage(
  changes: PackagePorts,
  { work }: PlanEntry,
  run: RunEntry,
): Promise<PackageTexts | undefined> {
  const { pinned } = run;
  const onto = work?.tip ?? run.base;
  if (pinned === null || onto === null) return undefined;
  return unlessGitFails(async () => packageOf(changes, await changes.between(onto, pinned), lastLooked(run)));
}

/** The commit of the last review of the present stage. In older journals, the one in which changes were asked for. */
function lastLooked({ looked, stage, asked }: RunEntry): Commit | null {
  return looked?.[stage ?? 'spec'] ?? (looked === undefined ? (asked?.commit ?? null) : null);
}

/** For the reviewer of the whole plan: `tip` is the commit under review. */
export async function planPackage(
  changes: PackagePorts,
  { work }: PlanEntry,
  tip: Commit,
): Promise<PackageTexts | undefined> {
  const base = work?.base?.commit;
  if (base === undefined) return undefined;
  return unlessGitFails(async () => packageOf(changes, await changes.between(base, tip), work?.looked ?? null));
}

async function unlessGitFails(made: () => Promise<PackageTexts | undefined>): Promise<PackageTexts | undefined> {
  try {
    return await made();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

type Ends = Pick<CommitRange, 'from' | 'to'>;

/** `looked`: the commit that was reviewed last. */
async function packageOf(changes: PackagePorts, ends: Ends, looked: Commit | null): Promise<PackageTexts> {
  const isAgain = looked !== null && looked !== ends.to;
  const since = isAgain ? await written(changes, { from: looked, to: ends.to }, 'the last review, which was of') : null;
  return { whole: await written(changes, ends, 'where the work started,'), since };
}

async function written(changes: PackagePorts, { from, to }: Ends, since: string): Promise<string> {
  const range: CommitRange = { from, to, merged: false };
  const [commits, files, patch] = await Promise.all([
    changes.commits(range),
    changes.text(range, 'stat'),
    changes.text(range, 'review'),
  ]);
  return [
    `# Changes up to commit ${to}`,
    `Since ${since} commit ${from}.`,
    '## Commits, newest first',
    commits.map(({ commit, subject }) => `- ${commit.slice(0, 10)} ${subject}`).join('\n') || 'None.',
    '## Files',
    fenced(files),
    '## Changes',
    fenced(patch),
    '',
  ].join('\n\n');
}

/** Longer than any fence in the changes. */
function fenced(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${text.trimEnd()}\n${fence}`;
}
