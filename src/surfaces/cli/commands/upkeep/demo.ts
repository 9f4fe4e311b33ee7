// cadre demo: a small plan is built before the person's eyes, with all that can come in between. It is told, and checked.

import { Failure } from '../../../../core/model/failure.ts';
import type { JournalRecord } from '../../../../core/model/record.ts';
import { needsIn } from '../../../../core/views/needs.ts';
import { lastLines } from '../../../../text/sanitize.ts';
import { quoteForShell } from '../../../../text/shell.ts';
import { showLines, showName } from '../../../../text/show.ts';
import { answer, type Context, EXIT, type Given, type Run, textOption } from '../../context.ts';
import { CLAIMS, hasOverstepped, type Outcome } from '../../demo/claims.ts';
import { FILES } from '../../demo/files.ts';
import { PLAN_BRANCH } from '../../demo/more-measures.ts';
import { PLAN, PLAN_TEXT } from '../../demo/plan.ts';
import { ADMONITION, INTRODUCTION, NOTES, OVERSTEPPED } from '../../demo/story.ts';
import type { Playground } from '../../playground.ts';
import { verifyLines, waveLines } from '../../text/order-lines.ts';
import { progressLines } from '../../text/progress-lines.ts';
import { quarantineLines } from '../../text/quarantine-lines.ts';
import { wrapped } from '../../text/wrapped.ts';

export const run: Run = async (context, given) => {
  const host = hostFrom(given);
  const keeps = given.options.keep === true;
  const began = performance.now();
  const tell = teller(context);
  for (const paragraph of INTRODUCTION) tell('', ...wrapped(paragraph, WIDTH));
  const files = { ...FILES, [`docs/plans/${PLAN}`]: PLAN_TEXT };
  const playground = await context.playground({ files, host });
  const demo: Demo = { context, playground, tell, records: [], screen: '' };
  try {
    await introduce(demo, Object.keys(files));
    await build(demo);
    const results = await judge(demo);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    tell('', `It took ${seconds} s.`, ...(keeps ? whereItIs(playground) : [REMOVED]));
    const folder = keeps ? playground.folder : null;
    if (context.json) answer(context, { claims: results, seconds, folder }, []);
    return results.every(({ holds }) => holds) ? EXIT.ok : EXIT.failed;
  } finally {
    await (keeps ? playground.close() : playground.remove());
  }
};

interface Demo {
  readonly context: Context;
  readonly playground: Playground;
  readonly tell: Tell;
  readonly records: JournalRecord[];
  /** What the terminal of the agent that oversteps showed. */
  screen: string;
}

type Tell = (...lines: readonly string[]) => void;

/** Empty lines set things apart; two of them say no more than one. */
function teller(context: Context): Tell {
  let last = '';
  return (...lines) => {
    for (const line of context.json ? [] : lines) {
      if (line !== '' || last !== '') context.print(line);
      last = line;
    }
  };
}

/** Of the lines that are told, in characters. */
const WIDTH = 100;

function hostFrom(given: Given): 'tmux' | 'process' | undefined {
  const host = textOption(given, 'host');
  if (host === undefined || host === 'tmux' || host === 'process') return host;
  throw new Failure('usage', 'bad-host', `--host is tmux or process, not "${showName(host)}".`);
}

async function introduce({ playground, tell }: Demo, files: readonly string[]): Promise<void> {
  const { app } = playground;
  const order = await app.order(PLAN);
  const { problem } = order.preflight;
  if (problem !== undefined) throw new Failure('environment', problem.code, problem.why);
  tell(...heading(`A repository, for this demo only: ${app.root}`), ...files.map(indented));
  const lines = [...waveLines(order), '', ...verifyLines(order)];
  tell(...heading(`The plan, docs/plans/${PLAN}`), ...lines.map(indented));
}

/** How long it may take before something must be wrong, in milliseconds. */
const PATIENCE = 180_000;

async function build(demo: Demo): Promise<void> {
  const { context, playground, tell, records } = demo;
  const { app } = playground;
  const progress = progressLines(await app.world(), PLAN);
  const after = await app.feedStart();
  tell(...heading(`cadre run ${PLAN}`));
  const started = await app.perform({ do: 'run', on: PLAN, input: { headless: false } });
  if (started.kind === 'refused') throw new Failure('usage', started.code, started.message, { try: started.try });
  tell(
    'Every line is a step of a task, as "cadre run" shows it. The engine that takes them runs in the background.',
    '',
  );
  const untold = new Set(NOTES);
  const outcome = await app.followBuild({ plan: PLAN, after, stop: enough(context) }, async (item) => {
    if (item.kind !== 'record') return;
    const { record } = item;
    records.push(record);
    tell(...progress(await app.world(), record));
    for (const note of [...untold].filter(({ when }) => when(record))) {
      untold.delete(note);
      tell(...remark(wrapped(note.text(record), WIDTH)));
    }
    if (record.event === 'signal_refused' && hasOverstepped({ records })) await answerOverstepping(demo);
  });
  if (outcome?.kind !== 'done') throw new Failure('failed', 'not-done', await whyNotDone(demo));
}

function enough(context: Context): AbortSignal {
  return AbortSignal.any([context.stop, AbortSignal.timeout(PATIENCE)]);
}

/** As a person would: looks at the terminal of the agent, and tells it to go on. */
async function answerOverstepping(demo: Demo): Promise<void> {
  const { app } = demo.playground;
  const session = (await app.world()).plans.get(PLAN)?.tasks.at(-1)?.run?.session?.id;
  if (session === undefined) return;
  demo.screen = (await app.screen(session)).screen;
  const tried = demo.screen.split('\n');
  const shown = tried.slice(tried.findIndex((line) => line.startsWith('run cadre approve')));
  const command = `$ cadre session send ${session} "${ADMONITION}"`;
  demo.tell(
    ...remark([...wrapped(OVERSTEPPED, WIDTH), '', ...shown.map((line) => `| ${line}`), '', SPOKEN_TO, '', command]),
  );
  await app.perform({ do: 'session-send', on: session, input: { text: ADMONITION } });
}

const SPOKEN_TO = 'Whoever is at work can be spoken to. The person of this demo does it:';

async function whyNotDone({ context, playground }: Demo): Promise<string> {
  if (context.stop.aborted) return 'The demo was stopped before the plan was done.';
  const { app } = playground;
  const waits = needsIn(await app.world(), PLAN).map(({ sentence }) => sentence);
  const log = lastLines(context.readFile(app.engine.log), 5);
  return ['The plan was not finished.', ...waits, `The last lines of the engine log: ${log}`].join('\n');
}

interface Result {
  readonly claim: string;
  readonly holds: boolean;
}

/** Looks at what is there, and not at what was told. */
async function judge(demo: Demo): Promise<readonly Result[]> {
  const { tell } = demo;
  const outcome = await lookAtResult(demo);
  const results = CLAIMS.map(({ claim, holds }) => ({ claim, holds: holds(outcome) }));
  tell(...heading('What had to happen, looked up in the journal and the repository'));
  tell(...results.map(({ claim, holds }) => `   ${holds ? 'ok     ' : 'FAILED '} ${claim}`));
  return results;
}

async function lookAtResult({ playground, tell, records, screen }: Demo): Promise<Outcome> {
  const { app, folder } = playground;
  const result = `${folder}/result`;
  await playground.run(['git', 'worktree', 'add', '--quiet', '--detach', result, PLAN_BRANCH], app.root);
  const shown = async (...argv: readonly string[]) => {
    const ran = await playground.run(argv, result);
    tell('', indented(`$ ${quoteForShell(argv)}`), ...showLines(ran.text).trimEnd().split('\n').map(indented));
    return ran;
  };
  tell(...heading("What came of it: the plan's branch has one commit for each task"));
  const log = await playground.run(['git', 'log', '--reverse', '--format=%s', `main..${PLAN_BRANCH}`], result);
  await shown('git', 'log', '--oneline', PLAN_BRANCH);
  await shown('node', 'src/main.js', 'longest', 'The longest word of this text');
  const tests = await playground.run(['node', '--test'], result);
  tell('', indented('$ node --test'), ...countsIn(tests.text).map(indented));
  tell(...heading('What was refused: cadre quarantine'), ...quarantineLines(await app.world()).map(indented));
  const commits = log.text.trim().split('\n');
  return { records, world: await app.world(), screen, commits, tests };
}

/** The test runner of node says it in one of two ways. */
function countsIn(text: string): readonly string[] {
  return text.split('\n').filter((line) => /^(?:#|ℹ) (?:tests|pass|fail) \d/.test(line));
}

const REMOVED = 'Everything that it has made is removed. "cadre demo --keep" leaves it to look at.';

function whereItIs({ app, folder }: Playground): readonly string[] {
  return [
    `It is left in ${folder}; remove it when you have seen enough. To look around:`,
    '',
    `   cd ${app.root}`,
    `   export CADRE_HOME=${folder}/home`,
    `   git log --stat ${PLAN_BRANCH}`,
    `   cadre status; cadre log; cadre quarantine`,
  ];
}

function heading(text: string): readonly string[] {
  return ['', `== ${text}`, ''];
}

/** Set apart from the lines of progress around it. */
function remark(lines: readonly string[]): readonly string[] {
  return ['', ...lines.map((line) => `          ${line}`.trimEnd()), ''];
}

function indented(line: string): string {
  return `   ${line}`.trimEnd();
}
