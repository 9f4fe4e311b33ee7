// cadre run: a plan is built by itself, and this shows how. The engine that builds it goes on when one stops looking.

import { Failure } from '../../../../core/model/failure.ts';
import type { JournalRecord } from '../../../../core/model/record.ts';
import { unknownFailure, unknownPlan } from '../../../../core/model/refusals.ts';
import { activePlan, fileProblem } from '../../../../core/views/plan.ts';
import type { PlanFile } from '../../../../plan/name.ts';
import { showLines, showName } from '../../../../text/show.ts';
import type { App, RunOptions } from '../../app.ts';
import { askingLines, LOOK_EVERY, watchForQuestions } from '../../asking.ts';
import { begin, eventsFor, untilEnd } from '../../building.ts';
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
} from '../../context.ts';
import { oneOf } from '../../find.ts';
import { recordJson } from '../../json/record-json.ts';
import { needLines } from '../../needs-you.ts';
import { needsYou } from '../../progress.ts';
import { readIfThere } from '../../text/plan-text.ts';
import { headLines, orderLines, progressTeller, type Teller } from '../../text/progress-lines.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const wishes = wishesOf(given);
  const plan = planMeant(context, app, given.arguments[0]);
  if (given.options.dryRun === true) return tellOrder(context, app, plan);
  const ground = await app.preflight(wishes);
  for (const warning of ground.warnings) context.say(warning);
  if (ground.problem !== undefined) throw new Failure('environment', ground.problem.code, ground.problem.why);
  const before = app.gateway.look();
  const said = app.engineWarnings().next;
  const begun = await begin(app, plan, wishes);
  for (const note of begun.notes) context.say(note);
  if (begun.kind === 'refused') return refuse(context, begun.code, begun.why, begun.try);
  const isStream = context.json || !context.isTerminal();
  if (isStream) stream(context, { run: plan, engine: begun.engine });
  else for (const line of headLines(app.gateway.look(), plan, begun.engine)) context.print(line);
  const show = isStream ? streaming(context) : telling(context, app, progressTeller(before, plan));
  return follow(context, app, { plan, seq: before.seq, said, show, isStream, headless: wishes.headless });
};

interface Following {
  readonly plan: PlanFile;
  readonly seq: number;
  /** Where in the engine's log that begins which it says from now on. */
  readonly said: number;
  readonly show: (record: JournalRecord) => void;
  readonly isStream: boolean;
  /** Nobody is there who could do something. */
  readonly headless: boolean;
}

function streaming(context: Context): Following['show'] {
  return (record) => context.print(JSON.stringify(recordJson(record)));
}

function telling(context: Context, app: App, teller: Teller): Following['show'] {
  return (record) => {
    for (const line of teller(app.gateway.look(), record)) context.print(line);
  };
}

function wishesOf(given: Given): RunOptions {
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
function planMeant(context: Context, app: App, reference: string | undefined): PlanFile {
  const world = app.gateway.look();
  const files = app.planFiles.list();
  const plan =
    reference === undefined
      ? activePlan(world, files)
      : (app.planAt(reference) ?? oneOf(new Set([...world.plans.keys(), ...files]), reference));
  if (plan !== undefined && (world.plans.has(plan) || app.planFileExists(plan))) return plan;
  if (reference === undefined)
    throw new Failure('usage', 'no-plan', 'There is no plan in docs/plans. Write one, or name a file.');
  if (typeof readIfThere(context, reference) === 'string')
    throw new Failure(
      'usage',
      'not-in-plans',
      `"${showName(reference)}" does not lie in docs/plans, where plans are read. Put it there, then run it again.`,
    );
  throw unknownFailure('unknown-plan', unknownPlan(reference));
}

async function tellOrder(context: Context, app: App, plan: PlanFile): Promise<ExitCode> {
  const reading = app.planFiles.read(plan);
  const problem = fileProblem(plan, reading);
  if (problem !== undefined) return refuse(context, 'unusable-file', `${plan} cannot be built from: ${problem}`);
  const ground = await app.preflight({ headless: false });
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

async function follow(context: Context, app: App, following: Following): Promise<ExitCode> {
  const { plan, seq, show, isStream } = following;
  const abandoned = new AbortController();
  const watching = [
    watchForQuestions(app, plan, (asking) => {
      if (isStream) stream(context, { asks: asking });
      else for (const line of askingLines(asking)) context.print(line);
    }),
    watchWarnings(app, following.said, (text) => {
      if (isStream) stream(context, { warning: text });
      else context.print(`! ${showLines(text)}`);
    }),
    watchEngine(app, (looks) => {
      if (looks === TELL_AFTER && isStream) stream(context, { noEngine: plan });
      if (looks === TELL_AFTER && !isStream) context.print(`! ${NO_ENGINE}`);
      if (looks === LEAVE_AFTER && following.headless) abandoned.abort();
    }),
  ];
  const enough = AbortSignal.any([context.stop, abandoned.signal]);
  const end = await untilEnd(app, plan, seq, enough, show).finally(() => {
    for (const one of watching) one.close();
  });
  if (end === undefined && abandoned.signal.aborted) {
    if (isStream) stream(context, { end: 'person', plan, sentence: NO_ENGINE, waiting: [] });
    else context.print(NO_ENGINE);
    return EXIT.person;
  }
  if (end === undefined) {
    const text = `${plan} is still being built; the engine goes on in the background. "cadre run ${plan}" comes back to it, "cadre engine stop" stops the engine.`;
    if (isStream) stream(context, { left: plan });
    else context.say(text);
    return EXIT.ok;
  }
  const waiting = needsYou(app.gateway.look(), plan);
  if (isStream) stream(context, { end: end.kind, plan, sentence: end.sentence, waiting });
  else for (const line of ['', end.sentence, ...needLines(waiting)]) context.print(line);
  return END_CODES[end.kind];
}

/** Tells what the engine has no record for, also what it says while the plan comes to its end. */
function watchWarnings(app: App, from: number, tell: (text: string) => void): { close(): void } {
  let next = from;
  const look = (): void => {
    const { texts, next: after } = app.engineWarnings(next);
    next = after;
    for (const text of texts) tell(text);
  };
  const timer = setInterval(look, LOOK_EVERY);
  return {
    close() {
      clearInterval(timer);
      look();
    },
  };
}

/** It may only be on its way from one to the next; where nobody is there to start one, there is nothing to wait for. */
const [TELL_AFTER, LEAVE_AFTER] = [2, 5];
const NO_ENGINE = 'No engine works on it any more. "cadre engine start" lets it go on.';

/** Tells at how many looks in a row there was no engine. */
function watchEngine(app: App, missing: (looks: number) => void): { close(): void } {
  let looks = 0;
  const timer = setInterval(() => {
    looks = app.engine() === undefined ? looks + 1 : 0;
    if (looks > 0) missing(looks);
  }, LOOK_EVERY);
  return { close: () => clearInterval(timer) };
}

const END_CODES = { done: EXIT.ok, cancelled: EXIT.failed, person: EXIT.person, budget: EXIT.budget } as const;

function stream(context: Context, value: object): void {
  context.print(JSON.stringify({ version: ENVELOPE_VERSION, ...value }));
}
