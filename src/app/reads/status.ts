// Where every plan is, what it waits for, and what else a person should know.
import type { SessionEntry } from '../../core/model/session.ts';
import type { World } from '../../core/model/world.ts';
import type { LockHolder } from '../../core/ports/locks.ts';
import { type Need, needsIn } from '../../core/views/needs.ts';
import { activePlan, type FileView, type PlanView, viewFile, viewPlan } from '../../core/views/plan.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { AppPorts } from '../ports.ts';
import { type SessionShown, viewSessions } from '../sessions.ts';
import { planNamed } from '../targets.ts';
import { currentWorld } from './world.ts';

export interface Status {
  readonly repo: string;
  readonly engine: LockHolder | null;
  readonly waitingSignals: number;
  readonly active: PlanFile | null;
  readonly plans: readonly (PlanView & { readonly file: FileView })[];
  readonly needsYou: readonly Need[];
  readonly frozen: boolean;
  readonly sessions: readonly SessionShown[];
  readonly quarantined: number;
  readonly unregistered: readonly string[];
  readonly problems: readonly string[];
}

/** Of all plans, or of the one that is named. */
export async function readStatus(ports: AppPorts, reference?: string): Promise<Status> {
  const { world, readings } = await currentWorld(ports, (found) =>
    reference === undefined ? found.plans.values() : [planNamed(found, reference)],
  );
  const only = reference === undefined ? undefined : planNamed(world, reference).plan;
  const plans = [...world.plans.values()].filter(({ plan }) => only === undefined || plan === only);
  const problem = ports.planState.problem();
  return {
    repo: ports.root,
    engine: ports.engine.holder() ?? null,
    waitingSignals: ports.signals.waiting(),
    active: activePlan(world, ports.planFiles.list()) ?? null,
    // Added, not copied: a copy would compute the tasks of every plan.
    plans: plans.map((entry) =>
      Object.assign(viewPlan(world, entry), { file: viewFile(readings.get(entry.plan) ?? { kind: 'missing' }) }),
    ),
    needsYou: needsIn(world, only),
    frozen: world.frozen,
    sessions: await viewSessions(ports, sessionsInUse(world)),
    quarantined: world.refused.size,
    unregistered: ports.repository.unregistered(new Set(world.plans.keys())),
    problems: problem === undefined ? [] : [problem],
  };
}

/** The newest session of each place; of those that cadre started, only the running ones. The others are history. */
function sessionsInUse(world: World): readonly SessionEntry[] {
  return [...world.sessions.values()].filter(
    ({ followedBy, plan, wanted }) => followedBy === undefined && (plan === undefined || wanted === 'running'),
  );
}
