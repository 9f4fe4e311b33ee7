// A plan in the format of another tool, with the tasks that are done checked off.
import { taskMachine } from '../../machines/task.ts';
import type { AppPorts } from '../ports.ts';

/** The addresses of the tasks of the plan at this path that are done; none where cadre does not know the plan. */
export async function readDoneTasks({ repository, gateway }: AppPorts, path: string): Promise<ReadonlySet<string>> {
  const plan = repository.planAt(path);
  const entry = plan === undefined ? undefined : (await gateway.look()).plans.get(plan);
  const done = entry?.tasks.filter(({ state, stale }) => taskMachine.final.includes(state) && !stale) ?? [];
  return new Set(done.map(({ address }) => address));
}
