// The plan's branch: what it starts from, where it is, and how it is dropped when the plan starts over.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import type { FoundBase, RenewOutcome } from '../../core/ports/worktrees.ts';
import { branchOf, type PlanFile } from '../../plan/name.ts';
import { showName, showText } from '../../text/show.ts';
import type { Reached } from '../system/failpoints.ts';
import { landingRef, planPin } from './cadre-refs.ts';
import { checkoutOf } from './checked-out.ts';
import { type GitRepo, NO_LOCKS, resolveRefs } from './git.ts';

/** The branch that a plan starts from and lands on. `branch`: the one that is configured or recorded. */
export async function baseOfPlan(repo: GitRepo, plan: PlanFile, branch: string | undefined): Promise<FoundBase> {
  const name = branch ?? (await symbolic(repo, landingRef(plan), 'refs/heads/')) ?? (await baseBranch(repo));
  return (await findBase(repo, name)) ?? noBase(repo.root, name, branch !== undefined);
}

export async function findBase({ git, root }: GitRepo, branch: string): Promise<FoundBase | undefined> {
  const found = await resolveRefs(git, root, branchRefs(branch));
  for (const ref of branchRefs(branch)) {
    const commit = found.get(ref);
    if (commit !== undefined) return { branch, commit, name: ref.replace(/^refs\/(?:heads|remotes)\//, '') };
  }
  return undefined;
}

export async function planTip({ git, root }: GitRepo, plan: PlanFile): Promise<Commit | undefined> {
  const ref = `refs/heads/${branchOf(plan)}`;
  return (await resolveRefs(git, root, [ref])).get(ref);
}

/** A branch that only the remote has will do as well. */
function branchRefs(branch: string): readonly string[] {
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

function noBase(root: string, name: string, isNamed: boolean): never {
  if (isNamed)
    throw new Failure(
      'usage',
      'no-base',
      `The base branch "${showName(name)}" does not exist. Create it, or set "base_branch" in cadre.json to another.`,
    );
  throw new Failure(
    'usage',
    'no-commit',
    `${root} has no commit yet, so a branch cannot start from one. Commit something first.`,
  );
}

/** Where git looks for a name before it looks among the branches. */
export async function shadowOf({ git, root, gitFolder }: GitRepo, plan: PlanFile): Promise<string | undefined> {
  const branch = branchOf(plan);
  if (existsSync(join(gitFolder, branch))) return join(gitFolder, branch);
  const refs = [`refs/${branch}`, `refs/tags/${branch}`];
  const found = await git.resolve(root, refs);
  return refs.find((_ref, at) => found[at] !== undefined);
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
  const words = ['update-ref', '--no-deref', '--create-reflog', '-m', 'The plan was started over.', '--stdin'];
  await git.must(root, words, { input: `create ${pin} ${tip}\ndelete ${ref} ${tip}\n` });
  reached('renew.ref');
  return { kind: 'renewed', pinned: tip };
}
