// cadre run: builds a plan and follows its progress. The engine continues in the background after Ctrl-C.
import type { App } from '../../../../app/app.ts';
import type { FeedItem, FeedRequest } from '../../../../app/feed.ts';
import type { RunOptions } from '../../../../app/ports.ts';
import { Failure } from '../../../../core/model/failure.ts';
import { needsIn } from '../../../../core/views/needs.ts';
import type { Outcome } from '../../../../core/views/outcome.ts';
import { viewRecord } from '../../../../core/views/record.ts';
import type { PlanFile } from '../../../../plan/name.ts';
import { showLines, showName } from '../../../../text/show.ts';
import { performAnd } from '../../action-command.ts';
import {
  answer,
  type Context,
  EXIT,
  type ExitCode,
  type Given,
  jsonLine,
  type Run,
  refuse,
  textOption,
} from '../../context.ts';
import { ring } from '../../ring.ts';
import { ENGINE_GONE } from '../../text/engine-lines.ts';
import { needJson, needLines } from '../../text/needs-lines.ts';
import { orderLines, remarkLines } from '../../text/order-lines.ts';
import { headLines, type ProgressLines, progressLines } from '../../text/progress-lines.ts';
import { askingJson, askingLines } from '../../text/session-lines.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const options = optionsIn(given);
  const [on] = given.arguments;
  if (given.options.dryRun === true) return showOrder(context, app, on);
  const plan = await app.planToRun(on);
  if (!(await isAgreed(context, await app.remarks(plan))))
    return refuse(context, 'not-confirmed', 'Nothing was started.');
  const before = await app.world();
  const after = await app.feedStart();
  return performAnd(context, { do: 'run', on: plan, input: options }, async ({ engine }) => {
    if (engine === null) throw new Error('The plan was accepted and is not being built.');
    const printer = context.json
      ? streamPrinter(context, plan)
      : textPrinter(context, plan, progressLines(before, plan));
    if (context.json) context.print(jsonLine({ run: plan, engine }));
    else if (!context.quiet) for (const line of headLines(await app.world(), plan, engine)) context.print(line);
    if (given.options.detach === true) return EXIT.ok;
    return follow(context, app, { plan, after, engine: options }, printer);
  });
};

/** All that is open in the plan is one question, asked before its first task. Without a terminal it is only said. */
async function isAgreed(context: Context, remarks: readonly string[]): Promise<boolean> {
  if (remarks.length === 0) return true;
  for (const line of remarkLines(remarks)) context.warn(line);
  if (context.yes || context.json) return true;
  return (await context.ask('Build the plan as it is?')) ?? true;
}

function optionsIn(given: Given): RunOptions {
  const parallel = textOption(given, 'maxParallel');
  if (parallel !== undefined && !/^[1-9]\d{0,2}$/.test(parallel))
    throw new Failure('usage', 'bad-number', `--max-parallel must be a positive integer, not "${showName(parallel)}".`);
  return {
    headless: given.options.headless === true,
    ...(parallel === undefined ? {} : { maxParallel: Number(parallel) }),
  };
}

async function showOrder(context: Context, app: App, on: string | undefined): Promise<ExitCode> {
  const order = await app.order(on);
  const { plan, waves, preflight } = order;
  const { verify, setup, programs, warnings, problem } = preflight;
  answer(
    context,
    { plan, order: waves, verify, setup, programs, warnings, remarks: order.remarks, problem: problem?.why ?? null },
    orderLines(order),
  );
  return problem === undefined ? EXIT.ok : EXIT.environment;
}

/** Shows the feed: as lines for a person, or as a stream of JSON objects. */
interface Printer {
  item(item: FeedItem): Promise<void> | void;
  outcome(outcome: Outcome): Promise<void>;
  left(): void;
}

async function follow(
  context: Context,
  app: App,
  request: Omit<FeedRequest, 'stop'>,
  printer: Printer,
): Promise<ExitCode> {
  const followed = await app.followBuild({ ...request, stop: context.stop }, (item) => printer.item(item));
  if (followed === undefined) {
    printer.left();
    return EXIT.ok;
  }
  const outcome: Outcome =
    followed.kind === 'no-engine' ? { kind: 'person', sentence: followed.problem ?? ENGINE_GONE } : followed;
  await printer.outcome(outcome);
  return EXIT_CODES[outcome.kind];
}

const ENGINE_MISSING = 'No engine is running. Waiting for one to start ...';

const EXIT_CODES = { done: EXIT.ok, cancelled: EXIT.failed, person: EXIT.person, budget: EXIT.budget } as const;

function streamPrinter(context: Context, plan: PlanFile): Printer {
  const print = (value: object): void => context.print(jsonLine(value));
  return {
    item(item) {
      if (item.kind === 'record') print(viewRecord(item.record));
      if (item.kind === 'warning') print({ warning: item.text });
      if (item.kind === 'asks') print({ asks: askingJson(item.asking) });
      if (item.kind === 'engine' && item.is === 'missing') print({ noEngine: plan });
      if (item.kind === 'engine' && item.is === 'restarted') print({ restarted: plan, engine: item.engine });
    },
    async outcome({ kind, sentence }) {
      const waiting = needsIn(await context.app().world(), plan).map(needJson);
      print({ end: kind, plan, sentence, waiting });
    },
    left: () => print({ left: plan }),
  };
}

function textPrinter(context: Context, plan: PlanFile, lines: ProgressLines): Printer {
  const app = context.app();
  return {
    async item(item) {
      // The lines follow every record, also where none is printed.
      const progress = item.kind === 'record' ? lines(await app.world(), item.record) : [];
      if (!context.quiet) for (const line of progress) context.print(line);
      if (item.kind === 'warning') context.print(`! ${showLines(item.text)}`);
      if (item.kind === 'asks') for (const line of askingLines(item.asking)) context.print(line);
      if (item.kind === 'notification') await ring(context, item.notification);
      if (item.kind === 'engine' && item.is === 'missing') context.print(`! ${ENGINE_MISSING}`);
      if (item.kind === 'engine' && item.is === 'restarted')
        context.print(`! The engine was killed. Another one continues the build (pid ${item.engine.pid}).`);
    },
    async outcome({ sentence }) {
      for (const line of [...(context.quiet ? [] : ['']), sentence, ...needLines(needsIn(await app.world(), plan))])
        context.print(line);
    },
    left() {
      context.say(
        `${plan} is still being built in the background. "cadre run ${plan}" follows it again, "cadre engine stop" stops the engine.`,
      );
    },
  };
}
