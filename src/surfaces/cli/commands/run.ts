// cadre run: a plan is built by itself, and this shows how. The engine that builds it goes on when one stops looking.
import { readEvents } from '../../../core/decide-outline.ts';
import { unknownPlan } from '../../../core/decide-plan.ts';
import type { Event } from '../../../core/events.ts';
import { Failure } from '../../../core/failure.ts';
import type { JournalRecord } from '../../../core/record.ts';
import { activePlan, fileProblem } from '../../../core/view.ts';
import { type PlanFile, showName } from '../../../plan/name.ts';
import type { App, RunWishes } from '../app.ts';
import {
  answer,
  type Context,
  ENVELOPE_VERSION,
  EXIT,
  type ExitCode,
  type Given,
  type Run,
  refuse,
  textOption,
} from '../context.ts';
import { oneOf } from '../find.ts';
import { endOf, needsYou } from '../progress.ts';
import { headLines, orderLines, progressLine } from '../progress-lines.ts';
import { recordJson } from '../record-json.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const wishes = wishesOf(given);
  const plan = planMeant(app, given.arguments[0]);
  if (given.options.dryRun === true) return tellOrder(context, app, plan);
  const ground = await app.groundFor(wishes);
  for (const warning of ground.warnings) context.say(warning);
  if (ground.problem !== undefined) throw new Failure('environment', ground.problem.code, ground.problem.why);
  const seq = app.gateway.look().seq;
  const { answers, notes } = await app.gateway.submit(eventsFor(app, plan));
  for (const note of notes) context.say(note);
  for (const outcome of answers) if (outcome.kind === 'refused') return refuse(context, outcome.code, outcome.why);
  const engine = await app.startEngine(wishes);
  const isStream = context.json || !context.isTerminal;
  if (isStream) stream(context, { run: plan, engine });
  else for (const line of headLines(app.gateway.look(), plan, engine)) context.print(line);
  return follow(context, app, plan, seq, isStream);
};

function wishesOf(given: Given): RunWishes {
  const parallel = textOption(given, 'maxParallel');
  if (parallel !== undefined && !/^[1-9]\d{0,2}$/.test(parallel))
    throw new Failure(
      'usage',
      'bad-number',
      `--max-parallel takes a number from 1 on, and "${showName(parallel)}" is none.`,
    );
  return {
    headless: given.options.headless === true,
    ...(parallel === undefined ? {} : { maxParallel: Number(parallel) }),
  };
}

/** By its path, by its name, or the active one; also one that nobody has registered yet. */
function planMeant(app: App, reference: string | undefined): PlanFile {
  const world = app.gateway.look();
  const files = app.planFiles.list();
  const plan =
    reference === undefined
      ? activePlan(world, files)
      : (app.planAt(reference) ?? oneOf(new Set([...world.plans.keys(), ...files]), reference));
  if (plan !== undefined && (world.plans.has(plan) || app.planFileExists(plan))) return plan;
  if (reference === undefined)
    throw new Failure('usage', 'no-plan', 'There is no plan in docs/plans. Write one, or name a file.');
  throw new Failure('usage', 'unknown-plan', unknownPlan(reference));
}

function eventsFor(app: App, plan: PlanFile): readonly Event[] {
  const isNew = !app.gateway.look().plans.has(plan);
  const reading = app.planFiles.read(plan);
  const problem = fileProblem(plan, reading);
  const registration: Event = {
    kind: 'register',
    plan,
    by: app.by,
    description: app.titleOf(plan),
    topic: '',
    planFileExists: app.planFileExists(plan),
  };
  return [
    ...(isNew ? [registration] : []),
    ...readEvents(plan, reading),
    { kind: 'run', plan, by: app.by, ...(problem === undefined ? {} : { fileProblem: problem }) },
  ];
}

async function tellOrder(context: Context, app: App, plan: PlanFile): Promise<ExitCode> {
  const reading = app.planFiles.read(plan);
  const problem = fileProblem(plan, reading);
  if (problem !== undefined) return refuse(context, 'unusable-file', `${plan} cannot be built from: ${problem}`);
  const ground = await app.groundFor({ headless: false });
  const world = app.preview([...eventsFor(app, plan).slice(0, -1)]);
  const lines = orderLines(world, plan, ground);
  answer(
    context,
    {
      plan,
      order: lines.waves,
      verify: ground.verify,
      programs: ground.programs,
      warnings: ground.warnings,
      problem: ground.problem?.why ?? null,
    },
    lines.text,
  );
  return EXIT.ok;
}

/** Until the plan is done, or until only a person can go on; or until one has seen enough. */
async function follow(context: Context, app: App, plan: PlanFile, seq: number, isStream: boolean): Promise<ExitCode> {
  const enough = new AbortController();
  const leave = (): void => enough.abort();
  context.stop.addEventListener('abort', leave, { once: true });
  let end = endOf(app.gateway.look(), plan);
  try {
    for await (const record of app.follow(seq, enough.signal)) {
      show(context, app, plan, record, isStream);
      end = endOf(app.gateway.look(), plan);
      if (end !== undefined) break;
    }
  } finally {
    context.stop.removeEventListener('abort', leave);
  }
  const world = app.gateway.look();
  if (end === undefined) {
    const text = `${plan} is still being built; the engine goes on in the background. "cadre run ${plan}" comes back to it, "cadre engine stop" stops the engine.`;
    if (isStream) stream(context, { left: plan });
    else context.say(text);
    return EXIT.ok;
  }
  const waiting = needsYou(world, plan);
  if (isStream) stream(context, { end: end.kind, plan, sentence: end.sentence, waiting });
  else for (const line of ['', end.sentence, ...waiting.map(({ sentence }) => `  ${sentence}`)]) context.print(line);
  return END_CODES[end.kind];
}

const END_CODES = { done: EXIT.ok, cancelled: EXIT.failed, person: EXIT.person, budget: EXIT.budget } as const;

function show(context: Context, app: App, plan: PlanFile, record: JournalRecord, isStream: boolean): void {
  if (isStream) context.print(JSON.stringify(recordJson(record)));
  else {
    const line = progressLine(app.gateway.look(), plan, record);
    if (line !== undefined) context.print(line);
  }
}

function stream(context: Context, value: object): void {
  context.print(JSON.stringify({ version: ENVELOPE_VERSION, ...value }));
}
