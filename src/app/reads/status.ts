// Where every plan is, what it waits for, and what else a person should know.
import { isBuilding } from '../../core/model/tasks.ts';
import type { PlanEntry, World } from '../../core/model/world.ts';
import type { LockHolder } from '../../core/ports/locks.ts';
import { askingOf } from '../../core/views/asking.ts';
import { askNeeds, type Need, needsIn } from '../../core/views/needs.ts';
import {
  activePlan,
  type FileView,
  type PlanRow,
  type PlanView,
  viewFile,
  viewPlan,
  viewPlanRow,
} from '../../core/views/plan.ts';
import { changeWords } from '../../core/views/proposed.ts';
import { sessionsInUse } from '../../core/views/sessions-in-use.ts';
import type { PlanFile } from '../../plan/name.ts';
import { showText } from '../../text/show.ts';
import type { AppPorts } from '../ports.ts';
import { type SessionShown, viewSessions } from '../sessions.ts';
import { planNamed } from '../targets.ts';
import { usableReadings, worldAsRead } from './world.ts';

interface Overall {
  readonly repo: string;
  readonly engine: LockHolder | null;
  readonly waitingSignals: number;
  readonly active: PlanFile | null;
  readonly needsYou: readonly Need[];
  readonly frozen: boolean;
  /** All plans are paused. */
  readonly paused: boolean;
  readonly sessions: readonly SessionShown[];
  /** How many archived plans are not listed. */
  readonly archived: number;
  readonly quarantined: number;
  readonly unregistered: readonly string[];
  readonly problems: readonly string[];
}

type WithFile<Plan> = Plan & { readonly file: FileView };

export interface Status extends Overall {
  /** As rows: of thousands of plans, a person sees the tasks of one. */
  readonly plans: readonly WithFile<PlanRow>[];
  /** The plan that is named, or else the active one; null if it is not registered. */
  readonly shown: WithFile<PlanView> | null;
}

export interface FullStatus extends Overall {
  readonly plans: readonly WithFile<PlanView>[];
}

/** Archived plans are listed only where all are asked for, or one of them by its name. */
export interface StatusRequest {
  readonly plan?: string | undefined;
  readonly all?: boolean;
}

/** Of all plans, or of the one that is named. */
export async function readStatus(ports: AppPorts, request: StatusRequest = {}): Promise<Status> {
  const { overall, world, entries, fileOf } = await look(ports, request);
  const reference = request.plan;
  const shown = entries.find(({ plan }) => reference !== undefined || plan === overall.active);
  return {
    ...overall,
    plans: entries.map((entry) => Object.assign(viewPlanRow(world, entry), { file: fileOf(entry) })),
    shown: shown === undefined ? null : { ...viewPlan(world, shown), file: fileOf(shown) },
  };
}

/** The same with everything about every plan. */
export async function readFullStatus(ports: AppPorts, request: StatusRequest = {}): Promise<FullStatus> {
  const { overall, world, entries, fileOf } = await look(ports, request);
  const plans = entries.map((entry) => Object.assign(viewPlan(world, entry), { file: fileOf(entry) }));
  return { ...overall, plans };
}

async function look(ports: AppPorts, { plan: reference, all = false }: StatusRequest) {
  const recorded = await ports.gateway.look();
  const only = reference === undefined ? undefined : planNamed(recorded, reference).plan;
  const isWanted = ({ plan, archived }: PlanEntry): boolean =>
    only === undefined ? all || archived === undefined : plan === only;
  const { readings: found, newestFirst } = ports.planFiles.survey(
    [...recorded.plans.values()].filter((entry) => isWanted(entry) && !isArchived(entry)),
  );
  const readings = usableReadings(recorded, found);
  const world = worldAsRead(recorded, readings, ports.clock.now());
  const problems = [ports.planState.problem(), ports.diskProblem()].filter((problem) => problem !== undefined);
  const inUse = sessionsInUse(world, ports.clock.now());
  const sessions = await viewSessions(ports, inUse);
  const asking = inUse
    .filter(({ plan }) => only === undefined || plan === only)
    .flatMap((entry) => {
      const activity = sessions.find(({ session }) => session === entry.id)?.activity ?? null;
      return activity === null ? [] : askingOf(world, entry, activity);
    });
  const overall: Overall = {
    repo: ports.root,
    engine: ports.engine.holder() ?? null,
    waitingSignals: ports.signals.waiting(),
    active: activePlan(world, newestFirst) ?? null,
    needsYou: [...needsIn(world, only), ...askNeeds(world, asking)],
    frozen: world.frozen,
    paused: world.paused,
    sessions,
    archived: only === undefined && !all ? [...world.plans.values()].filter(isArchived).length : 0,
    quarantined: world.refused.size,
    unregistered: newestFirst.filter((plan) => !world.plans.has(plan)).sort(),
    problems: [...problems, ...settingProblems(world), ...floodProblems(world)],
  };
  const fileOf = (entry: PlanEntry): FileView => viewFile(entry, readings.get(entry.plan) ?? { kind: 'missing' });
  return { overall, world, entries: [...world.plans.values()].filter(isWanted), fileOf };
}

function isArchived({ archived }: PlanEntry): boolean {
  return archived !== undefined;
}

/** While a plan is being built, changed settings are among what waits for a person. */
function settingProblems(world: World): readonly string[] {
  if (world.proposed === undefined || isBuilding(world)) return [];
  return [
    `The settings changed while a plan was being built, and do not apply until you accept that: ${changeWords(world.policy, world.proposed)}.`,
  ];
}

/** Refused signals that are in no list. */
function floodProblems({ counted = {} }: World): readonly string[] {
  return Object.entries(counted).map(
    ([source, { count, why }]) =>
      `${count} more refused signals from ${showText(source)} were only counted, because there were too many; they are in quarantine/counted. The first reason: ${why}`,
  );
}
