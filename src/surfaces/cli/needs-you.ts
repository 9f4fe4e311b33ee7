// Everything that waits for a person and for nobody else, with the commands that answer it.
import { isLive } from '../../core/model/run-status.ts';
import type { PlanEntry, TaskEntry, World } from '../../core/model/world.ts';
import { planWaitStatus, taskWaitStatus } from '../../core/views/why.ts';
import { WORKING } from '../../machines/plan.ts';
import { taskMachine } from '../../machines/task.ts';
import type { PlanFile } from '../../plan/name.ts';
import { showLines } from '../../text/show.ts';
import { planCommands, taskCommands } from './available-actions.ts';
import { shortened } from './text/columns.ts';

export interface Need {
  readonly plan: PlanFile;
  /** The task's address; nothing where it is about the plan. */
  readonly task: string | null;
  readonly sentence: string;
  readonly commands: readonly string[];
}

/** Of a plan that cadre has no part in, only the plan itself can wait for somebody. */
export function needsIn(world: World, entry: PlanEntry): readonly Need[] {
  const tasks = entry.status === WORKING && entry.work !== undefined ? taskNeeds(world, entry) : [];
  return tasks.length > 0 ? tasks : planNeeds(world, entry);
}

function taskNeeds(world: World, entry: PlanEntry): readonly Need[] {
  return entry.tasks.filter(isOpen).flatMap((task) => {
    const { owner, sentence, waysOut } = taskWaitStatus(world, entry, task);
    if (owner !== 'user') return [];
    const { plan } = entry;
    return [
      {
        plan,
        task: task.address,
        sentence: `${plan}#${task.address} ${shortened(task.name)}: ${showLines(sentence)}`,
        commands: taskCommands(entry, task, waysOut),
      },
    ];
  });
}

/** What is gone from the file matters as long as something of it is under way. */
function isOpen({ state, stale, run }: TaskEntry): boolean {
  return !taskMachine.final.includes(state) && (!stale || isLive(run));
}

function planNeeds(world: World, entry: PlanEntry): readonly Need[] {
  const { owner, sentence, waysOut } = planWaitStatus(world, entry);
  if (owner !== 'user') return [];
  const { plan } = entry;
  return [{ plan, task: null, sentence: `${plan}: ${sentence}`, commands: planCommands(entry, waysOut) }];
}

/** One block for each: what it is, and what can be typed. */
export function needLines(needs: readonly Need[]): readonly string[] {
  return needs.flatMap(({ sentence, commands }) => [
    ...sentence.split('\n').map((line, index) => (index === 0 ? `  ${line}` : `    ${line}`)),
    ...commands.map((command) => `      ${command}`),
  ]);
}
