// The text of the plan file that a reference names: any file, or a plan in docs/plans by its name.
import { PLANNING_FOLDER } from '../../core/files/planning-folder.ts';
import { Failure } from '../../core/model/failure.ts';
import { suggest } from '../../core/model/suggestion.ts';
import type { PlanEntry } from '../../core/model/world.ts';
import { activePlan, fileProblem } from '../../core/views/plan.ts';
import { type PlanFile, slugOf } from '../../plan/name.ts';
import { showName } from '../../text/show.ts';
import { projectPlan } from '../../workshop/project-plan.ts';
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
  if (plan !== undefined) return (await draftIfUnpublished(ports, plan)) ?? textOf(ports, plan);
  if (direct.code === 'EISDIR') throw direct;
  throw new Failure(
    'usage',
    'no-file',
    `There is no file "${showName(reference)}", and no plan of that name in docs/plans.`,
    { try: [suggest('status')] },
  );
}

/** The plan of a workshop as it would be published; undefined where there is none yet. */
export function draftOf({ workshop }: PlanEntry): string | undefined {
  return workshop?.document == null ? undefined : projectPlan(workshop.document);
}

/** A plan that waits for its review has no file yet. */
async function draftIfUnpublished({ gateway, planFiles }: AppPorts, plan: PlanFile): Promise<PlanText | undefined> {
  if (planFiles.read(plan).kind !== 'missing') return undefined;
  const entry = (await gateway.look()).plans.get(plan);
  const text = entry === undefined ? undefined : draftOf(entry);
  const shown = `docs/plans/${slugOf(plan)}/${PLANNING_FOLDER}/plan.md`;
  return text === undefined ? undefined : { path: shown, shown, text };
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
