// Builds the prompt of a turn from the session's run or plan at the moment the session starts.
import type { Effect } from '../../core/model/effect.ts';
import { treeOfSession } from '../../core/model/run-name.ts';
import type { SessionEntry } from '../../core/model/session.ts';
import type { World } from '../../core/model/world.ts';
import type { RunFiles, RunWorktrees } from '../../core/ports/worktrees.ts';
import { turnPrompt } from '../../core/views/turn-prompt.ts';
import type { PlanFile } from '../../plan/name.ts';

export interface PromptPorts {
  readonly trees: RunWorktrees;
  readonly files: RunFiles;
  /** The texts that a plan's tasks were launched with, by their ids. */
  launchedTexts(plan: PlanFile): Promise<ReadonlyMap<string, string>>;
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
  const task = plan.tasks.find((one) => one.id === entry.task);
  const text = task === undefined ? '' : ((await ports.launchedTexts(plan.plan)).get(task.id) ?? '');
  const work = {
    plan: plan.plan,
    title: plan.description === '' ? null : plan.description,
    goal: null,
    task: task === undefined ? null : { address: task.address, name: task.name, text },
    worktree: ports.trees.pathOf(tree),
    branch: entry.branch,
    base: task?.run?.base ?? entry.from,
    into: plan.branch,
    verify: ports.verify,
    cadre: ports.cadre,
  };
  return turnPrompt({ turn, work, plan, run: task?.run, verifyPrompt: ports.verifyPrompt }, (name, text) =>
    ports.files.write(tree, `${effect.id}-${name}`, text),
  );
}
