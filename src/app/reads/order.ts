// How a plan would be built: its order, and what it would be built with.
import { Failure } from '../../core/model/failure.ts';
import { type Suggestion, suggest } from '../../core/model/suggestion.ts';
import type { World } from '../../core/model/world.ts';
import { decideAll } from '../../core/rules/decide.ts';
import type { Policy } from '../../core/settings/policy.ts';
import { fileRemarks } from '../../core/views/file-remarks.ts';
import { fileProblem } from '../../core/views/plan.ts';
import { planRemarks } from '../../core/views/plan-remarks.ts';
import { wavesOf } from '../../core/views/waves.ts';
import type { PlanFile } from '../../plan/name.ts';
import { eventsToBuild, planToRun, suggestForRemarks, suggestImport } from '../actions/plans.ts';
import { textIfReadable } from '../foreign-file.ts';
import type { AppPorts, Preflight } from '../ports.ts';

export interface BuildOrder {
  readonly plan: PlanFile;
  /** The world as it would be with the plan as its file is now. */
  readonly world: World;
  readonly waves: readonly (readonly string[])[];
  readonly preflight: Preflight;
  /** What the plan leaves open, or contradicts itself in. */
  readonly remarks: readonly string[];
  /** What else to do about the file. */
  readonly try: readonly Suggestion[];
}

/** Writes nothing. */
export async function readOrder(ports: AppPorts, reference: string | undefined): Promise<BuildOrder> {
  const plan = await planToRun(ports, reference);
  const { before, reading } = await eventsToBuild(ports, plan);
  const problem = fileProblem(plan, reading);
  if (problem !== undefined) {
    const foreign = suggestImport(ports, plan);
    throw new Failure('usage', 'unusable-file', `${plan} cannot be built: ${problem}`, {
      try: foreign.length > 0 ? foreign : [suggest('plan-lint', plan)],
    });
  }
  const { world } = decideAll(await ports.gateway.look(), before, ports.clock.now());
  const entry = world.plans.get(plan);
  const waves = entry === undefined ? [] : wavesOf(entry);
  const preflight = await ports.preflight({ headless: false });
  const warnings = [...preflight.warnings, ...fileRemarks(plan, reading)];
  const instead = suggestForRemarks(ports, plan, reading);
  const remarks = remarksOf(ports, plan, preflight.policy);
  return { plan, world, waves, preflight: { ...preflight, warnings }, remarks, try: instead };
}

/** What a person decides before the first task of a plan is built; nothing once it is being built. */
export async function readRemarks(ports: AppPorts, plan: PlanFile): Promise<readonly string[]> {
  const status = (await ports.gateway.look()).plans.get(plan)?.status ?? 'ready';
  if (status !== 'ready') return [];
  const { policy } = await ports.preflight({ headless: false });
  return remarksOf(ports, plan, policy);
}

function remarksOf(ports: AppPorts, plan: PlanFile, { profiles = {} }: Policy): readonly string[] {
  const text = textIfReadable(ports, `${ports.planFiles.folder}/${plan}`);
  return text === undefined ? [] : planRemarks(plan, text, Object.keys(profiles));
}
