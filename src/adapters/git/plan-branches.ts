// The plan's branch: where it begins, and how it is let go of when a plan starts over.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import type { PlanBranch, Renewed } from '../../core/ports/worktrees.ts';
import { branchOf, type PlanFile, slugOf } from '../../plan/name.ts';
import { showName } from '../../text/show.ts';
import type { Reached } from '../system/failpoints.ts';
import { occupantOf } from './checked-out.ts';
import { type Git, LOOKING, refsIn } from './git.ts';

export interface BranchPlaces {
  readonly git: Git;
  readonly root: string;
  readonly gitFolder: string;
  readonly reached: Reached;
}

export async function ensurePlanBranch(
  places: BranchPlaces,
  plan: PlanFile,
  configured: string | undefined,
): Promise<PlanBranch> {
  const { git, root } = places;
  const branch = branchOf(plan);
  const ref = `refs/heads/${branch}`;
  const remembered = configured === undefined ? await symbolic(places, landingOf(plan), 'refs/heads/') : undefined;
  const name = configured ?? remembered ?? (await baseBranch(places));
  // Tomorrow the person may be on another branch, which is none of this plan's business.
  if (configured === undefined && remembered === undefined)
    await git.must(root, ['symbolic-ref', landingOf(plan), `refs/heads/${name}`]);
  const found = await refsIn(git, root, [ref, ...refsOf(name)]);
  const base = refsOf(name)
    .map((one) => found.get(one))
    .find((commit) => commit !== undefined);
  const tip = found.get(ref);
  if (tip !== undefined) return { branch, tip, base: name };
  if (base === undefined) throw noBase(root, name, configured !== undefined);
  await git.must(root, ['update-ref', ref, base, '']);
  return { branch, tip: base, base: name };
}

export async function planTip({ git, root }: BranchPlaces, plan: PlanFile): Promise<Commit | undefined> {
  const ref = `refs/heads/${branchOf(plan)}`;
  return (await refsIn(git, root, [ref])).get(ref);
}

/** A ref that points to the branch that the plan began from. */
function landingOf(plan: PlanFile): string {
  return `refs/cadre/landing/${slugOf(plan)}`;
}

/** A branch that is known only from where the repository was cloned from is as good a beginning. */
export function refsOf(branch: string): readonly string[] {
  return [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
}

/** What the main checkout is on; where that is no branch, or one of cadre's, what people clone. */
async function baseBranch(places: BranchPlaces): Promise<string> {
  const { git, root } = places;
  const current = await symbolic(places, 'HEAD', 'refs/heads/');
  if (current !== undefined && !/^(?:plan|cadre)\//.test(current)) return current;
  const cloned = await symbolic(places, 'refs/remotes/origin/HEAD', 'refs/remotes/origin/');
  if (cloned !== undefined) return cloned;
  const usual = ['main', 'master', 'trunk'];
  const found = await refsIn(
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

async function symbolic(places: BranchPlaces, ref: string, start: string): Promise<string | undefined> {
  const target = plainTarget(places.gitFolder, ref) ?? (await askedTarget(places, ref));
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

async function askedTarget({ git, root }: BranchPlaces, ref: string): Promise<string | undefined> {
  const answer = await git.ask(root, ['symbolic-ref', '--quiet', ref], { env: LOOKING });
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
export async function letGo(places: BranchPlaces, plan: PlanFile, generation: number): Promise<Renewed> {
  const { git, root, reached } = places;
  const branch = branchOf(plan);
  const [ref, pin] = [`refs/heads/${branch}`, `refs/cadre/keep/${slugOf(plan)}/plan/${generation}`];
  const found = await refsIn(git, root, [ref, pin]);
  const [tip, pinned] = [found.get(ref), found.get(pin)];
  if (pinned !== undefined || tip === undefined) return { kind: 'renewed', pinned };
  const occupant = await occupantOf(git, root, branch);
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
