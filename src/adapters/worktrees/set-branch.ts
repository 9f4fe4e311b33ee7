// Moves the plan's branch where a person, or the journal, wants it: also back, and also away. What it had is pinned first.
import { type Commit, short } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import type { SetAnswer, SetRequest } from '../../core/ports/merging.ts';
import { branchOf, type PlanFile } from '../../plan/name.ts';
import { showText } from '../../text/show.ts';
import { foundPins, tipPin } from '../git/cadre-refs.ts';
import { checkoutOf } from '../git/checked-out.ts';
import { type GitRepo, NO_LOCKS } from '../git/git.ts';
import { findBranch, hasCommit } from '../git/history.ts';
import type { BranchMover } from './move-branch.ts';

export async function setPlanBranch(repo: BranchMover, request: SetRequest): Promise<SetAnswer> {
  const { plan, from, to, keep } = request;
  const branch = branchOf(plan);
  if (keep !== null) await pinFound(repo, plan, keep);
  repo.reached('set.pin');
  const now = (await findBranch(repo, branch)) ?? null;
  if (now !== from && now !== to) return { kind: 'moved', tip: now ?? undefined };
  if (to !== null && !(await hasCommit(repo, to)))
    throw new Failure(
      'person',
      'git-failed',
      `The commit ${to} of ${branch} no longer exists in ${showText(repo.root)}.`,
    );
  if (now !== to) {
    const checkout = await checkoutOf(repo, branch);
    if (checkout !== undefined) return occupied(branch, checkout.path);
  }
  await repo.git.must(repo.root, ['update-ref', '--no-deref', '-m', 'cadre: restored', '--stdin'], {
    input: transaction(request, now),
  });
  repo.reached('set.ref');
  return { kind: 'set' };
}

function occupied(branch: string, path: string): SetAnswer {
  const why = `${branch} is checked out in ${showText(path)}. Switch to another branch there, then try again.`;
  return { kind: 'occupied', path, why };
}

function transaction({ plan, to }: SetRequest, now: Commit | null): string {
  const ref = `refs/heads/${branchOf(plan)}`;
  if (to === null) return now === null ? '' : `delete ${ref} ${now}\n`;
  const pin = `update ${tipPin(plan)} ${to}\n`;
  if (now === to) return pin;
  return `${pin}${now === null ? `create ${ref} ${to}` : `update ${ref} ${to} ${now}`}\n`;
}

/** Once, however often it is asked for. */
async function pinFound({ git, root }: GitRepo, plan: PlanFile, commit: Commit): Promise<void> {
  const format = '--format=%(objectname) %(refname)';
  const listed = await git.must(root, ['for-each-ref', format, `${foundPins(plan)}/`], { env: NO_LOCKS });
  const pins = listed.split('\n').filter((line) => line !== '');
  if (pins.some((line) => line.startsWith(`${commit} `))) return;
  const last = Math.max(0, ...pins.map((line) => Number(/\d+$/.exec(line)?.[0] ?? 0)));
  const why = `${branchOf(plan)} was at ${short(commit)}, and a person decided otherwise.`;
  await git.must(root, [
    'update-ref',
    '--no-deref',
    '--create-reflog',
    '-m',
    why,
    `${foundPins(plan)}/${last + 1}`,
    commit,
    '',
  ]);
}
