// A task or a plan in detail: what its file says, and what verifications, reviews and time made of it.
import type { JournalRecord } from '../../core/model/record.ts';
import type { PlanEntry } from '../../core/model/world.ts';
import { concernsPlan, concernsTask } from '../../core/views/history.ts';
import { isCheck, type TaskCheck, taskChecks } from '../../core/views/task-checks.ts';
import { parse } from '../../plan/parse.ts';
import type { Plan, Task } from '../../plan/plan.ts';
import type { AppPorts } from '../ports.ts';
import { subjectNamed } from '../targets.ts';
import { known } from './world.ts';

export type Detail = TaskDetail | PlanDetail;

export interface TaskDetail {
  readonly of: 'task';
  readonly files: Task['files'];
  readonly steps: Task['steps'];
  /** Newest first. */
  readonly checks: readonly TaskCheck[];
}

export interface PlanDetail {
  readonly of: 'plan';
  readonly title: string | null;
  readonly goal: string | null;
  readonly architecture: string | null;
  /** The last records about it, newest first. */
  readonly history: readonly JournalRecord[];
}

export async function readDetail(ports: AppPorts, reference: string): Promise<Detail> {
  const { entry, task } = subjectNamed(await known(ports, reference), reference);
  const { plan } = entry;
  const file = planIn(ports, entry);
  if (task === undefined) {
    const history = await ports.journal.lastRecords({ plan, isWanted: concernsPlan(plan), count: MOST_RECORDS });
    const { title = null, goal = null, architecture = null } = file ?? {};
    return { of: 'plan', title, goal, architecture, history: history.toReversed() };
  }
  const concerns = concernsTask(plan, task.id);
  const isWanted = (record: JournalRecord): boolean => isCheck(record) && concerns(record);
  const records = await ports.journal.lastRecords({ plan, isWanted, count: MOST_CHECKS });
  const written = file?.phases.flatMap(({ tasks }) => tasks).find(({ address }) => address === task.address);
  return {
    of: 'task',
    files: written?.files ?? [],
    steps: written?.steps ?? [],
    checks: taskChecks(records).toReversed(),
  };
}

const [MOST_CHECKS, MOST_RECORDS] = [30, 60];

/** Undefined where the file does not exist, or is no text. */
function planIn({ planFiles, repository }: AppPorts, { plan, file: known }: PlanEntry): Plan | undefined {
  const { kind } = planFiles.read(plan, known);
  if (kind === 'missing' || kind === 'unusable') return undefined;
  return parse(repository.readText(`${planFiles.folder}/${plan}`)).plan;
}
