// Actions that end an incident: the branch goes back to where cadre left it, or the journal takes it as it is.
import type { Event } from '../../core/model/event.ts';
import type { Incident } from '../../core/model/run.ts';
import { incidentWords, worktreeIncidentWords } from '../../core/model/stops.ts';
import type { PlanEntry } from '../../core/model/world.ts';
import { incidentActions } from '../../core/views/incident.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { AppPorts } from '../ports.ts';
import { planNamed, taskNamed } from '../targets.ts';
import { type ActionRow, type Performed, type Request, refuse } from './action.ts';
import { submit } from './submit.ts';

type IncidentAction = 'incident-restore' | 'incident-take' | 'worktree-restore';

export const INCIDENT_ACTIONS: { readonly [name in IncidentAction]: ActionRow<name> } = {
  'incident-restore': {
    subject: 'plan',
    help: 'Move the plan branch back to the commit in the journal',
    confirm: 'Move the plan branch back? What is on it now is kept.',
    personOnly: true,
    perform: restore,
  },
  'worktree-restore': {
    subject: 'task',
    help: "Link the worktree of a task's run to the repository again",
    confirm: 'Restore the worktree? What is in it now is kept, and it is reset to its branch.',
    personOnly: true,
    perform: restoreWorktree,
  },
  'incident-take': {
    subject: 'plan',
    help: 'Take the plan branch, or the base branch, as it is',
    confirm: 'Take the branch as it is, with commits that nobody reviewed?',
    personOnly: true,
    perform: take,
  },
};

async function restore({ ports, on }: Request<'incident-restore'>): Promise<Performed> {
  const entry = planNamed(await ports.gateway.look(), on ?? '');
  const before = await ports.facts.ofBranches(entry);
  return decide(ports, { kind: 'incident-restore', plan: entry.plan, by: ports.by }, before);
}

/** The worktree is looked at first, because no engine may have noticed yet what was changed. */
async function restoreWorktree({ ports, on }: Request<'worktree-restore'>): Promise<Performed> {
  const newestFirst = (): readonly PlanFile[] => ports.planFiles.list();
  const { entry, task } = taskNamed({ world: await ports.gateway.look(), newestFirst }, on);
  const { plan } = entry;
  const event = { kind: 'worktree-restore', plan, task: task.id, by: ports.by } as const;
  return decide(ports, event, await ports.facts.ofLinks(entry));
}

async function take({ ports, on, input: { lost } }: Request<'incident-take'>): Promise<Performed> {
  const entry = planNamed(await ports.gateway.look(), on ?? '');
  const { plan } = entry;
  const before = await ports.facts.ofBranches(entry);
  const incident = entry.work?.incident ?? null;
  const found = incident === null ? '' : foundNow(incident, before);
  const missing = incident?.of === 'plan-branch' ? await ports.facts.lostWork(entry, found) : [];
  const choice = lost === undefined ? {} : { lost };
  return decide(ports, { kind: 'incident-take', plan, by: ports.by, found, missing, ...choice }, before);
}

/** The rules compare it with the commit that the person was shown. */
function foundNow(incident: Incident, seen: readonly Event[]): string {
  for (const event of seen) {
    if (incident.of === 'plan-branch' && event.kind === 'branch-seen') return event.found ?? '';
    if (incident.of === 'base' && event.kind === 'base-seen') return event.found.commit;
  }
  return incident.found ?? '';
}

type Decided = Extract<Event, { readonly kind: IncidentAction }>;

/** What was just seen of the branches is recorded first, so that the person decides about the branch as it is. */
async function decide(ports: AppPorts, event: Decided, before: readonly Event[]): Promise<Performed> {
  const submitted = await submit(ports, event, { before });
  if (submitted.kind === 'refused') return submitted;
  const { record, notes } = submitted;
  if (record === undefined) throw new Error(`"${event.kind}" was accepted and left no record.`);
  const warnings: string[] = [];
  const keep = (text: string): void => void warnings.push(text);
  await ports.engine.perform(
    (record.effects ?? []).map((effect) => effect.id),
    { tell: keep, warn: keep },
  );
  const world = await ports.gateway.look();
  const plan = world.plans.get(event.plan);
  if (plan === undefined) throw new Error(`${event.plan} disappeared.`);
  if (event.kind === 'incident-restore' && plan.work?.incident !== null) return notRestored(plan, notes);
  if (event.kind === 'worktree-restore') {
    const problem = plan.tasks.find(({ id }) => id === event.task)?.run?.incident ?? null;
    if (problem !== null) return refuse('incident', worktreeIncidentWords(problem), { notes });
  }
  const engine = ports.engine.holder() ?? null;
  return { kind: 'done', changed: true, record, world, plan, engine, notes: [...notes, ...warnings] };
}

function notRestored({ plan, work }: PlanEntry, notes: readonly string[]): Performed {
  const incident = work?.incident ?? null;
  if (incident === null) throw new Error(`${plan} has no incident.`);
  return refuse('incident', incidentWords(incident), { try: incidentActions(plan, incident), notes });
}
