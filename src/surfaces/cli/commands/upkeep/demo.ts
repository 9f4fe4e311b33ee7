// cadre demo: builds a small plan while the person watches, explains what happens, and checks that it did.
import { Failure } from '../../../../core/model/failure.ts';
import { showName } from '../../../../text/show.ts';
import { answer, type Context, EXIT, type ExitCode, type Given, type Run, textOption } from '../../context.ts';
import { build, type Demo } from '../../demo/build.ts';
import { type ChaosOptions, demoInChaos } from '../../demo/chaos-demo.ts';
import { CLAIMS } from '../../demo/claims.ts';
import { FILES, FILES_FOR_CHAOS } from '../../demo/files.ts';
import { BRIEF_INTRODUCTION, demoFromBrief } from '../../demo/from-brief.ts';
import { PLAN_BRANCH } from '../../demo/more-measures.ts';
import { PLAN, PLAN_TEXT } from '../../demo/plan.ts';
import { heading, indented, printer, WIDTH } from '../../demo/print.ts';
import { checkClaims, readOutcome } from '../../demo/result.ts';
import { INTRODUCTION } from '../../demo/story.ts';
import type { Playground } from '../../playground.ts';
import { verifyLines, waveLines } from '../../text/order-lines.ts';
import { wrapped } from '../../text/wrapped.ts';

export const run: Run = async (context, given) => {
  const host = hostFrom(given);
  const seed = seedFrom(given);
  const keeps = given.options.keep === true;
  if (given.options.chaos === true) return runChaos(context, host, { seed: seed ?? Date.now() % LARGEST_SEED, keeps });
  if (given.options.fromBrief === true) return runFromBrief(context, host, keeps);
  const startedAt = performance.now();
  const print = printer(context);
  for (const paragraph of INTRODUCTION) print('', ...wrapped(paragraph, WIDTH));
  const files = filesWith(FILES);
  const playground = await context.playground({ files, host });
  const demo: Demo = { context, playground, print, records: [], screen: '' };
  try {
    await introduce(demo, Object.keys(files));
    print(...heading(`cadre run ${PLAN}`));
    print('Each line is a step of a task, as "cadre run" shows it. The engine runs in the background.', '');
    await build(demo);
    const results = checkClaims(print, await readOutcome(demo), CLAIMS);
    const seconds = secondsSince(startedAt);
    print('', `It took ${seconds} s.`, ...(keeps ? whereItIs(playground, PLAN_BRANCH) : [REMOVED]));
    const folder = keeps ? playground.folder : null;
    if (context.json) answer(context, { claims: results, seconds, folder }, []);
    return results.every(({ holds }) => holds) ? EXIT.ok : EXIT.failed;
  } finally {
    await (keeps ? playground.close() : playground.remove());
  }
};

async function runFromBrief(context: Context, host: Host, keeps: boolean): Promise<ExitCode> {
  const startedAt = performance.now();
  const print = printer(context);
  for (const paragraph of BRIEF_INTRODUCTION) print('', ...wrapped(paragraph, WIDTH));
  const playground = await context.playground({ files: FILES, host });
  try {
    const { claims, branch } = await demoFromBrief(context, playground, print);
    const seconds = secondsSince(startedAt);
    print('', `It took ${seconds} s.`, ...(keeps ? whereItIs(playground, branch) : [REMOVED]));
    if (context.json) answer(context, { claims, seconds, folder: keeps ? playground.folder : null }, []);
    return claims.every(({ holds }) => holds) ? EXIT.ok : EXIT.failed;
  } finally {
    await (keeps ? playground.close() : playground.remove());
  }
}

async function runChaos(context: Context, host: Host, options: ChaosOptions): Promise<ExitCode> {
  const startedAt = performance.now();
  const request = { files: filesWith(FILES_FOR_CHAOS), host };
  const { claims, kills, playground } = await demoInChaos(context, request, options);
  const seconds = secondsSince(startedAt);
  const { seed, keeps } = options;
  const hint = `"cadre demo --chaos --seed ${seed}" makes the same choices again.`;
  const lines = [
    '',
    `${kills} kills; it took ${seconds} s. ${hint}`,
    ...(keeps ? whereItIs(playground, PLAN_BRANCH) : []),
  ];
  answer(context, { claims, seconds, folder: keeps ? playground.folder : null, kills, seed }, lines);
  return claims.every(({ holds }) => holds) ? EXIT.ok : EXIT.failed;
}

function filesWith(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...files, [`docs/plans/${PLAN}`]: PLAN_TEXT };
}

function secondsSince(start: number): number {
  return Math.round((performance.now() - start) / 100) / 10;
}

const LARGEST_SEED = 1_000_000;

function seedFrom(given: Given): number | undefined {
  const text = textOption(given, 'seed');
  if (text === undefined || /^\d{1,9}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new Failure('usage', 'bad-number', `--seed must be a whole number, not "${showName(text)}".`);
}

type Host = 'tmux' | 'process' | undefined;

function hostFrom(given: Given): Host {
  const host = textOption(given, 'host');
  if (host === undefined || host === 'tmux' || host === 'process') return host;
  throw new Failure('usage', 'bad-host', `--host must be tmux or process, not "${showName(host)}".`);
}

async function introduce({ playground, print }: Demo, files: readonly string[]): Promise<void> {
  const { app } = playground;
  const order = await app.order(PLAN);
  const { problem } = order.preflight;
  if (problem !== undefined) throw new Failure('environment', problem.code, problem.why);
  print(...heading(`A repository for this demo: ${app.root}`), ...files.map(indented));
  const lines = [...waveLines(order), '', ...verifyLines(order)];
  print(...heading(`The plan, docs/plans/${PLAN}`), ...lines.map(indented));
}

const REMOVED = 'Everything was removed again. "cadre demo --keep" keeps it, so that you can look around.';

function whereItIs({ app, folder }: Playground, branch: string): readonly string[] {
  return [
    `Everything is in ${folder}; remove it when you are done. To look around:`,
    '',
    `   cd ${app.root}`,
    `   export CADRE_HOME=${folder}/home`,
    `   git log --stat ${branch}`,
    `   cadre status; cadre log; cadre quarantine`,
  ];
}
