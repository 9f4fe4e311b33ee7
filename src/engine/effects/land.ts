// Lands a plan that is done where its settings want it: nowhere, on its base here, or on the remote by a pull request.

import { short } from '../../core/model/commit.ts';
import type { EffectResult } from '../../core/model/event.ts';
import { Failure } from '../../core/model/failure.ts';
import type { World } from '../../core/model/world.ts';
import type { BaseRequest } from '../../core/ports/merging.ts';
import type { PullOutcome } from '../../core/ports/pull-requests.ts';
import { type PlanFile, slugOf } from '../../plan/name.ts';
import { quoteForShell } from '../../text/shell.ts';
import { type RunPorts, whyOf } from './ports.ts';

/** What git says against it is what came of it; a person tries again. */
export async function landPlan(ports: RunPorts, world: World, plan: PlanFile): Promise<EffectResult> {
  try {
    return await land(ports, world, plan);
  } catch (error) {
    return { of: 'land', ok: false, text: whyOf(error) };
  }
}

async function land(ports: RunPorts, world: World, plan: PlanFile): Promise<EffectResult> {
  const { merging, trees, settings } = ports;
  const { branch: planBranch, base } = await trees.planBranch(plan, settings.baseBranch);
  const byHand = `It is on ${planBranch}. To have it on ${base}: ${quoteForShell(['git', 'merge', planBranch])}`;
  if (settings.land === 'manual') return { of: 'land', ok: false, text: byHand, byHand: true };
  if (settings.land === 'pr') return landedBy(await pullOfPlan(ports, world, plan, { planBranch, base }), base, plan);
  const message = `Merge ${planBranch}`;
  const answer = await merging.land({ planBranch, base, message }, async () => ({ kind: 'passed' }));
  switch (answer.kind) {
    case 'merged':
    case 'already':
      return { of: 'land', ok: true, text: `It is on ${base} as ${short(answer.commit)}.` };
    case 'conflict':
      return {
        of: 'land',
        ok: false,
        text: `${planBranch} conflicts with ${base} in ${answer.files.join(', ')}. Merge ${base} into ${planBranch} and resolve that there; then "cadre land ${slugOf(plan)}" sees to the rest.`,
      };
    case 'turned-down':
      return { of: 'land', ok: false, text: answer.why };
    case 'occupied':
      return { of: 'land', ok: false, text: `${answer.why} Then "cadre land ${slugOf(plan)}" lands it.` };
    default:
      return { of: 'land', ok: false, text: byHand };
  }
}

async function pullOfPlan(
  { pulls, trees }: RunPorts,
  world: World,
  plan: PlanFile,
  { planBranch: head, base: into }: BaseRequest,
): Promise<PullOutcome> {
  const commit = await trees.tipOf(plan);
  if (commit === undefined) throw new Failure('person', 'no-branch', `There is no branch ${head} to be landed.`);
  const entry = world.plans.get(plan);
  const tasks = (entry?.tasks ?? []).filter(({ run }) => run?.state === 'DONE');
  const listed = tasks.map(({ address, name }) => `- Task ${address}: ${name}`);
  const message = [entry?.description.trim() || head, '', `What was built of ${plan}:`, '', ...listed].join('\n');
  return pulls.merge({ head, commit, into, message, keepsHistory: false });
}

function landedBy(pulled: PullOutcome, base: string, plan: PlanFile): EffectResult {
  if (pulled.kind === 'merged')
    return {
      of: 'land',
      ok: true,
      text: `It is on ${base} of the remote, by ${pulled.url}. "git pull" brings it here.`,
    };
  const then = `When it is merged there, or can be, "cadre land ${slugOf(plan)}" sees to the rest.`;
  return { of: 'land', ok: false, text: `${pulled.why} ${then}` };
}
