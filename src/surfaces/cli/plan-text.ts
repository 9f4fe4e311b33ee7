// The text of the plan that a command is about: any file, also outside a repository, or a plan by its name.
import type { PlanText } from '../../app/reads/plan-text.ts';
import { Failure } from '../../core/model/failure.ts';
import type { Context } from './context.ts';

export async function planTextOf(context: Context, reference: string | undefined): Promise<PlanText> {
  const text = reference === undefined ? undefined : textIfFile(context, reference);
  if (reference === undefined || text === undefined) return context.app().planText(reference);
  return { path: reference, shown: reference, text };
}

function textIfFile(context: Context, path: string): string | undefined {
  try {
    return context.readFile(path);
  } catch (error) {
    if (error instanceof Failure && ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code)) return undefined;
    throw error;
  }
}
