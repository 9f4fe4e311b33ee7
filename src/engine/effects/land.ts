// Lands a finished plan as its settings say: by hand, on its local base branch, or by a pull request.

import { short } from '../../core/model/commit.ts';
import type { Effect } from '../../core/model/effect.ts';
import type { EffectResult } from '../../core/model/event.ts';
import type { PlanWork } from '../../core/model/run.ts';
import type { World } from '../../core/model/world.ts';
import type { LandRequest, MergeAnswer } from '../../core/ports/merging.ts';
import type { PullOutcome, PullRequest } from '../../core/ports/pull-requests.ts';
import { branchOf, type PlanFile } from '../../plan/name.ts';
import { quoteForShell } from '../../text/shell.ts';
import { showText } from '../../text/show.ts';
import { baseOf, intending, knownBranch, movedAway } from './branch-moves.ts';
import { isCutShort, type RunPorts, whyOf, withdrawn } from './ports.ts';

type LandEffect = Extract<Effect, { do: 'land' }>;

/** If git refuses, the result says why, and a person can try again. */
export async function landPlan(ports: RunPorts, world: World, effect: LandEffect): Promise<EffectResult> {
  try {
    return await land(ports, world, effect);
  } catch (error) {
    if (isCutShort(error)) throw error;
    return { of: 'land', ok: false, text: whyOf(error) };
  }
}

async function land(ports: RunPorts, world: World, effect: LandEffect): Promise<EffectResult> {
  const { plan } = effect;
  const { trees, settings } = ports;
  const { work } = await knownBranch(ports, plan);
  const [planBranch, { branch: base }] = [branchOf(plan), await baseOf(ports, plan, work)];
  if (work.tip === null)
    return { of: 'land', ok: true, text: `Nothing was merged into ${planBranch}, so there is nothing to land.` };
  const found = await trees.tipOf(plan);
  if (found === undefined || found !== work.tip) throw await movedAway(ports, plan);
  if (settings.land === 'manual')
    return { of: 'land', ok: false, text: await wordsByHand(ports, plan, base), byHand: true };
  if (!(await ports.gateway.confirmed()).outbox.has(effect.id)) throw withdrawn();
  if (settings.land === 'pr')
    return pullResult(await mergePull(ports, world, { plan, commit: found, into: base }), base);
  return landResult(await landHere(ports, effect, work, { tip: found, base }), { planBranch, base });
}

/** An agent may have created a tag with the name of the branch, which git would prefer. */
async function wordsByHand({ trees }: RunPorts, plan: PlanFile, base: string): Promise<string> {
  const [branch, shadow] = [branchOf(plan), await trees.shadowOf(plan)];
  const name = shadow === undefined ? branch : `refs/heads/${branch}`;
  const text = `The plan is on ${branch}. To merge it into ${base}: ${quoteForShell(['git', 'merge', name])}`;
  return shadow === undefined
    ? text
    : `${text} (git takes "${branch}" for ${showText(shadow)}, which cadre did not create)`;
}

/** On the local base branch, where others may commit at the same time. */
async function landHere(
  ports: RunPorts,
  effect: LandEffect,
  { moving }: PlanWork,
  { tip, base }: Pick<LandRequest, 'tip' | 'base'>,
): Promise<MergeAnswer> {
  if (moving?.effect === effect.id) {
    const finished = await ports.merging.finish({ branch: base, from: moving.from, to: moving.to });
    if (finished.kind === 'merged' || finished.kind === 'occupied') return finished;
  }
  const request = { tip, base, message: `Merge ${branchOf(effect.plan)}` };
  for (let tries = 1; ; tries++) {
    const answer = await ports.merging.land(request, intending(ports, effect, 'base'));
    if (answer.kind !== 'moved' || tries === MAX_TRIES) return answer;
  }
}

const MAX_TRIES = 3;

function landResult(
  answer: MergeAnswer,
  { planBranch, base }: { readonly planBranch: string; readonly base: string },
): EffectResult {
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
      return {
        of: 'land',
        ok: false,
        text: `${base} moved while ${planBranch} was merged into it. Land the plan again.`,
      };
  }
}

interface PlanPull extends Pick<PullRequest, 'commit' | 'into'> {
  readonly plan: PlanFile;
}

async function mergePull({ pulls }: RunPorts, world: World, { plan, commit, into }: PlanPull): Promise<PullOutcome> {
  const head = branchOf(plan);
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
