// The plan's branch: where it begins, and how it is let go of when a plan starts over.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import type { PlanBranch, RenewOutcome } from '../../core/ports/worktrees.ts';
import { branchOf, type PlanFile } from '../../plan/name.ts';
import { showName } from '../../text/show.ts';
import type { Reached } from '../system/failpoints.ts';
import { landingRef, planPin } from './cadre-refs.ts';
import { checkoutOf } from './checked-out.ts';
import { type GitRepo, NO_LOCKS, resolveRefs } from './git.ts';

export async function ensurePlanBranch(
  repo: GitRepo,
  plan: PlanFile,
  configured: string | undefined,
): Promise<PlanBranch> {
  const { git, root } = repo;
  const branch = branchOf(plan);
  const ref = `refs/heads/${branch}`;
  const remembered = configured === undefined ? await symbolic(repo, landingRef(plan), 'refs/heads/') : undefined;
  const name = configured ?? remembered ?? (await baseBranch(repo));
  // Tomorrow the person may be on another branch, which is none of this plan's business.
  if (configured === undefined && remembered === undefined)
    await git.must(root, ['symbolic-ref', landingRef(plan), `refs/heads/${name}`]);
  const found = await resolveRefs(git, root, [ref, ...branchRefs(name)]);
  const base = branchRefs(name)
    .map((one) => found.get(one))
    .find((commit) => commit !== undefined);
  const tip = found.get(ref);
  if (tip !== undefined) return { branch, tip, base: name };
  if (base === undefined) throw noBase(root, name, configured !== undefined);
  await git.must(root, ['update-ref', ref, base, '']);
  return { branch, tip: base, base: name };
}

export async function planTip({ git, root }: GitRepo, plan: PlanFile): Promise<Commit | undefined> {
  const ref = `refs/heads/${branchOf(plan)}`;
  return (await resolveRefs(git, root, [ref])).get(ref);
}

/** A branch that is known only from where the repository was cloned from is as good a beginning. */
export function branchRefs(branch: string): readonly string[] {
  return [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
}

/** What the main checkout is on; where that is no branch, or one of cadre's, what people clone. */
async function baseBranch(repo: GitRepo): Promise<string> {
  const { git, root } = repo;
  const current = await symbolic(repo, 'HEAD', 'refs/heads/');
  if (current !== undefined && !/^(?:plan|cadre)\//.test(current)) return current;
  const cloned = await symbolic(repo, 'refs/remotes/origin/HEAD', 'refs/remotes/origin/');
  if (cloned !== undefined) return cloned;
  const usual = ['main', 'master', 'trunk'];
  const found = await resolveRefs(
    git,
    root,
    usual.map((name) => `refs/heads/${name}`),
  );
  const first = usual.find((name) => found.has(`refs/heads/${name}`));
  if (first !== undefined) return first;
  throw new Failure(
    'usage',
    'no-base',
    `${root} is on no branch that a plan could begin from. Name one as "base_branch" in cadre.json, then try again.`,
  );
}

async function symbolic(repo: GitRepo, ref: string, start: string): Promise<string | undefined> {
  const target = plainTarget(repo.gitFolder, ref) ?? (await askedTarget(repo, ref));
  return target?.startsWith(start) ? target.slice(start.length) : undefined;
}

/** Where a ref points to, without starting git where it is plain to see. */
function plainTarget(gitFolder: string, ref: string): string | undefined {
  try {
    const [, target] = /^ref: (refs\/.+)\n$/.exec(readFileSync(join(gitFolder, ref), 'utf8')) ?? [];
    return target === 'refs/heads/.invalid' ? undefined : target;
  } catch {
    return undefined;
  }
}

async function askedTarget({ git, root }: GitRepo, ref: string): Promise<string | undefined> {
  const answer = await git.ask(root, ['symbolic-ref', '--quiet', ref], { env: NO_LOCKS });
  return answer.exitCode === 0 ? answer.stdout.trim() : undefined;
}

function noBase(root: string, name: string, isConfigured: boolean): Failure {
  if (isConfigured)
    return new Failure(
      'usage',
      'no-base',
      `There is no branch "${showName(name)}", which "base_branch" in cadre.json names. Make it, or name another.`,
    );
  return new Failure(
    'usage',
    'no-commit',
    `${root} has no commit yet, so no branch can begin from one. Commit something.`,
  );
}

/** Pinned and gone in one step of git's, and only once for a generation: the next branch is not this one's business. */
export async function dropPlanBranch(
  repo: GitRepo & { readonly reached: Reached },
  plan: PlanFile,
  generation: number,
): Promise<RenewOutcome> {
  const { git, root, reached } = repo;
  const branch = branchOf(plan);
  const [ref, pin] = [`refs/heads/${branch}`, planPin(plan, generation)];
  const found = await resolveRefs(git, root, [ref, pin]);
  const [tip, pinned] = [found.get(ref), found.get(pin)];
  if (pinned !== undefined || tip === undefined) return { kind: 'renewed', pinned };
  const occupant = await checkoutOf(repo, branch);
  if (occupant !== undefined)
    return {
      kind: 'occupied',
      path: occupant.path,
      why: `${branch} is checked out in ${occupant.path}, so it cannot begin anew. Switch to another branch there.`,
    };
  await git.must(root, ['update-ref', '--stdin'], { input: `create ${pin} ${tip}\ndelete ${ref} ${tip}\n` });
  reached('renew.ref');
  return { kind: 'renewed', pinned: tip };
}
