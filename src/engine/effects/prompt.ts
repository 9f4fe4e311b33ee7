// Builds the prompt of a turn from the session's run or plan at the moment the session starts.
import { type AdditionFile, CANNOT_BE_CHANGED, withAdditions } from '../../agents/prompts/additions.ts';
import { type Prompt, promptText } from '../../agents/prompts/prompt.ts';
import { PROMPTS_VERSION } from '../../agents/prompts/version.ts';
import type { Effect } from '../../core/model/effect.ts';
import type { TurnWork } from '../../core/model/run.ts';
import { type Tree, treeOfBranch, treeOfSession } from '../../core/model/run-name.ts';
import { isLive } from '../../core/model/run-status.ts';
import type { PromptTold, SessionEntry } from '../../core/model/session.ts';
import type { PlanEntry, TaskEntry, World } from '../../core/model/world.ts';
import type { RunFiles, RunWorktrees } from '../../core/ports/worktrees.ts';
import { BRIEF_FILES, type Keep, keepBrief } from '../../core/views/prompts/assignment.ts';
import { type PackageTexts, turnPrompt } from '../../core/views/prompts/turn-prompt.ts';
import { workshopPrompt, workshopReviewPrompt } from '../../core/views/workshop/prompt.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { Role } from '../../signals/registry.ts';
import { digest } from '../../text/digest.ts';
import { type PackagePorts, planPackage, runPackage } from './review-package.ts';

export interface PromptPorts {
  readonly trees: RunWorktrees;
  readonly files: RunFiles;
  /** What git says about commits; missing where there is no git. */
  readonly changes?: PackagePorts;
  /** The texts that a plan's tasks were launched with, by their ids. */
  launchedTexts(plan: PlanFile): Promise<ReadonlyMap<string, string>>;
  /** The text of the plan file as it is now; undefined where it cannot be read. */
  planText(plan: PlanFile): string | undefined;
  /** The files with which a person or the project changes the prompts of a role; missing where there can be none. */
  additions?(role: Role): readonly AdditionFile[];
  /** The verify command, as words; nothing where there is none to run. */
  readonly verify: readonly string[] | null;
  readonly verifyPrompt: string;
  readonly cadre: readonly string[];
}

export interface PromptToTell {
  readonly prompt: string;
  /** Undefined where the prompt is a person's own. */
  readonly told?: PromptTold;
  /** What was to be added to the prompt and could not be, as sentences. */
  readonly ignored: readonly string[];
}

export async function promptFor(
  ports: PromptPorts,
  world: World,
  entry: SessionEntry,
  effect: Extract<Effect, { do: 'start-session' }>,
): Promise<PromptToTell> {
  const { turn } = effect;
  const tree = treeOfSession(entry);
  const plan = entry.plan === undefined ? undefined : world.plans.get(entry.plan);
  if (turn === undefined || tree === undefined || plan === undefined) return { prompt: effect.prompt, ignored: [] };
  const keepIn =
    (place: Tree): Keep =>
    (name, text) =>
      ports.files.write(place, BRIEF_FILES.includes(name) ? name : `${effect.id}-${name}`, text);
  const made = await turnOf(ports, plan, { turn, tree, entry }, keepIn(tree));
  await keepOtherBriefs(ports, plan, entry.task, keepIn);
  return toTell(made, ports.additions?.(entry.role) ?? [], (text) => keepIn(tree)('prompt', text));
}

/** What a person or the project adds to the prompt. */
function toTell(made: Prompt, files: readonly AdditionFile[], keep: (text: string) => string): PromptToTell {
  const { prompt, ignored } = withAdditions(made, files);
  const text = promptText(prompt);
  const additions = Object.fromEntries(files.map((file) => [file.path, digest(file.text)]));
  const told = {
    version: PROMPTS_VERSION,
    digest: digest(text),
    file: keep(text),
    ...(files.length === 0 ? {} : { additions }),
  };
  return { prompt: text, told, ignored: ignored.filter((one) => one.endsWith(CANNOT_BE_CHANGED)) };
}

/** The agents that work at the same time are told who has joined them or left. */
async function keepOtherBriefs(
  { launchedTexts, planText }: PromptPorts,
  plan: PlanEntry,
  own: string | undefined,
  keepIn: (tree: Tree) => Keep,
): Promise<void> {
  const others = plan.tasks.filter(({ id, run }) => id !== own && isLive(run) && run.base !== null);
  if (others.length === 0) return;
  const texts = await launchedTexts(plan.plan);
  for (const task of others)
    if (task.run !== undefined)
      keepBrief({ plan, task, texts, planText: planText(plan.plan) }, keepIn(treeOfBranch(plan.plan, task.run.branch)));
}

interface TurnToStart {
  readonly turn: TurnWork;
  readonly tree: Tree;
  readonly entry: Pick<SessionEntry, 'branch' | 'from' | 'task' | 'escalated'>;
}

/** What the agent of this turn is told now. */
export async function turnOf(
  ports: PromptPorts,
  plan: PlanEntry,
  { turn, tree, entry }: TurnToStart,
  keep: Keep,
): Promise<Prompt> {
  const { verify, cadre, verifyPrompt } = ports;
  const site = { worktree: ports.trees.pathOf(tree), branch: entry.branch, verify, cadre };
  if (turn === 'workshop') {
    const files = await ports.trees.files(entry.from);
    return workshopPrompt({ plan, site: { ...site, base: entry.from }, files }, keep);
  }
  if (turn === 'review-workshop') return workshopReviewPrompt({ plan, site: { ...site, base: entry.from } }, keep);
  const task = plan.tasks.find((one) => one.id === entry.task);
  const found = await packageFor(ports, plan, { turn, task, tip: entry.from });
  return turnPrompt(
    {
      ...(found === undefined ? {} : { package: found }),
      turn,
      ...(entry.escalated ? { escalated: true } : {}),
      plan,
      task,
      texts: await ports.launchedTexts(plan.plan),
      planText: ports.planText(plan.plan),
      site: { ...site, base: task?.run?.base ?? entry.from },
      verifyPrompt,
    },
    keep,
  );
}

async function packageFor(
  { changes }: PromptPorts,
  plan: PlanEntry,
  { turn, task, tip }: { readonly turn: TurnWork; readonly task: TaskEntry | undefined; readonly tip: string },
): Promise<PackageTexts | undefined> {
  if (changes === undefined) return undefined;
  if (turn === 'review-all') return planPackage(changes, plan, tip);
  if (turn !== 'review-spec' && turn !== 'review-quality') return undefined;
  return task?.run === undefined ? undefined : runPackage(changes, plan, task.run);
}
