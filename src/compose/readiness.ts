// Whether plans can be built here: a commit, programs, the commands of the project, pull requests. `cadre run`, its
// --dry-run, `cadre doctor` and `cadre config check` all ask this.
import { headCommit, type Repo } from '../adapters/repo/repo.ts';
import { isInstalled } from '../adapters/system/exec.ts';
import { wallInForce } from '../adapters/system/wall.ts';
import type { Runs } from '../adapters/worktrees/open-runs.ts';
import type { Check } from '../app/ports.ts';
import { Failure, type FailureCode } from '../core/model/failure.ts';
import { type Suggestion, suggest } from '../core/model/suggestion.ts';
import { type PolicyReading, type PolicySurroundings, policyFrom } from '../core/settings/policy-from.ts';
import { type WallInForce, type Walls, type Wanted, wallWords } from '../core/settings/sandbox.ts';
import type { Settings } from '../core/settings/settings.ts';
import { quoteForShell } from '../text/shell.ts';
import { isSignedIn } from './signed-in.ts';

export interface ReadinessSituation {
  readonly repo: Repo;
  readonly env: NodeJS.ProcessEnv;
  readonly runs: Runs;
  readonly settings: Settings;
}

export interface ReadinessCheck extends Check {
  /** Where the check fails: what `cadre run` fails with. */
  readonly code: FailureCode;
}

export interface Readiness {
  readonly checks: readonly ReadinessCheck[];
  readonly reading: PolicyReading;
  /** The commands as one types them; null where there is none. */
  readonly verify: string | null;
  readonly setup: string | null;
}

/** In the order in which they are worth fixing. */
export async function readiness(situation: ReadinessSituation): Promise<Readiness> {
  const { runs, settings } = situation;
  const reading = policyFrom(settings, surroundings(situation));
  const verification = verifyCheck(situation);
  const preparation = setupCheck(situation);
  const wantsPulls = settings.task_merge === 'pr' || settings.land === 'pr';
  return {
    checks: [
      ...programChecks(situation, reading),
      verification.check,
      preparation.check,
      ...wallChecks(reading),
      commitCheck(situation),
      ...(wantsPulls ? [pullCheck(settings, await runs.pulls.problem())] : []),
    ],
    reading,
    verify: verification.shown,
    setup: preparation.shown,
  };
}

/** What the policy depends on besides the settings. */
export function surroundings({
  env,
  runs,
  settings,
}: Pick<ReadinessSituation, 'env' | 'runs' | 'settings'>): PolicySurroundings {
  const verify = unlessFailed(() => runs.verifier.command(settings.verify));
  return {
    isInstalled: (program) => isInstalled(program, env),
    verify:
      verify === undefined
        ? null
        : verify.kind === 'none'
          ? 'none'
          : verify.kind === 'prompt'
            ? { prompt: verify.prompt }
            : verify.words,
    setup: setupWords(runs, settings),
    commandWall: wallInForce(settings.sandbox.commands, env),
    agentWall: wallInForce(strictest(settings), env),
  };
}

/** What is required of one profile is required of the machine. */
function strictest({ sandbox, profiles }: Settings): Wanted {
  const wishes = [sandbox.agents, ...Object.values(profiles).map((profile) => profile.sandbox ?? 'off')];
  return wishes.find((one) => one === 'required') ?? wishes.find((one) => one === 'auto') ?? 'off';
}

/** The words of the command that prepares worktrees; none where there is none, or none that can be run. */
export function setupWords({ verifier }: Runs, { setup }: Settings): readonly string[] {
  return unlessFailed(() => verifier.setup(setup))?.words ?? [];
}

function unlessFailed<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function wallChecks({ policy: { commandWall, agentWall } }: PolicyReading): readonly ReadinessCheck[] {
  if (commandWall === undefined && agentWall === undefined) return [ok('sandbox', 'no-sandbox', 'off.')];
  return [
    ...wallChecksOf('sandbox.commands', commandWall, { commandWall }),
    ...wallChecksOf('sandbox.agents', agentWall, { agentWall }),
    ...(agentWall?.wall != null && commandWall === undefined ? [COMMANDS_OUTSIDE] : []),
  ];
}

const COMMANDS_OUTSIDE = note(
  'sandbox',
  'no-sandbox',
  'setup and verify commands run what agents have written, and they run without a wall. Set sandbox.commands, too.',
);

/** What is required and missing is in the way of every plan. */
function wallChecksOf(setting: string, inForce: WallInForce | undefined, walls: Walls): readonly ReadinessCheck[] {
  const [words] = wallWords(walls);
  if (inForce === undefined || words === undefined) return [];
  if (inForce.wall !== null) return [ok('sandbox', 'no-sandbox', `the ${words}.`)];
  if (inForce.wanted === 'auto') return [note('sandbox', 'no-sandbox', `the ${words}`)];
  return [bad('sandbox', 'no-sandbox', `The ${words}`, [suggest('config-set', setting, 'auto')])];
}

function programChecks({ env }: ReadinessSituation, { policy, warnings }: PolicyReading): readonly ReadinessCheck[] {
  const used = [...new Set(Object.values(policy.programs).map(({ program }) => program))];
  const missing = used.find((program) => !isInstalled(program, env));
  if (missing !== undefined)
    return [
      bad('agents', 'no-program', `${missing} is not installed. Install it, or choose another program.`, [
        suggest('config-set', 'default_program', '<program>'),
      ]),
    ];
  return [
    ok('agents', 'no-program', `${used.join(', ')}.`),
    ...warnings.map((warning) => note('agents', 'no-program', warning)),
    ...used
      .filter((program) => isSignedIn(program, env) === false)
      .map((program) => note('agents', 'no-program', `nobody seems to be signed in to ${program}. Start it once.`)),
  ];
}

interface CommandCheck {
  readonly check: ReadinessCheck;
  readonly shown: string | null;
}

function verifyCheck({ runs: { verifier }, settings: { verify }, repo, env }: ReadinessSituation): CommandCheck {
  try {
    const command = verifier.command(verify);
    if (command.kind === 'none')
      return { check: note('verify', 'no-verify', 'nothing is run: "verify" is "none".'), shown: null };
    if (command.kind === 'prompt')
      return { check: ok('verify', 'no-verify', 'done by the agent.'), shown: `the agent: ${command.prompt}` };
    const shown = quoteForShell(command.words);
    const missing = missingProgram(command.words, repo.root, env);
    if (missing === undefined) return { check: ok('verify', 'no-verify', `${shown}. ${command.why}`), shown };
    const sentence = `The verify command "${shown}" needs ${missing}, which is not installed. Install it, or set another command.`;
    return { check: bad('verify', 'no-verify', sentence, [setProject('verify')]), shown };
  } catch (error) {
    return { check: failed('verify', error, [setProject('verify')]), shown: null };
  }
}

function setupCheck({ runs: { verifier }, settings: { setup }, repo, env }: ReadinessSituation): CommandCheck {
  try {
    const { words, why } = verifier.setup(setup);
    if (words.length === 0) return { check: ok('setup', 'bad-setup', `nothing to run. ${why}`), shown: null };
    const shown = quoteForShell(words);
    const missing = missingProgram(words, repo.root, env);
    if (missing === undefined) return { check: ok('setup', 'bad-setup', `${shown}. ${why}`), shown };
    const sentence = `The setup command "${shown}" needs ${missing}, which is not installed. Install it, or set another command.`;
    return { check: bad('setup', 'bad-setup', sentence, [setProject('setup')]), shown };
  } catch (error) {
    return { check: failed('setup', error, [setProject('setup')]), shown: null };
  }
}

function setProject(key: string): Suggestion {
  return suggest('config-set-project', key, '<command>');
}

/** A path is relative to the worktree, and what setup creates is not there yet. */
function missingProgram([program = '']: readonly string[], root: string, env: NodeJS.ProcessEnv): string | undefined {
  return program.includes('/') || isInstalled(program, { ...env, PWD: root }) ? undefined : program;
}

/** Without a base branch in the settings a plan starts from what is checked out, so there must be a commit. */
function commitCheck({ repo, env, settings }: ReadinessSituation): ReadinessCheck {
  if (settings.base_branch !== undefined) return ok('commit', 'no-base', `plans start from ${settings.base_branch}.`);
  try {
    return ok('commit', 'no-base', `plans start from ${headCommit(repo, env).slice(0, 7)}, which is checked out.`);
  } catch (error) {
    return failed('commit', error);
  }
}

/** Without pull requests no task could be merged; a plan lands last, and landing can be retried. */
function pullCheck({ land, task_merge }: Settings, why: string | undefined): ReadinessCheck {
  const name = 'pull requests';
  if (why === undefined) return ok(name, 'no-pull-requests', 'gh can open them.');
  if (task_merge === 'pr')
    return bad(name, 'no-pull-requests', `"task_merge" is "pr", but ${why}. Fix that, or merge tasks locally.`, [
      suggest('config-set', 'task_merge', 'local'),
    ]);
  const sentence = `"land" is "${land}", but ${why}. Fix that before the plan is done, or land it again afterwards.`;
  return note(name, 'no-pull-requests', sentence);
}

function ok(name: string, code: FailureCode, sentence: string): ReadinessCheck {
  return { name, code, result: 'ok', sentence };
}

function note(name: string, code: FailureCode, sentence: string): ReadinessCheck {
  return { name, code, result: 'note', sentence };
}

function bad(name: string, code: FailureCode, sentence: string, remedies: readonly Suggestion[] = []): ReadinessCheck {
  return { name, code, result: 'bad', sentence, try: remedies };
}

function failed(name: string, error: unknown, remedies: readonly Suggestion[] = []): ReadinessCheck {
  if (!(error instanceof Failure)) throw error;
  return bad(name, error.code, error.message, [...error.try, ...remedies]);
}
