// What is checked before a plan is built: programs, the verify command, the base branch, pull requests.
import { headCommit, type Repo } from '../adapters/repo/repo.ts';
import { isInstalled } from '../adapters/system/exec.ts';
import type { Runs } from '../adapters/worktrees/open-runs.ts';
import type { Preflight, RunOptions } from '../app/ports.ts';
import { Failure } from '../core/model/failure.ts';
import { suggest } from '../core/model/suggestion.ts';
import type { Policy, VerifyPolicy } from '../core/settings/policy.ts';
import { policyFrom, type Surroundings } from '../core/settings/policy-from.ts';
import type { Settings } from '../core/settings/settings.ts';
import { quoteForShell } from '../text/shell.ts';

type Problem = Preflight['problem'];

export interface Situation {
  readonly repo: Repo;
  readonly env: NodeJS.ProcessEnv;
  readonly runs: Runs;
  readonly settings: Settings;
}

export async function preflight(situation: Situation, options: RunOptions): Promise<Preflight> {
  const { runs, settings } = situation;
  const { policy, warnings } = policyFrom(settings, surroundings(situation));
  const maxParallel = options.maxParallel ?? policy.maxParallel;
  const missing = missingProgram(situation, policy);
  const verification = verificationOf(situation);
  const noPulls = settings.task_merge === 'pr' || settings.land === 'pr' ? await runs.pulls.problem() : undefined;
  const problem = missing ?? verification.problem ?? baseProblem(situation) ?? pullProblem(settings, noPulls);
  return {
    ...(problem === undefined ? {} : { problem }),
    // A missing program is the problem itself, so a warning about it would only repeat it.
    warnings: [...(missing === undefined ? warnings : []), ...pullWarnings(settings, noPulls)],
    verify: verification.shown,
    programs: programsIn(policy),
    maxParallel,
    policy: { ...policy, maxParallel },
  };
}

/** What the policy depends on besides the settings. */
export function surroundings({ env, runs, settings }: Pick<Situation, 'env' | 'runs' | 'settings'>): Surroundings {
  return { isInstalled: (program) => isInstalled(program, env), verify: verifyPolicy(runs, settings) };
}

/** Null where no command can be found, or the configured one cannot be run. */
function verifyPolicy({ verifier }: Runs, { verify }: Settings): VerifyPolicy | null {
  try {
    const command = verifier.command(verify);
    if (command.kind === 'none') return 'none';
    return command.kind === 'prompt' ? { prompt: command.prompt } : command.words;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

function missingProgram({ env }: Situation, { programs }: Policy): Problem {
  const missing = Object.values(programs).find(({ program }) => !isInstalled(program, env));
  if (missing === undefined) return undefined;
  return {
    code: 'no-program',
    why: `${missing.program} is not installed. Install it, or choose another program.`,
    try: [suggest('config-set', 'default_program', '<program>')],
  };
}

function programsIn({ programs }: Policy): Preflight['programs'] {
  const shown = Object.entries(programs).map(([role, { program, flags }]) => [
    role,
    quoteForShell([program, ...flags]),
  ]);
  return Object.fromEntries(shown);
}

function verificationOf({ runs: { verifier }, settings: { verify } }: Situation): {
  readonly shown: string | null;
  readonly problem?: NonNullable<Problem>;
} {
  try {
    const command = verifier.command(verify);
    if (command.kind === 'prompt') return { shown: `the agent: ${command.prompt}` };
    return { shown: command.kind === 'command' ? quoteForShell(command.words) : null };
  } catch (error) {
    return { shown: null, problem: asProblem(error) };
  }
}

/** Without a base branch in the settings a plan starts from what is checked out, so there must be a commit. */
function baseProblem({ repo, env, settings }: Situation): Problem {
  if (settings.base_branch !== undefined) return undefined;
  try {
    headCommit(repo, env);
    return undefined;
  } catch (error) {
    return asProblem(error);
  }
}

function asProblem(error: unknown): NonNullable<Problem> {
  if (!(error instanceof Failure)) throw error;
  return { code: error.code, why: error.message, try: error.try };
}

/** Without pull requests no task of such a plan could be merged. */
function pullProblem({ task_merge }: Settings, why: string | undefined): Problem {
  if (task_merge !== 'pr' || why === undefined) return undefined;
  return {
    code: 'no-pull-requests',
    why: `"task_merge" is "pr", but ${why}. Fix that, or merge tasks locally.`,
    try: [suggest('config-set', 'task_merge', 'local')],
  };
}

/** Only a warning: the plan lands last, and landing can be retried. */
function pullWarnings({ land, task_merge }: Settings, why: string | undefined): readonly string[] {
  if (land !== 'pr' || task_merge === 'pr' || why === undefined) return [];
  return [`"land" is "pr", but ${why}. Fix that before the plan is done, or land it again afterwards.`];
}
