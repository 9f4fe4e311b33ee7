// The plan's branch: created at its base, and dropped when the plan starts over.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import type { PlanBranch, RenewOutcome } from '../../core/ports/worktrees.ts';
import { branchOf, type PlanFile } from '../../plan/name.ts';
import { showName, showText } from '../../text/show.ts';
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
  // Tomorrow the person may have another branch checked out; the plan still lands on this one.
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

/** A branch that only the remote has will do as well. */
export function branchRefs(branch: string): readonly string[] {
  return [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
}

/** The branch of the main checkout. If that is detached, or on a branch of cadre's: the remote's default branch. */
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
    `${root} has no branch checked out that a plan can start from. Set "base_branch" in cadre.json, then try again.`,
  );
}

async function symbolic(repo: GitRepo, ref: string, start: string): Promise<string | undefined> {
  const target = targetInFile(repo.gitFolder, ref) ?? (await targetFromGit(repo, ref));
  return target?.startsWith(start) ? target.slice(start.length) : undefined;
}

/** Reads the ref's own file, which saves starting git. */
function targetInFile(gitFolder: string, ref: string): string | undefined {
  try {
    const [, target] = /^ref: (refs\/.+)\n$/.exec(readFileSync(join(gitFolder, ref), 'utf8')) ?? [];
    return target === 'refs/heads/.invalid' ? undefined : target;
  } catch {
    return undefined;
  }
}

async function targetFromGit({ git, root }: GitRepo, ref: string): Promise<string | undefined> {
  const answer = await git.ask(root, ['symbolic-ref', '--quiet', ref], { env: NO_LOCKS });
  return answer.exitCode === 0 ? answer.stdout.trim() : undefined;
}

function noBase(root: string, name: string, isConfigured: boolean): Failure {
  if (isConfigured)
    return new Failure(
      'usage',
      'no-base',
      `The branch "${showName(name)}" does not exist; it is set as "base_branch" in cadre.json. Create it, or set another.`,
    );
  return new Failure(
    'usage',
    'no-commit',
    `${root} has no commit yet, so a branch cannot start from one. Commit something first.`,
  );
}

/** Pins and deletes the branch in one transaction, once per generation: the next generation's branch is a new one. */
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
  const checkout = await checkoutOf(repo, branch);
  if (checkout !== undefined)
    return {
      kind: 'occupied',
      path: checkout.path,
      why: `${branch} is checked out in ${showText(checkout.path)}, so it cannot be restarted. Switch to another branch there.`,
    };
  await git.must(root, ['update-ref', '--stdin'], { input: `create ${pin} ${tip}\ndelete ${ref} ${tip}\n` });
  reached('renew.ref');
  return { kind: 'renewed', pinned: tip };
}
