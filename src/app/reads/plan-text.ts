// The text of the plan file that a reference names: any file, or a plan in docs/plans by its name.
import { Failure } from '../../core/model/failure.ts';
import { suggest } from '../../core/model/suggestion.ts';
import { activePlan, fileProblem } from '../../core/views/plan.ts';
import type { PlanFile } from '../../plan/name.ts';
import { showName } from '../../text/show.ts';
import { noPlanFile } from '../actions/plans.ts';
import type { AppPorts } from '../ports.ts';
import { planAmong } from '../targets.ts';

export interface PlanText {
  readonly path: string;
  /** As a person would name it. */
  readonly shown: string;
  readonly text: string;
}

export async function readPlanText(ports: AppPorts, reference: string | undefined): Promise<PlanText> {
  if (reference === undefined) return textOf(ports, await activeFile(ports));
  const direct = readIfFile(ports, reference);
  if (typeof direct === 'string') return { path: reference, shown: reference, text: direct };
  const world = await ports.gateway.look();
  const plan = planAmong(new Set([...ports.planFiles.list(), ...world.plans.keys()]), reference);
  if (plan !== undefined) return textOf(ports, plan);
  if (direct.code === 'EISDIR') throw direct;
  throw new Failure(
    'usage',
    'no-file',
    `There is no file "${showName(reference)}", and no plan of that name in docs/plans.`,
    { try: [suggest('status')] },
  );
}

async function activeFile({ gateway, planFiles }: AppPorts): Promise<PlanFile> {
  const active = activePlan(await gateway.look(), planFiles.list());
  if (active === undefined) throw noPlanFile();
  return active;
}

function textOf({ planFiles, repository }: AppPorts, plan: PlanFile): PlanText {
  const reading = planFiles.read(plan);
  const isText = reading.kind !== 'unusable' || reading.problems.every((problem) => problem.code !== 'unreadable');
  const problem = fileProblem(plan, reading) ?? '';
  if (reading.kind === 'missing') throw new Failure('usage', 'no-file', problem);
  if (!isText) throw new Failure('failed', 'unreadable', `docs/plans/${plan}: ${problem}`);
  const path = `${planFiles.folder}/${plan}`;
  return { path, shown: `docs/plans/${plan}`, text: repository.readText(path) };
}

/** The text, or the reason why it cannot be read: a folder must not hide a plan of the same name. */
function readIfFile({ repository }: AppPorts, path: string): string | Failure {
  try {
    return repository.readText(path);
  } catch (error) {
    if (error instanceof Failure && ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code)) return error;
    throw error;
  }
}
