// Moves of branches as the journal knows them: each is recorded before it happens, and one that was cut off is finished.
import type { Commit, IntendedMove, PlanBase } from '../../core/model/commit.ts';
import type { Effect } from '../../core/model/effect.ts';
import type { Event } from '../../core/model/event.ts';
import { Failure } from '../../core/model/failure.ts';
import type { Incident, PlanWork } from '../../core/model/run.ts';
import { incidentWords } from '../../core/model/stops.ts';
import type { World } from '../../core/model/world.ts';
import type { Intend } from '../../core/ports/merging.ts';
import type { FoundBase, RunWorktrees } from '../../core/ports/worktrees.ts';
import { branchOf, type PlanFile } from '../../plan/name.ts';
import type { RunPorts } from './ports.ts';
import { verifierOfMerges } from './run-verify.ts';

type Mover = Pick<RunPorts, 'gateway' | 'merging' | 'trees'>;
type PlanEffect = Extract<Effect, { readonly plan: PlanFile }>;

/** Records in the journal that this effect is about to move a branch. */
export function intending(
  { gateway }: Pick<RunPorts, 'gateway'>,
  { plan, id: effect }: Pick<PlanEffect, 'plan' | 'id'>,
  branch: IntendedMove['branch'],
  base?: PlanBase,
): Intend {
  return async ({ from, to }) => {
    const move: IntendedMove = { effect, branch, from, to, ...(base === undefined ? {} : { base }) };
    const { answers } = await gateway.submit([{ kind: 'intend-move', plan, move }], 'then');
    return answers[0]?.kind === 'accepted';
  };
}

/** Where the journal has the plan branch, after a move of it that was cut off is finished. */
export async function knownBranch(ports: Mover, plan: PlanFile): Promise<{ world: World; work: PlanWork }> {
  const world = await ports.gateway.confirmed();
  const work = workIn(world, plan);
  const { moving } = work;
  if (moving === null || moving.branch !== 'plan') return { world, work };
  const answer = await ports.merging.finish({ plan, branch: branchOf(plan), from: moving.from, to: moving.to });
  if (answer.kind === 'occupied') throw new Failure('person', 'occupied', answer.why);
  if (answer.kind === 'moved') throw await movedAway(ports, plan);
  if (answer.kind === 'merged') await ports.gateway.submit([finished(world, plan, moving)], 'then');
  const after = await ports.gateway.confirmed();
  return { world: after, work: workIn(after, plan) };
}

function workIn(world: World, plan: PlanFile): PlanWork {
  const work = world.plans.get(plan)?.work;
  if (work === undefined) throw new Failure('failed', 'no-run', `cadre does not build ${plan}.`);
  return work;
}

function finished({ outbox }: World, plan: PlanFile, { effect, to }: IntendedMove): Event {
  return outbox.get(effect)?.do === 'merge'
    ? { kind: 'result', effect, result: { of: 'merge', tip: to } }
    : { kind: 'branch-moved', plan, tip: to };
}

/** Reads where the plan branch is. If that is not where cadre left it, it is recorded as an incident, which is returned. */
export async function lookForIncident(
  { gateway, trees }: Pick<RunPorts, 'gateway' | 'trees'>,
  plan: PlanFile,
  base?: PlanBase,
): Promise<Incident | null> {
  // In this order: what cadre does in between is not an incident.
  const { tip: expected, incident } = workIn(await gateway.confirmed(), plan);
  const found = (await trees.tipOf(plan)) ?? null;
  const more = base === undefined ? {} : { base };
  await gateway.submit(
    [{ kind: 'branch-seen', plan, expected, found, incident: incident?.at ?? null, ...more }],
    'then',
  );
  return workIn(await gateway.confirmed(), plan).incident;
}

/** For an effect that found the plan branch elsewhere and cannot continue. */
export async function movedAway(...looking: Parameters<typeof lookForIncident>): Promise<Failure> {
  const incident = await lookForIncident(...looking);
  if (incident !== null) return new Failure('person', 'incident', incidentWords(incident));
  return new Failure('failed', 'waits', `${branchOf(looking[1])} is being moved.`);
}

/** The base branch of the plan, as the settings or the journal name it. */
export function baseOf(
  { trees, settings }: { readonly trees: RunWorktrees; readonly settings: { readonly baseBranch: string | undefined } },
  plan: PlanFile,
  { base }: Pick<PlanWork, 'base'>,
): Promise<FoundBase> {
  return trees.baseOf(plan, settings.baseBranch ?? base?.branch);
}

/** The tip of the plan branch, which is created if there is none, and brought up to date with its base. */
export async function preparePlanBranch(ports: RunPorts, effect: PlanEffect): Promise<Commit> {
  const { plan } = effect;
  const { work } = await knownBranch(ports, plan);
  if (work.tip === null) return createPlanBranch(ports, effect, work);
  if (ports.settings.syncBase) await syncBase(ports, effect);
  return (await knownBranch(ports, plan)).work.tip ?? work.tip;
}

async function createPlanBranch(ports: RunPorts, effect: PlanEffect, work: PlanWork): Promise<Commit> {
  const { plan } = effect;
  const { branch, commit } = await baseOf(ports, plan, work);
  const base = { branch, commit };
  const found = await ports.trees.tipOf(plan);
  // A branch without its own commits can be used as it is.
  if (found !== undefined && !(await ports.merging.contains(commit, found))) throw await movedAway(ports, plan, base);
  // Without the answer: a run that is launched at the same time may have been first.
  await intending(ports, effect, 'plan', base)({ from: found ?? null, to: found ?? commit });
  const { tip } = (await knownBranch(ports, plan)).work;
  if (tip === null) throw new Failure('failed', 'waits', `${branchOf(plan)} could not be created yet.`);
  return tip;
}

/** Merges the base into the plan branch before the next run starts. What cannot be merged waits for the plan's review. */
async function syncBase(ports: RunPorts, effect: PlanEffect): Promise<void> {
  const { plan } = effect;
  const { world, work } = await knownBranch(ports, plan);
  if (work.tip === null || work.incident !== null || isMerging(world, plan)) return;
  const base = await baseOf(ports, plan, work);
  const [planBranch, onto] = [branchOf(plan), base.branch];
  const request = { plan, tip: work.tip, base, message: `Merge ${onto} into ${planBranch}` };
  const intend = intending(ports, effect, 'plan', { branch: onto, commit: base.commit });
  const answer = await ports.merging.syncBase(request, verifierOfMerges(ports, world, plan), intend);
  if (answer.kind === 'merged')
    await ports.gateway.submit([{ kind: 'branch-moved', plan, tip: answer.commit }], 'then');
  // The run starts from the commit in the journal.
  if (answer.kind === 'moved') await lookForIncident(ports, plan);
  if (answer.kind === 'conflict')
    ports.warn({
      plan,
      text: `${planBranch} conflicts with ${onto} in ${answer.files.join(', ')}. Runs start from ${planBranch} as it is.`,
    });
  if (answer.kind === 'unverified')
    ports.warn({
      plan,
      text: `The new commits on ${onto} do not pass verification on ${planBranch}, so they are not merged yet.`,
    });
}

function isMerging(world: World, plan: PlanFile): boolean {
  return [...world.outbox.values()].some((effect) => effect.do === 'merge' && effect.plan === plan);
}
