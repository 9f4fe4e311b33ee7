// Where every plan is, what it waits for, and what else a person should know.
import { fold } from '../../core/journal/fold.ts';
import type { Event } from '../../core/model/event.ts';
import { isBuilding } from '../../core/model/tasks.ts';
import type { PlanEntry, World } from '../../core/model/world.ts';
import type { LockHolder } from '../../core/ports/locks.ts';
import { decide } from '../../core/rules/decide.ts';
import { wallWords } from '../../core/settings/sandbox.ts';
import { type Asking, askingOf } from '../../core/views/asking.ts';
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
import { type OpenQuestion, openQuestions } from '../../core/views/questions.ts';
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
  /** How agents and the commands of the project run, where a wall around them is wanted. */
  readonly sandbox: string | null;
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
  return statusOf(await look(ports, request), request.plan);
}

function statusOf({ overall, world, entries, fileOf }: Seen, reference?: string): Status {
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

/** For a surface that shows all of it at once. */
export interface StatusOverview {
  readonly world: World;
  readonly status: Status;
  /** The plan that is asked for, or else the one that `status` shows; null where neither exists. */
  readonly plan: FullStatus['plans'][number] | null;
  /** It is a file that is not registered: the plan as it would be. */
  readonly isNew: boolean;
  readonly questions: readonly OpenQuestion[];
  readonly asks: readonly Asking[];
}

/** The status, one of its plans, and what is asked, from one look at the journal, the files and the host. */
export async function readOverview(ports: AppPorts, wanted: PlanFile | null): Promise<StatusOverview> {
  const seen = await look(ports, {});
  const { world, recorded, entries, fileOf, asking } = seen;
  const status = statusOf(seen);
  const entry = wanted === status.shown?.plan ? undefined : entries.find(({ plan }) => plan === wanted);
  const other = entry === undefined ? null : { ...viewPlan(world, entry), file: fileOf(entry) };
  const plan = wanted === null || wanted === status.shown?.plan ? status.shown : other;
  const common = { world: recorded, status, questions: openQuestions(recorded), asks: asking };
  const file = wanted ?? status.active;
  if (plan !== null || file === null || !status.unregistered.includes(file)) return { ...common, plan, isNew: false };
  const found = planOfFile(ports, world, file);
  return { ...common, plan: found, isNew: found !== null };
}

/** As it would be once somebody registers it; null where nobody can. */
function planOfFile(ports: AppPorts, world: World, plan: PlanFile): StatusOverview['plan'] {
  const reading = ports.planFiles.read(plan);
  const by = ports.by;
  const now = ports.clock.now();
  const registering: Event = { kind: 'register', plan, by, description: '', topic: '', planFileExists: true };
  const registered = fold(world, decide(world, registering, now).records);
  const as = worldAsRead(registered, new Map([[plan, reading]]), now);
  const entry = as.plans.get(plan);
  return entry === undefined ? null : { ...viewPlan(as, entry), file: viewFile(entry, reading) };
}

type Seen = Awaited<ReturnType<typeof look>>;

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
  const full = ports.diskProblem();
  // The engine of a full disk complains of that, too.
  const problems = [ports.planState.problem(), full ?? ports.engine.problem()].filter(
    (problem) => problem !== undefined,
  );
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
    sandbox: wallWords(world.policy).join('; ') || null,
    quarantined: world.refused.size,
    unregistered: newestFirst.filter((plan) => !world.plans.has(plan)).sort(),
    problems: [...problems, ...settingProblems(world), ...floodProblems(world)],
  };
  const fileOf = (entry: PlanEntry): FileView => viewFile(entry, readings.get(entry.plan) ?? { kind: 'missing' });
  return { overall, recorded, world, asking, entries: [...world.plans.values()].filter(isWanted), fileOf };
}

function isArchived({ archived }: PlanEntry): boolean {
  return archived !== undefined;
}

/** While a plan is being built, changed settings are among what waits for a person. */
function settingProblems(world: World): readonly string[] {
  if (world.proposed === undefined || isBuilding(world)) return [];
  return [
    `The settings changed while a plan was being built. The change does not apply until you accept it: ${changeWords(world.policy, world.proposed)}.`,
  ];
}

/** Refused signals that are in no list. */
function floodProblems({ counted = {} }: World): readonly string[] {
  return Object.entries(counted).map(
    ([source, { count, why }]) =>
      `${count} more refused signals from ${showText(source)} were only counted, because there were too many; they are in quarantine/counted. The first reason: ${why}`,
  );
}
