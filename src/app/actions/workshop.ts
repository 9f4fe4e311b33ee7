// Actions on workshops: open one, answer its questions, continue it, redo it, approve its plan.
import type { Event, PlanningAnswer } from '../../core/model/event.ts';
import { suggest } from '../../core/model/suggestion.ts';
import type { PlanEntry } from '../../core/model/world.ts';
import { readEvents } from '../../core/rules/plan/outline.ts';
import { programFor } from '../../core/settings/default-policy.ts';
import { type PlanFile, planFile } from '../../plan/name.ts';
import { showName } from '../../text/show.ts';
import type { AppPorts } from '../ports.ts';
import { planAmong, planNamed } from '../targets.ts';
import { type ActionRow, type Performed, type Request, refuse } from './action.ts';
import { refusal, submit } from './submit.ts';

type WorkshopAction = 'plan-new' | 'plan-answer' | 'plan-continue' | 'plan-settle' | 'plan-redo' | 'plan-approve';

export const WORKSHOP_ACTIONS: { readonly [name in WorkshopAction]: ActionRow<name> } = {
  'plan-new': {
    subject: 'plan',
    help: 'Work out a plan from a brief, in rounds with a planner',
    confirm: null,
    personOnly: true,
    perform: open,
  },
  'plan-answer': {
    subject: 'plan',
    help: 'Answer the question of a task, or the questions of a planner',
    confirm: null,
    personOnly: true,
    perform: async ({ ports, on, input }) =>
      answerQuestions(ports, planNamed(await ports.gateway.look(), on ?? ''), input.answers),
  },
  'plan-continue': {
    subject: 'plan',
    help: 'Allow a planner more rounds, or let it try again',
    confirm: null,
    personOnly: true,
    perform: async ({ ports, on }) => decided(ports, on, (plan) => ({ kind: 'workshop-continue', plan, by: ports.by })),
  },
  'plan-settle': {
    subject: 'plan',
    help: 'Have the plan written although the proposals still change',
    confirm: null,
    personOnly: true,
    perform: async ({ ports, on }) => decided(ports, on, (plan) => ({ kind: 'workshop-settle', plan, by: ports.by })),
  },
  'plan-redo': {
    subject: 'plan',
    help: 'Plan again from the brief; the transcript and the earlier plan are kept',
    confirm: null,
    personOnly: true,
    perform: async ({ ports, on, input }) => redoPlanning(ports, on, input.feedback),
  },
  'plan-approve': {
    subject: 'plan',
    help: 'Approve the plan of a workshop, and publish it in docs/plans',
    confirm: null,
    personOnly: true,
    perform: async ({ ports, on, input }) => approvePlan(ports, on, input.replace ?? false),
  },
};

async function open({ ports, on, input: { brief, name } }: Request<'plan-new'>): Promise<Performed> {
  const { policy, warnings } = await ports.preflight({ headless: false });
  const { program } = programFor(policy, 'planner');
  if (!ports.repository.isInstalled(program))
    return refuse(
      'no-program',
      `${showName(program)} is not installed. Install it, or choose another program for the planner.`,
      {
        try: [suggest('config-set', 'default_program', '<program>')],
      },
    );
  const settings: readonly Event[] = ports.engine.holder() === undefined ? [{ kind: 'policy', policy }] : [];
  const from = ports.repository.headCommit();
  const openAs = async (plan: string): Promise<Performed> => {
    const opening: Event = { kind: 'workshop-open', plan, by: ports.by, brief, from };
    const { answers, notes } = await ports.gateway.attempt([...settings, opening]);
    for (const answer of answers) if (answer.kind === 'refused') return refusal(answer, notes);
    const record = answers.at(-1)?.records.at(-1) ?? null;
    const done = await afterDecision(ports, plan as PlanFile);
    return { ...done, record, notes: [...warnings, ...notes] };
  };
  if (on !== undefined) return openAs(named(ports, on));
  for (;;) {
    const plan = newName(ports, name ?? brief, (await ports.gateway.look()).plans.keys());
    const opened = await openAs(plan);
    // Somebody may have taken the name since; then another one is free.
    if (opened.kind === 'done' || !(await ports.gateway.look()).plans.has(plan as PlanFile)) return opened;
  }
}

/** A plan that exists, by any of its names; otherwise the name as it was typed. */
function named({ planFiles }: AppPorts, typed: string): string {
  return planAmong(planFiles.list(), typed) ?? (typed.endsWith('.md') ? typed : `${typed}.md`);
}

/** `<date>-<words of the first line>.md`, with a number behind it where that is taken. */
function newName({ clock, repository }: AppPorts, words: string, known: Iterable<PlanFile>): string {
  const taken = new Set<string>(known);
  const slug = slugFrom(words.trim().split('\n', 1)[0] ?? '');
  const dated = /^\d{4}-\d{2}-\d{2}-/.test(slug) ? slug : `${dateOf(clock.now())}-${slug}`;
  for (let number = 1; ; number++) {
    const plan = `${dated}${number === 1 ? '' : `-${number}`}.md`;
    if (!taken.has(plan) && !repository.planFileExists(plan)) return plan;
  }
}

const LONGEST_SLUG = 40;

/** The first words of the text, as far as they fit a file name. */
function slugFrom(text: string): string {
  const words = text
    .replace(/\.md$/, '')
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, LONGEST_SLUG) : `${slug}-${word}`;
    if (longer.length > LONGEST_SLUG) break;
    slug = longer;
  }
  return planFile(`${slug}.md`) === undefined ? 'plan' : slug;
}

/** The person's own date, not that of Greenwich. */
function dateOf(now: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

async function decided(
  ports: AppPorts,
  on: string | undefined,
  eventFor: (plan: PlanFile) => Event,
): Promise<Performed> {
  const { plan } = planNamed(await ports.gateway.look(), on ?? '');
  const submitted = await submit(ports, eventFor(plan));
  if (submitted.kind === 'refused') return submitted;
  const { record = null, notes } = submitted;
  return { ...(await afterDecision(ports, plan)), record, notes };
}

/** What was decided lets the planner continue, so an engine has to run. */
async function afterDecision(ports: AppPorts, plan: PlanFile): Promise<Extract<Performed, { kind: 'done' }>> {
  const engine = await ports.engine.start({ headless: false });
  const world = await ports.gateway.look();
  return {
    kind: 'done',
    changed: true,
    record: null,
    world,
    plan: entryOf(world.plans.get(plan), plan),
    engine,
    notes: [],
  };
}

function entryOf(entry: PlanEntry | undefined, plan: string): PlanEntry {
  if (entry === undefined) throw new Error(`${plan} disappeared.`);
  return entry;
}

export function answerQuestions(
  ports: AppPorts,
  entry: PlanEntry,
  answers: readonly PlanningAnswer[],
): Promise<Performed> {
  return decided(ports, entry.plan, (plan) => ({ kind: 'workshop-answer', plan, by: ports.by, answers }));
}

export async function redoPlanning(ports: AppPorts, on: string | undefined, feedback = ''): Promise<Performed> {
  const from = ports.repository.headCommit();
  return decided(ports, on, (plan) => ({ kind: 'workshop-redo', plan, by: ports.by, feedback, from }));
}

/** The plan file is there when this returns, so that the plan can be run at once. */
export async function approvePlan(ports: AppPorts, on: string | undefined, replace: boolean): Promise<Performed> {
  const { plan } = planNamed(await ports.gateway.look(), on ?? '');
  const existing = publishedText(ports, plan);
  const submitted = await submit(ports, { kind: 'workshop-approve', plan, by: ports.by, existing, replace });
  if (submitted.kind === 'refused') return submitted;
  const { record, notes } = submitted;
  const warnings: string[] = [];
  const notify = { tell: () => undefined, warn: (text: string) => void warnings.push(text) };
  const publishing = (record?.effects ?? []).filter((effect) => effect.do === 'publish-plan').map(({ id }) => id);
  await ports.engine.perform(publishing, notify);
  await ports.gateway.submit(readEvents(plan, ports.planFiles.read(plan)));
  const world = await ports.gateway.look();
  const engine = ports.engine.holder() ?? null;
  return {
    kind: 'done',
    changed: true,
    record: record ?? null,
    world,
    plan: entryOf(world.plans.get(plan), plan),
    engine,
    notes: [...notes, ...warnings],
  };
}

function publishedText({ root, repository }: AppPorts, plan: PlanFile): string | null {
  return repository.planFileExists(plan) ? repository.readText(`${root}/docs/plans/${plan}`) : null;
}
