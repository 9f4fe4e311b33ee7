// Actions on plans.
import { setTimeout as pause } from 'node:timers/promises';
import type { Decision } from '../../core/model/decision.ts';
import type { Event, Ruling } from '../../core/model/event.ts';
import { Failure } from '../../core/model/failure.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import { noSuchPlan, unknownFailure } from '../../core/model/refusals.ts';
import { type Suggestion, suggest } from '../../core/model/suggestion.ts';
import type { PlanEntry } from '../../core/model/world.ts';
import type { PlanReading } from '../../core/ports/plan-files.ts';
import { readEvents, usableReading } from '../../core/rules/plan/outline.ts';
import { fileRemarks } from '../../core/views/file-remarks.ts';
import { activePlan, fileProblem, isSettling } from '../../core/views/plan.ts';
import type { PlanEvent } from '../../machines/plan.ts';
import { lastSegment, type PlanFile, planFile } from '../../plan/name.ts';
import { showLines, showName } from '../../text/show.ts';
import { importSuggestions, textIfReadable } from '../foreign-file.ts';
import type { AppPorts, Preflight, RunOptions } from '../ports.ts';
import { planAmong, planNamed } from '../targets.ts';
import { type ActionRow, type Performed, type Refused, type Request, type RulingInput, refuse } from './action.ts';
import { type Extras, preview, refusal, submit } from './submit.ts';

type PlanAction = 'run' | 'register' | 'use' | 'move' | 'cancel' | 'reopen' | 'start-over' | 'adopt' | 'land';

export const PLAN_ACTIONS: { readonly [name in PlanAction]: ActionRow<name> } = {
  run: {
    subject: 'plan',
    help: 'Build a plan: launch each task as soon as it may start',
    confirm: null,
    personOnly: false,
    perform: run,
  },
  register: {
    subject: 'plan',
    help: 'Register a plan file in docs/plans',
    confirm: null,
    personOnly: false,
    perform: register,
  },
  use: {
    subject: 'plan',
    help: 'Choose the active plan',
    confirm: null,
    personOnly: false,
    perform: use,
  },
  move: {
    subject: 'plan',
    help: 'Send a plan any event of its state machine',
    confirm: null,
    personOnly: false,
    perform: async ({ ports, on, input: { event, feedback } }) => performMove(ports, on, event, feedback),
  },
  cancel: {
    subject: 'plan',
    help: 'Cancel a plan; everything built so far is kept',
    confirm: 'Cancel the plan and stop its agents?',
    personOnly: false,
    perform: ({ ports, on }) => performMove(ports, on, 'cancel'),
  },
  reopen: {
    subject: 'plan',
    help: 'Reopen a cancelled plan, for planning',
    confirm: null,
    personOnly: false,
    perform: ({ ports, on }) => performMove(ports, on, 'reopen'),
  },
  'start-over': {
    subject: 'plan',
    help: 'Start a finished plan over, from planning',
    confirm: 'Start the plan over from its base branch?',
    personOnly: false,
    perform: ({ ports, on }) => performMove(ports, on, 'start_over'),
  },
  adopt: {
    subject: 'plan',
    help: 'Adopt the status in plan-state.json where it differs from the journal',
    confirm: null,
    personOnly: false,
    perform: adopt,
  },
  land: {
    subject: 'plan',
    help: 'Land a finished plan on its base branch',
    confirm: 'Bring the plan branch into its base branch?',
    personOnly: true,
    perform: land,
  },
};

export async function performMove(
  ports: AppPorts,
  on: string | undefined,
  event: PlanEvent,
  feedback?: string,
): Promise<Performed> {
  if (feedback !== undefined && event !== 'review_changes_requested')
    return refuse('no-feedback', `"${event}" takes no feedback; only "review_changes_requested" does.`);
  const entry = planNamed(await ports.gateway.look(), on ?? '');
  const { plan } = entry;
  const landing = event === 'review_approved' ? await ports.facts.ofLanding(entry) : undefined;
  const seen = event === 'review_approved' ? await ports.facts.ofBranches(entry) : [];
  // A plan is built from what its file says now.
  const reading = event === 'implement_start' ? usableReading(entry, ports.planFiles.read(plan)) : undefined;
  const problem = reading === undefined ? undefined : fileProblem(plan, reading);
  return stepPlan(
    ports,
    {
      kind: 'move',
      plan,
      event,
      by: ports.by,
      ...(feedback === undefined ? {} : { feedback }),
      ...(problem === undefined ? {} : { fileProblem: problem }),
      ...(landing === undefined ? {} : { landing }),
    },
    { before: [...seen, ...(reading === undefined ? [] : readEvents(plan, reading))] },
  );
}

/** About findings of the review of a whole plan; it may send the plan back. */
export async function rulePlan(
  ports: AppPorts,
  { plan }: PlanEntry,
  ruling: Ruling,
  { findings, why }: RulingInput,
): Promise<Performed> {
  const submitted = await submit(ports, {
    kind: 'rule-plan',
    plan,
    ruling,
    by: ports.by,
    ...(findings === undefined ? {} : { findings }),
    ...(why === undefined ? {} : { text: why }),
  });
  if (submitted.kind === 'refused') return submitted;
  const { record = null, notes } = submitted;
  const world = await ports.gateway.look();
  return {
    kind: 'done',
    changed: true,
    record,
    world,
    plan: planNamed(world, plan),
    engine: ports.engine.holder() ?? null,
    notes,
  };
}

type PlanStep = Extract<Event, { readonly kind: 'move' | 'register' | 'adopt' }>;

async function stepPlan(ports: AppPorts, event: PlanStep, extras: Extras = {}): Promise<Performed> {
  const submitted = await submit(ports, event, extras);
  if (submitted.kind === 'refused') return withLint(ports, submitted, event.plan);
  const { record, notes } = submitted;
  const move = record?.moves[0];
  const world = await ports.gateway.look();
  const plan = move === undefined ? undefined : world.plans.get(move.plan);
  if (record === undefined || plan === undefined) throw new Error(`"${event.kind}" was accepted and moved nothing.`);
  if (event.kind === 'move' && event.event !== record.event) return notApproved(record, notes);
  return { kind: 'done', changed: true, record, world, plan, engine: ports.engine.holder() ?? null, notes };
}

/** A refusal names only the first error of a plan file; lint lists them all. A list of another tool can be imported. */
function withLint(ports: AppPorts, refused: Refused, plan: string): Refused {
  const file = planFile(plan);
  if (refused.code !== 'unusable-file' || file === undefined || !ports.repository.planFileExists(plan)) return refused;
  const foreign = suggestImport(ports, file);
  return { ...refused, try: [...refused.try, ...(foreign.length > 0 ? foreign : [suggest('plan-lint', plan)])] };
}

/** For a file in docs/plans that is not a plan. */
export function suggestImport(ports: AppPorts, plan: PlanFile): readonly Suggestion[] {
  return importSuggestions(ports, `${ports.planFiles.folder}/${plan}`, `docs/plans/${plan}`);
}

/** The same for a plan that was read, and has checkboxes instead of tasks. */
export function suggestForRemarks(ports: AppPorts, plan: PlanFile, reading: PlanReading): readonly Suggestion[] {
  const isForeign = reading.kind === 'read' && reading.problems.some(({ code }) => code === 'foreign-tasks');
  return isForeign ? suggestImport(ports, plan) : [];
}

/** A plan that cannot land gets a new task for the cause instead of the approval. */
function notApproved(record: JournalRecord, notes: readonly string[]): Refused {
  const made = record.changes?.flatMap((change) => (change.of === 'fix-task' ? [change.task] : [])) ?? [];
  const feedback = 'feedback' in record ? showLines(record.feedback ?? '') : '';
  const plan = record.moves[0]?.plan;
  const message = `${plan} is not approved: it cannot land, so task ${made.join()} was added.\n\n${feedback}`;
  return refuse('conflict', message, { notes });
}

async function register({ ports, on, input }: Request<'register'>): Promise<Performed> {
  const plan = fileToRegister(ports, on ?? '');
  const foreign = ports.repository.planFileExists(plan) ? [] : importSuggestions(ports, on ?? '');
  const isElsewhere = !ports.repository.planFileExists(plan) && textIfReadable(ports, on ?? '') !== undefined;
  if (foreign.length > 0 || isElsewhere) throw notInPlans(on ?? '', foreign, 'register');
  const file = planFile(plan);
  if (file === undefined) return stepPlan(ports, registration(ports, plan, input));
  const reading = ports.planFiles.read(file);
  const problem = fileProblem(file, reading);
  if (problem !== undefined && isNoPlan(reading))
    return refuse('unusable-file', `${file} is not a plan. ${problem}`, { try: suggestImport(ports, file) });
  const done = await stepPlan(ports, registration(ports, plan, input), { after: readEvents(file, reading) });
  if (done.kind === 'refused') return done;
  const remarks = problem === undefined ? fileRemarks(file, reading) : [`It cannot be built yet: ${problem}`];
  return { ...done, notes: [...done.notes, ...remarks], try: suggestForRemarks(ports, file, reading) };
}

/** What no edit turns into a plan: a file in another format. A plan with mistakes can be registered, and fixed later. */
function isNoPlan(reading: PlanReading): boolean {
  return reading.kind === 'unusable' && reading.problems.some(({ code }) => NO_PLAN.has(code));
}

const NO_PLAN: ReadonlySet<string> = new Set(['not-markdown', 'not-text', 'unreadable']);

/** The file that has the name; without one, the file that is found by it. A file that does not exist is named in the refusal. */
function fileToRegister({ planFiles, repository }: AppPorts, typed: string): string {
  const name = lastSegment(typed);
  const plan = name.endsWith('.md') ? name : `${name}.md`;
  if (name === '' || repository.planFileExists(plan)) return plan;
  return planAmong(planFiles.list(), name) ?? plan;
}

function registration(
  { by, repository }: AppPorts,
  plan: string,
  { description = repository.titleOf(plan), topic = '' }: Request<'register'>['input'] = {},
): PlanStep {
  return { kind: 'register', plan, by, description, topic, planFileExists: repository.planFileExists(plan) };
}

async function adopt({ ports, on }: Request<'adopt'>): Promise<Performed> {
  const { plan } = planNamed(await ports.gateway.look(), on ?? '');
  const fileStatus = ports.planState.statusOf(plan);
  return stepPlan(ports, {
    kind: 'adopt',
    plan,
    by: ports.by,
    ...(fileStatus === undefined ? {} : { fileStatus }),
  });
}

async function land({ ports, on }: Request<'land'>): Promise<Performed> {
  const { plan } = planNamed(await ports.gateway.look(), on ?? '');
  const submitted = await submit(ports, { kind: 'land', plan, by: ports.by });
  if (submitted.kind === 'refused') return submitted;
  const engine = await ports.engine.start({ headless: false });
  const world = await ports.gateway.look();
  const entry = world.plans.get(plan);
  if (entry === undefined) throw new Error(`${plan} disappeared.`);
  const { record = null, notes } = submitted;
  return { kind: 'done', changed: true, record, world, plan: entry, engine, notes };
}

async function use(request: Request<'use'>): Promise<Performed> {
  const { ports, on, input } = request;
  const { newest = false } = input;
  if (newest === (on !== undefined)) return refuse('usage', 'Name a plan, or ask for the newest one, but not both.');
  const world = await ports.gateway.look();
  const plan = on === undefined ? null : planAmong(plansKnown(ports, world.plans.keys()), on);
  if (plan === undefined) {
    const { why, try: instead } = noSuchPlan(on ?? '', plansKnown(ports, world.plans.keys()));
    return refuse('unknown-plan', why, { try: instead });
  }
  const isNew = plan !== null && !world.plans.has(plan);
  const before = isNew ? [registration(ports, plan), ...readEvents(plan, ports.planFiles.read(plan))] : [];
  const { answers, notes } = await ports.gateway.attempt([...before, { kind: 'choose', plan, by: ports.by }]);
  if (answers.some(isRegisteredMeanwhile)) return use(request);
  for (const answer of answers) if (answer.kind === 'refused') return refusal(answer, notes);
  const after = await ports.gateway.look();
  const remarks = isNew ? [`${plan} was not registered yet, so it was registered.`] : [];
  return {
    kind: 'done',
    changed: answers.at(-1)?.kind === 'accepted',
    record: answers.at(-1)?.records[0] ?? null,
    world: after,
    active: activePlan(after, ports.planFiles.list()) ?? null,
    engine: ports.engine.holder() ?? null,
    notes: [...notes, ...remarks],
  };
}

/** Somebody else registered the plan after we looked; it is known now, so the same request needs no registration. */
function isRegisteredMeanwhile(answer: Decision): boolean {
  return answer.kind === 'refused' && answer.code === 'already-known';
}

function plansKnown({ planFiles }: AppPorts, registered: Iterable<PlanFile>): ReadonlySet<PlanFile> {
  return new Set([...registered, ...planFiles.list()]);
}

/**
 * Registers the plan where it is new, asks for it to be built, and makes sure that an engine runs. Everything that may
 * prevent it is checked first.
 */
async function run(request: Request<'run'>): Promise<Performed> {
  const { ports, on, input } = request;
  const plan = await planToRun(ports, on);
  const { before, run: start, reading } = await eventsOnceSettled(ports, plan);
  const no = await preview(ports, [...before, start]);
  if (no !== undefined) return withLint(ports, no, plan);
  ports.engine.check(input);
  const { policy, warnings } = await passedPreflight(ports, input);
  // Until an engine has recorded the settings, tasks would be launched with the defaults.
  const settings: readonly Event[] = ports.engine.holder() === undefined ? [{ kind: 'policy', policy }] : [];
  const { answers, notes } = await ports.gateway.attempt([...settings, ...before, start]);
  if (answers.some(isRegisteredMeanwhile)) return run(request);
  for (const answer of answers) if (answer.kind === 'refused') return withLint(ports, refusal(answer, notes), plan);
  const engine = await ports.engine.start(input);
  const world = await ports.gateway.look();
  const entry = world.plans.get(plan);
  if (entry === undefined) throw new Error(`${plan} was accepted and is not known.`);
  const record = answers.at(-1)?.records[0] ?? null;
  const remarks = [...warnings, ...notes, ...fileRemarks(plan, reading)];
  const instead = suggestForRemarks(ports, plan, reading);
  return { kind: 'done', changed: record !== null, record, world, plan: entry, engine, notes: remarks, try: instead };
}

export async function passedPreflight(ports: AppPorts, options: RunOptions): Promise<Preflight> {
  const preflight = await ports.preflight(options);
  const { problem } = preflight;
  if (problem === undefined) return preflight;
  const { code, why, try: instead = [] } = problem;
  throw new Failure('environment', code, why, { try: instead });
}

export interface EventsToBuild {
  /** What makes the plan known as its file has it. */
  readonly before: readonly Event[];
  readonly run: Event;
  readonly reading: PlanReading;
}

const LOOK_AGAIN_AFTER = 200;
/** Somebody who edits for longer than this still gets an answer, and the engine applies the change later. */
const SETTLES_WITHIN = 10_000;

/** What a person changed right before "run" belongs to it. */
async function eventsOnceSettled(ports: AppPorts, plan: PlanFile): Promise<EventsToBuild> {
  const started = ports.clock.elapsed();
  for (;;) {
    const events = await eventsToBuild(ports, plan);
    const { reading } = events;
    const settles = reading.kind === 'unusable' && isSettling(reading.problems);
    if (!settles || ports.clock.elapsed() - started > SETTLES_WITHIN) return events;
    await pause(LOOK_AGAIN_AFTER);
  }
}

export async function eventsToBuild(ports: AppPorts, plan: PlanFile): Promise<EventsToBuild> {
  const entry = (await ports.gateway.look()).plans.get(plan);
  const reading = usableReading(entry, ports.planFiles.read(plan));
  const problem = fileProblem(plan, reading);
  return {
    before: [...(entry === undefined ? [registration(ports, plan)] : []), ...readEvents(plan, reading)],
    run: { kind: 'run', plan, by: ports.by, ...(problem === undefined ? {} : { fileProblem: problem }) },
    reading,
  };
}

/** By its path, by its name, or the active one; also one that is not registered yet. */
export async function planToRun(ports: AppPorts, reference: string | undefined): Promise<PlanFile> {
  const { planFiles, repository } = ports;
  const world = await ports.gateway.look();
  const files = planFiles.list();
  const plan =
    reference === undefined
      ? activePlan(world, files)
      : (repository.planAt(reference) ?? planAmong(plansKnown(ports, world.plans.keys()), reference));
  if (plan !== undefined && (world.plans.has(plan) || repository.planFileExists(plan))) return plan;
  if (reference === undefined) throw noPlanFile();
  if (textIfReadable(ports, reference) !== undefined)
    throw notInPlans(reference, importSuggestions(ports, reference), 'run');
  throw unknownFailure('unknown-plan', noSuchPlan(reference, plansKnown(ports, world.plans.keys())));
}

export function noPlanFile(): Failure {
  return new Failure('usage', 'no-plan', 'There is no plan in docs/plans. Write one, or name a file.', {
    try: [suggest('plan-new')],
  });
}

function notInPlans(reference: string, foreign: readonly Suggestion[], verb: 'run' | 'register'): Failure {
  const why =
    foreign.length > 0
      ? listOfOthers(reference)
      : `"${showName(reference)}" is not in docs/plans, where plans are read from. Move it there, then ${verb} it again.`;
  return new Failure('usage', 'not-in-plans', why, { try: foreign });
}

function listOfOthers(path: string): string {
  return `"${showName(path)}" is a list of tasks in the format of another tool, not a plan.`;
}
