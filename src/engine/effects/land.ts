// Lands a finished plan as its settings say: by hand, on its local base branch, or by a pull request.

import { short } from '../../core/model/commit.ts';
import type { EffectResult } from '../../core/model/event.ts';
import { Failure } from '../../core/model/failure.ts';
import type { World } from '../../core/model/world.ts';
import type { BaseRequest } from '../../core/ports/merging.ts';
import type { PullOutcome } from '../../core/ports/pull-requests.ts';
import type { PlanFile } from '../../plan/name.ts';
import { quoteForShell } from '../../text/shell.ts';
import { type RunPorts, whyOf } from './ports.ts';

/** If git refuses, the result says why, and a person can try again. */
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
  const byHand = `The plan is on ${planBranch}. To merge it into ${base}: ${quoteForShell(['git', 'merge', planBranch])}`;
  if (settings.land === 'manual') return { of: 'land', ok: false, text: byHand, byHand: true };
  if (settings.land === 'pr') return pullResult(await mergePull(ports, world, plan, { planBranch, base }), base);
  const message = `Merge ${planBranch}`;
  const answer = await merging.land({ planBranch, base, message }, async () => ({ kind: 'passed' }));
  switch (answer.kind) {
    case 'merged':
    case 'already':
      return { of: 'land', ok: true, text: `Merged into ${base} as ${short(answer.commit)}.` };
    case 'conflict':
      return {
        of: 'land',
        ok: false,
        text: `${planBranch} conflicts with ${base} in ${answer.files.join(', ')}. Merge ${base} into ${planBranch}, resolve the conflicts there, then land the plan again.`,
      };
    case 'turned-down':
      return { of: 'land', ok: false, text: answer.why };
    case 'occupied':
      return { of: 'land', ok: false, text: `${answer.why} Then land the plan again.` };
    default:
      return { of: 'land', ok: false, text: byHand };
  }
}

async function mergePull(
  { pulls, trees }: RunPorts,
  world: World,
  plan: PlanFile,
  { planBranch: head, base: into }: BaseRequest,
): Promise<PullOutcome> {
  const commit = await trees.tipOf(plan);
  if (commit === undefined)
    throw new Failure('person', 'no-branch', `The branch ${head} does not exist, so there is nothing to land.`);
  const entry = world.plans.get(plan);
  const tasks = (entry?.tasks ?? []).filter(({ run }) => run?.state === 'DONE');
  const listed = tasks.map(({ address, name }) => `- Task ${address}: ${name}`);
  const message = [entry?.description.trim() || head, '', `Tasks of ${plan}:`, '', ...listed].join('\n');
  return pulls.merge({ head, commit, into, message, keepsHistory: false });
}

function pullResult(pulled: PullOutcome, base: string): EffectResult {
  if (pulled.kind === 'merged')
    return {
      of: 'land',
      ok: true,
      text: `Merged into ${base} on the remote by ${pulled.url}. Run "git pull" to get it here.`,
    };
  return {
    of: 'land',
    ok: false,
    text: `${pulled.why} When it is merged there, or can be merged, land the plan again.`,
  };
}
