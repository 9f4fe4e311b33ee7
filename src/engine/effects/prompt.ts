// Builds the prompt of a turn from the session's run or plan at the moment the session starts.
import type { Effect } from '../../core/model/effect.ts';
import { treeOfSession } from '../../core/model/run-name.ts';
import type { SessionEntry } from '../../core/model/session.ts';
import type { World } from '../../core/model/world.ts';
import type { RunFiles, RunWorktrees } from '../../core/ports/worktrees.ts';
import type { Keep } from '../../core/views/assignment.ts';
import { type Turn, turnPrompt } from '../../core/views/turn-prompt.ts';
import { workshopPrompt, workshopReviewPrompt } from '../../core/views/workshop/prompt.ts';
import type { PlanFile } from '../../plan/name.ts';

export interface PromptPorts {
  readonly trees: RunWorktrees;
  readonly files: RunFiles;
  /** The texts that a plan's tasks were launched with, by their ids. */
  launchedTexts(plan: PlanFile): Promise<ReadonlyMap<string, string>>;
  /** The text of the plan file as it is now; undefined where it cannot be read. */
  planText(plan: PlanFile): string | undefined;
  /** The verify command, as words; nothing where there is none to run. */
  readonly verify: readonly string[] | null;
  readonly verifyPrompt: string;
  readonly cadre: readonly string[];
}

export async function promptOf(
  ports: PromptPorts,
  world: World,
  entry: SessionEntry,
  effect: Extract<Effect, { do: 'start-session' }>,
): Promise<string> {
  const { turn } = effect;
  const tree = treeOfSession(entry);
  const plan = entry.plan === undefined ? undefined : world.plans.get(entry.plan);
  if (turn === undefined || tree === undefined || plan === undefined) return effect.prompt;
  const keep: Keep = (name, text) => ports.files.write(tree, `${effect.id}-${name}`, text);
  const site = {
    worktree: ports.trees.pathOf(tree),
    branch: entry.branch,
    verify: ports.verify,
    cadre: ports.cadre,
  };
  if (turn === 'workshop') {
    const files = await ports.trees.files(entry.from);
    return workshopPrompt({ plan, site: { ...site, base: entry.from }, files }, keep);
  }
  if (turn === 'review-workshop') return workshopReviewPrompt({ plan, site: { ...site, base: entry.from } }, keep);
  const task = plan.tasks.find((one) => one.id === entry.task);
  const subject: Turn = {
    turn,
    plan,
    task,
    texts: await ports.launchedTexts(plan.plan),
    planText: ports.planText(plan.plan),
    site: { ...site, base: task?.run?.base ?? entry.from },
    verifyPrompt: ports.verifyPrompt,
  };
  return turnPrompt(subject, keep);
}
