// From what a person typed to the text of the plan they mean: any file, or one in docs/plans by its name.
import { Failure } from '../../../core/model/failure.ts';
import { activePlan, fileProblem } from '../../../core/views/plan.ts';
import type { PlanFile } from '../../../plan/name.ts';
import { showName } from '../../../text/show.ts';
import type { Context } from '../context.ts';
import { oneOf } from '../find.ts';

export interface PlanText {
  readonly path: string;
  /** As a person would name it. */
  readonly shown: string;
  readonly text: string;
}

export async function planText(context: Context, reference: string | undefined): Promise<PlanText> {
  if (reference === undefined) return read(context, await activeOr(context));
  const direct = readIfThere(context, reference);
  if (typeof direct === 'string') return { path: reference, shown: reference, text: direct };
  return textOfNamed(context, reference, direct);
}

async function activeOr(context: Context): Promise<PlanFile> {
  const { gateway, planFiles } = context.app();
  const active = activePlan(await gateway.look(), planFiles.list());
  if (active === undefined)
    throw new Failure('usage', 'no-plan', 'There is no plan in docs/plans. Write one, or name a file.');
  return active;
}

/** `otherwise`: why there is no such file. */
async function textOfNamed(context: Context, reference: string, otherwise: Failure): Promise<PlanText> {
  const { gateway, planFiles } = context.app();
  const plan = oneOf(new Set([...planFiles.list(), ...(await gateway.look()).plans.keys()]), reference);
  if (plan !== undefined) return read(context, plan);
  if (otherwise.code === 'EISDIR') throw otherwise;
  throw new Failure(
    'usage',
    'no-file',
    `There is no file "${showName(reference)}", and no plan of that name in docs/plans. "cadre status" lists the plans.`,
  );
}

function read(context: Context, plan: PlanFile): PlanText {
  const { planFiles } = context.app();
  const reading = planFiles.read(plan);
  const isText = reading.kind !== 'unusable' || reading.problems.every((problem) => problem.code !== 'unreadable');
  const problem = fileProblem(plan, reading) ?? '';
  if (reading.kind === 'missing') throw new Failure('usage', 'no-file', problem);
  if (!isText) throw new Failure('failed', 'unreadable', `docs/plans/${plan}: ${problem}`);
  const path = `${planFiles.folder}/${plan}`;
  return { path, shown: `docs/plans/${plan}`, text: context.readFile(path) };
}

/** The text, or why there is none: a folder of the same name does not hide a plan. */
export function readIfThere(context: Context, path: string): string | Failure {
  try {
    return context.readFile(path);
  } catch (error) {
    if (error instanceof Failure && ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code)) return error;
    throw error;
  }
}
