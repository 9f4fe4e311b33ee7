// A file of another tool as a plan: what it would become, and what it would be called.
import { type Suggestion, suggest } from '../../core/model/suggestion.ts';
import { DIALECTS, dialectOf } from '../../plan/foreign/dialects.ts';
import { foreignFile } from '../../plan/foreign/entries.ts';
import { type Import, importPlan, planNameFrom } from '../../plan/foreign/import-plan.ts';
import { type PlanFile, planFile, slugOf, whyNoPlanName } from '../../plan/name.ts';
import { showName } from '../../text/show.ts';
import { type ImportInput, type PlanImport, type Refused, refuse } from '../actions/action.ts';
import { textIfReadable } from '../foreign-file.ts';
import type { AppPorts } from '../ports.ts';
import { readPlanText } from './plan-text.ts';

/** Writes nothing. */
export async function readImport(
  ports: AppPorts,
  reference: string,
  input: ImportInput,
): Promise<PlanImport | Refused> {
  const { repository } = ports;
  const { path, shown, text } = await readPlanText(ports, reference);
  const { format, tag, all = false } = input;
  const inside = repository.pathInside(path);
  const companions = DIALECTS[format ?? dialectOf(foreignFile(text)) ?? 'checklist'].companions;
  const made = importPlan({
    ...{ text, path: inside, dialect: format, tag, all },
    companions: companions
      .filter((name) => textIfReadable(ports, beside(path, name)) !== undefined)
      .map((name) => beside(inside, name)),
  });
  if (made.kind === 'refused') return refuseImport(ports, made, shown, reference);
  const plan = targetOf(ports, path, inside, input.to);
  if (typeof plan !== 'string') return plan;
  if (repository.planFileExists(plan)) return planExists(ports, plan, shown);
  return { ...made, from: shown, plan };
}

function beside(path: string, name: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}${name}`;
}

function refuseImport(
  { repository }: AppPorts,
  { code, why }: Extract<Import, { readonly kind: 'refused' }>,
  shown: string,
  reference: string,
): Refused {
  const plan = code === 'already-a-plan' ? repository.planAt(reference) : undefined;
  const instead: readonly Suggestion[] = [
    ...(code === 'all-done' ? [suggest('plan-import', shown, 'all')] : []),
    ...(plan === undefined ? [] : [suggest('run', plan)]),
  ];
  return refuse(code, `"${showName(shown)}" was not imported. ${why}`, { try: instead });
}

/** The plan that a person asks for, or one that is called like the file, or like the folder that names it. */
function targetOf({ repository }: AppPorts, path: string, inside: string, to: string | undefined): PlanFile | Refused {
  if (to === undefined) {
    const own = repository.planAt(path);
    return planCalled(own === undefined ? planNameFrom(inside) : `${slugOf(own)}-plan`);
  }
  if (!to.includes('/')) return planCalled(to);
  const plan = repository.planAt(to.endsWith('.md') ? to : `${to}.md`);
  return plan ?? refuse('not-in-plans', `"${showName(to)}" is not a plan in docs/plans, where plans are read from.`);
}

function planCalled(typed: string): PlanFile | Refused {
  const name = typed.endsWith('.md') ? typed : `${typed}.md`;
  return planFile(name) ?? refuse('bad-name', whyNoPlanName(name) ?? '');
}

export function planExists({ repository }: AppPorts, plan: PlanFile, from: string): Refused {
  let number = 2;
  while (repository.planFileExists(`${slugOf(plan)}-${number}.md`)) number++;
  return refuse('plan-exists', `docs/plans/${plan} already exists, and an import never replaces a plan.`, {
    try: [suggest('plan-import', from, `to ${slugOf(plan)}-${number}`)],
  });
}
