// The demo in which programs are killed again and again: builds the plan once in peace, then in chaos, and compares.
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../core/model/failure.ts';
import type { World } from '../../../core/model/world.ts';
import type { Context } from '../context.ts';
import type { Playground, PlaygroundRequest } from '../playground.ts';
import { wrapped } from '../text/wrapped.ts';
import { build, type Demo, narrator, stopOrTimeout, whyNotDone } from './build.ts';
import { causeChaos, type Kill, randomFrom } from './chaos.ts';
import { CHAOS_CLAIMS, readLeft, readMissing, readTraces, type Traces } from './chaos-claims.ts';
import { isLastOverstep } from './claims.ts';
import { PLAN } from './plan.ts';
import { heading, printer, SILENT, WIDTH } from './print.ts';
import { type CheckedClaim, checkClaims, readOutcome } from './result.ts';
import { ADMONITION, CHAOS } from './story.ts';

export interface ChaosResult {
  readonly claims: readonly CheckedClaim[];
  readonly kills: number;
  readonly playground: Playground;
}

export interface ChaosOptions {
  readonly seed: number;
  /** Leave the repository of the build with kills. */
  readonly keeps: boolean;
}

export async function demoInChaos(
  context: Context,
  request: PlaygroundRequest,
  { seed, keeps }: ChaosOptions,
): Promise<ChaosResult> {
  const print = printer(context);
  for (const paragraph of CHAOS) print('', ...wrapped(paragraph, WIDTH));
  print(...heading('First without kills, for comparison'));
  const calm = await inPlayground({ context, request, print: SILENT, keeps: false }, buildInPeace);
  print('Done.', ...heading(`Now with kills (seed ${seed})`));
  return inPlayground({ context, request, print, keeps }, (demo) => buildInChaos(demo, calm, seed));
}

interface Building extends Pick<Demo, 'context' | 'print'>, Pick<ChaosOptions, 'keeps'> {
  readonly request: PlaygroundRequest;
}

async function inPlayground<Result>(
  { context, request, print, keeps }: Building,
  use: (demo: Demo) => Promise<Result>,
): Promise<Result> {
  const playground = await context.playground(request);
  try {
    return await use({ context, playground, print, records: [], screen: '' });
  } finally {
    await (keeps ? playground.close() : playground.remove());
  }
}

async function buildInPeace(demo: Demo): Promise<Traces> {
  await build(demo);
  await settled(demo);
  return readTraces(demo);
}

async function buildInChaos(demo: Demo, calm: Traces, seed: number): Promise<ChaosResult> {
  const { playground, print } = demo;
  if (!playground.listsProcesses)
    throw new Failure(
      'environment',
      'no-processes',
      'This system does not list its processes, so none can be found to kill.',
    );
  const kills: Kill[] = [];
  const over = new AbortController();
  const doing = [
    keepRunning(playground, over.signal),
    causeChaos({
      playground,
      random: randomFrom(seed),
      stop: over.signal,
      records: () => demo.records.length,
      killed(kill) {
        kills.push(kill);
        print(`   KILLED  ${kill.kind.padEnd(9)}  ${kill.command.slice(0, LONGEST_COMMAND)}`);
      },
    }),
  ];
  try {
    await followUntilDone(demo);
  } finally {
    over.abort();
    for (const { pid, kind } of playground.processes()) if (kind === 'cadre run') playground.kill(pid);
    await Promise.all(doing);
  }
  await settled(demo);
  const [traces, left, missing] = [await readTraces(demo), await readLeft(demo), await readMissing(demo)];
  const outcome = { ...(await readOutcome(demo)), kills, calm, traces, left, missing };
  const claims = checkClaims(print, outcome, CHAOS_CLAIMS);
  for (const line of [...left, ...missing]) print(`           left or missing: ${line}`);
  return { claims, kills: kills.length, playground };
}

/** Only reads the journal: a follower that starts a killed engine again is one of the programs that are killed. */
async function followUntilDone(demo: Demo): Promise<void> {
  const { context, playground } = demo;
  const show = await narrator(demo);
  for await (const record of playground.app.follow(0, stopOrTimeout(context))) {
    await show(record);
    const world = await playground.app.world();
    if (isLastOverstep(record)) admonish(playground, world);
    if (world.plans.get(PLAN)?.status === 'done' && record.seq >= world.seq) return;
  }
  throw new Failure('failed', 'not-done', await whyNotDone(demo));
}

/** The agent may be killed at the same moment; the one that replaces it oversteps too, and is answered then. */
function admonish(playground: Playground, world: World): void {
  const session = world.plans.get(PLAN)?.tasks.at(-1)?.run?.session?.id;
  if (session !== undefined)
    void playground.run(['cadre', 'session', 'send', session, ADMONITION], playground.app.root);
}

const LONGEST_COMMAND = 90;

/** Types "cadre run" again whenever it was killed, as a person would. */
async function keepRunning(playground: Playground, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const { exitCode } = await playground.run(['cadre', 'run', PLAN], playground.app.root);
    if (exitCode === 0) return;
    await pause(100);
  }
}

/** The last effects of a finished plan, such as removing worktrees, are performed by whatever engine there is. */
async function settled({ playground, context }: Demo): Promise<void> {
  const { app } = playground;
  await app.perform({ do: 'engine-start', input: {} });
  while (!context.stop.aborted && (await app.world()).outbox.size > 0) await pause(50);
}
