// cadre rehearse: builds a plan in a temporary clone with scripted agents, and shows what would happen.
import type { BuildOrder } from '../../../../app/reads/order.ts';
import { Failure } from '../../../../core/model/failure.ts';
import type { JournalRecord } from '../../../../core/model/record.ts';
import { needsIn } from '../../../../core/views/needs.ts';
import { type FailedStep, failedSteps, lastLines, withoutFolder } from '../../../../core/views/rehearsal/failures.ts';
import { rehearsalPlan, type SharedFile, sharedFiles } from '../../../../core/views/rehearsal/plan.ts';
import { type TaskTimes, taskTimes } from '../../../../core/views/rehearsal/times.ts';
import { showLines } from '../../../../text/show.ts';
import { answer, type Context, EXIT, type ExitCode, type Run, textOption } from '../../context.ts';
import type { Playground } from '../../playground.ts';
import { columns } from '../../text/columns.ts';
import { setupLines, verifyLines, waveLines } from '../../text/order-lines.ts';
import { progressLines } from '../../text/progress-lines.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const order = await app.order(given.arguments[0]);
  const { text } = await app.planText(order.plan);
  const shared = sharedFiles(text, order.waves);
  if (!context.json)
    context.print([...waveLines(order), '', ...setupLines(order), ...verifyLines(order), ''].join('\n'));
  const playground = await context.playground({
    clone: { root: app.root, commit: app.headCommit() },
    host: 'process',
    files: { [`docs/plans/${order.plan}`]: rehearsalPlan(text), 'cadre.json': settingsFor(order) },
  });
  try {
    const { isDone, records } = await build(context, playground, order.plan, minutes(textOption(given, 'minutes')));
    return await report(context, { order, shared, playground, isDone, records });
  } finally {
    await playground.remove();
  }
};

/** The real commands; nothing that needs a person, a model or the network of the repository. */
function settingsFor({ preflight: { policy, maxParallel } }: BuildOrder): string {
  const { setup = [], verify } = policy;
  const command = verify == null || verify === 'none' || 'prompt' in verify ? 'none' : verify;
  return `${JSON.stringify({
    setup,
    verify: command,
    max_parallel: maxParallel,
    architect: { plan_review: 'auto', questions: 'human', checkins: 'human' },
  })}\n`;
}

function minutes(text = '30'): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Failure('usage', 'bad-number', `--minutes must be a positive integer.`);
  return Number(text);
}

interface Built {
  readonly isDone: boolean;
  readonly records: readonly JournalRecord[];
}

async function build(context: Context, { app, folder }: Playground, plan: string, patience: number): Promise<Built> {
  const on = await app.planToRun(plan);
  const lines = progressLines(await app.world(), on);
  const after = await app.feedStart();
  const records: JournalRecord[] = [];
  const shown = (text: string): string => withoutFolder(text, folder);
  const started = await app.perform({ do: 'run', on, input: { headless: true } });
  if (started.kind === 'refused') throw new Failure('usage', started.code, started.message);
  const stop = AbortSignal.any([context.stop, AbortSignal.timeout(patience * 60_000)]);
  const outcome = await app.followBuild({ plan: on, after, stop }, async (item) => {
    if (item.kind === 'warning' && !context.json) context.print(`! ${shown(item.text)}`);
    if (item.kind !== 'record') return;
    records.push(item.record);
    if (!context.json && !context.quiet)
      for (const line of lines(await app.world(), item.record)) context.print(shown(line));
  });
  return { isDone: outcome?.kind === 'done', records };
}

interface Rehearsed extends Built {
  readonly order: BuildOrder;
  readonly shared: readonly SharedFile[];
  readonly playground: Playground;
}

async function report(context: Context, { order, shared, playground, isDone, records }: Rehearsed): Promise<ExitCode> {
  const { plan } = order;
  const world = await playground.app.world();
  const tasks = world.plans.get(plan)?.tasks ?? [];
  const addressOf = new Map(tasks.map(({ id, address }) => [id, address]));
  const times = taskTimes(records).map((one) => ({ ...one, task: addressOf.get(one.task) ?? one.task }));
  const merged = tasks.filter(({ state }) => state === 'done').map(({ address }) => address);
  const failed = await withOutput(playground, plan, failedSteps(tasks, records));
  const others = needsIn(world, plan).filter(({ task }) => !failed.some((one) => one.task === task));
  const stuck = [
    ...failed.map(({ task, step }) => `${plan}#${task}: ${FAILED[step]}`),
    ...others.map(({ sentence }) => withoutFolder(sentence, playground.folder)),
  ];
  const asked = questionsFor(order);
  answer(context, { plan, done: isDone, merged, times, sharedFiles: shared, failed, stuck, asked }, [
    '',
    `${merged.length} of ${tasks.length} tasks would be merged.`,
    ...timeLines(times),
    ...shared.map(
      ({ path, tasks: by }) =>
        `Likely conflict: tasks ${by.join(', ')} are built at the same time, and all name ${path}.`,
    ),
    ...stuck.flatMap((sentence, at) => [`Stopped: ${sentence}`, ...outputLines(failed[at])]),
    ...(isDone ? asked : []),
    'Your repository was not touched. A real agent takes longer, and may do something else.',
  ]);
  return isDone ? EXIT.ok : EXIT.failed;
}

const FAILED: { readonly [step in FailedStep['step']]: string } = {
  setup: 'The setup command failed.',
  tests: 'The tests failed.',
};

interface FailedWithOutput extends FailedStep {
  /** The end of what the command printed. */
  readonly output: string;
}

async function withOutput(
  { app }: Playground,
  plan: string,
  failed: readonly FailedStep[],
): Promise<readonly FailedWithOutput[]> {
  return Promise.all(
    failed.map(async ({ task, step }) => {
      const found = await app.output(`${plan}#${task}`, step === 'setup' ? 'setup' : 'verification');
      const output = found.kind === 'output' ? lastLines(found.text, MOST_LINES).join('\n') : '';
      return { task, step, output };
    }),
  );
}

const MOST_LINES = 20;

/** What the command printed, and which setting has the command. */
function outputLines(failed: FailedWithOutput | undefined): readonly string[] {
  if (failed === undefined) return [];
  const { step, output } = failed;
  const setting = step === 'setup' ? 'setup' : 'verify';
  return [
    ...(output === ''
      ? []
      : showLines(output)
          .split('\n')
          .map((line) => `  | ${line}`)),
    `  To use another command: cadre config set --project ${setting} <command>`,
  ];
}

function timeLines(times: readonly TaskTimes[]): readonly string[] {
  const seconds = (time: number | null): string => (time === null ? '-' : `${(time / 1000).toFixed(1)} s`);
  if (times.length === 0) return [];
  const rows = times.map(({ task, setup, verify }) => [task, seconds(setup), seconds(verify)]);
  return ['', ...columns([['task', 'set-up', 'tests'], ...rows]).map((line) => `  ${line}`), ''];
}

/** What a real build would ask a person, by the settings. */
function questionsFor({ waves, preflight: { policy } }: BuildOrder): readonly string[] {
  const count = waves.flat().length;
  return [
    ...(policy.architect.plan_review === 'human'
      ? [`You would be asked to approve the plan of each task (${count}).`]
      : []),
    ...(policy.autoVerify ? [] : ['You would start each verification, review and merge, because auto_verify is off.']),
    ...(policy.land === 'manual' ? ['You would be asked to land the plan when it is done.'] : []),
  ];
}
