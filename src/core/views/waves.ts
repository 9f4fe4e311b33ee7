// The order in which the tasks of a plan can be built.
import { order } from '../../plan/order.ts';
import type { PlanEntry, TaskEntry } from '../model/world.ts';

/** Addresses of tasks that can run at the same time, group by group, as if each group were done before the next starts. */
export function wavesOf(entry: PlanEntry): readonly (readonly string[])[] {
  const phases = entry.phases.map(({ parallel }) => ({ parallel, tasks: [] as TaskEntry[] }));
  const present = entry.tasks.filter((task) => !task.stale);
  for (const task of present) phases[task.phase]?.tasks.push(task);
  const states = new Map(present.map((task) => [task.address, task.state]));
  const waves: string[][] = [];
  for (;;) {
    const wave = order({ phases }, states)
      .filter((turn) => turn.mayStart)
      .map((turn) => turn.address);
    if (wave.length === 0) return waves;
    waves.push(wave);
    for (const address of wave) states.set(address, 'done');
  }
}
