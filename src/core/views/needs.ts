// Everything that waits for a person, with the actions that answer it.
import { WORKING } from '../../machines/plan.ts';
import { taskMachine } from '../../machines/task.ts';
import type { PlanFile } from '../../plan/name.ts';
import { shortened } from '../../text/shorten.ts';
import { showLines } from '../../text/show.ts';
import { isLive } from '../model/run-status.ts';
import type { Suggestion } from '../model/suggestion.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';
import { planActions, taskActions } from './actions.ts';
import { planWaitStatus, taskWaitStatus } from './why.ts';

export interface Need {
  readonly plan: PlanFile;
  /** The task's address; null where the plan itself waits. */
  readonly task: string | null;
  readonly sentence: string;
  readonly actions: readonly Suggestion[];
}

export function needsIn(world: World, plan?: PlanFile): readonly Need[] {
  const entries = [...world.plans.values()].filter((entry) => plan === undefined || entry.plan === plan);
  return entries.flatMap((entry) => needsOf(world, entry));
}

/** Tasks need a person only in a managed plan; of any other plan, only the plan itself can. */
function needsOf(world: World, entry: PlanEntry): readonly Need[] {
  const tasks = entry.status === WORKING && entry.work !== undefined ? taskNeeds(world, entry) : [];
  return tasks.length > 0 ? tasks : planNeeds(world, entry);
}

function taskNeeds(world: World, entry: PlanEntry): readonly Need[] {
  return entry.tasks.filter(isOpen).flatMap((task) => {
    const { owner, sentence, waysOut, suggestions } = taskWaitStatus(world, entry, task);
    if (owner !== 'user') return [];
    const { plan } = entry;
    return [
      {
        plan,
        task: task.address,
        sentence: `${plan}#${task.address} ${shortened(task.name)}: ${showLines(sentence)}`,
        actions: [...suggestions, ...taskActions(entry, task, waysOut)],
      },
    ];
  });
}

/** A stale task matters while its run is live. */
function isOpen({ state, stale, run }: TaskEntry): boolean {
  return !taskMachine.final.includes(state) && (!stale || isLive(run));
}

function planNeeds(world: World, entry: PlanEntry): readonly Need[] {
  const { owner, sentence, waysOut, suggestions } = planWaitStatus(world, entry);
  if (owner !== 'user') return [];
  const { plan } = entry;
  const actions = [...suggestions, ...planActions(entry, waysOut)];
  return [{ plan, task: null, sentence: `${plan}: ${sentence}`, actions }];
}
