// cadre demo: builds a small plan while the person watches, explains what happens, and checks that it did.
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
  const startedAt = performance.now();
  const print = printer(context);
  for (const paragraph of INTRODUCTION) print('', ...wrapped(paragraph, WIDTH));
  const files = { ...FILES, [`docs/plans/${PLAN}`]: PLAN_TEXT };
  const playground = await context.playground({ files, host });
  const demo: Demo = { context, playground, print, records: [], screen: '' };
  try {
    await introduce(demo, Object.keys(files));
    await build(demo);
    const results = await check(demo);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    print('', `It took ${seconds} s.`, ...(keeps ? whereItIs(playground) : [REMOVED]));
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
  readonly print: Print;
  readonly records: JournalRecord[];
  /** What the terminal of the agent that oversteps showed. */
  screen: string;
}

type Print = (...lines: readonly string[]) => void;

/** Prints nothing with --json, and never two empty lines in a row. */
function printer(context: Context): Print {
  let last = '';
  return (...lines) => {
    for (const line of context.json ? [] : lines) {
      if (line !== '' || last !== '') context.print(line);
      last = line;
    }
  };
}

/** Of explanations, in characters. */
const WIDTH = 100;

function hostFrom(given: Given): 'tmux' | 'process' | undefined {
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

/** In milliseconds. It usually takes well under a minute. */
const TIME_LIMIT = 180_000;

async function build(demo: Demo): Promise<void> {
  const { context, playground, print, records } = demo;
  const { app } = playground;
  const progress = progressLines(await app.world(), PLAN);
  const after = await app.feedStart();
  print(...heading(`cadre run ${PLAN}`));
  const started = await app.perform({ do: 'run', on: PLAN, input: { headless: false } });
  if (started.kind === 'refused') throw new Failure('usage', started.code, started.message, { try: started.try });
  print('Each line is a step of a task, as "cadre run" shows it. The engine runs in the background.', '');
  const notes = new Set(NOTES);
  const outcome = await app.followBuild({ plan: PLAN, after, stop: stopOrTimeout(context) }, async (item) => {
    if (item.kind !== 'record') return;
    const { record } = item;
    records.push(record);
    print(...progress(await app.world(), record));
    for (const note of [...notes].filter(({ when }) => when(record))) {
      notes.delete(note);
      print(...remark(wrapped(note.text(record), WIDTH)));
    }
    if (record.event === 'signal_refused' && hasOverstepped({ records })) await answerOverstepping(demo);
  });
  if (outcome?.kind !== 'done') throw new Failure('failed', 'not-done', await whyNotDone(demo));
}

function stopOrTimeout(context: Context): AbortSignal {
  return AbortSignal.any([context.stop, AbortSignal.timeout(TIME_LIMIT)]);
}

/** As a person would: reads the terminal of the agent, and tells it to continue. */
async function answerOverstepping(demo: Demo): Promise<void> {
  const { app } = demo.playground;
  const session = (await app.world()).plans.get(PLAN)?.tasks.at(-1)?.run?.session?.id;
  if (session === undefined) return;
  demo.screen = (await app.screen(session)).screen;
  const lines = demo.screen.split('\n');
  const attempts = lines.slice(lines.findIndex((line) => line.startsWith('run cadre approve')));
  const command = `$ cadre session send ${session} "${ADMONITION}"`;
  const screen = attempts.map((line) => `| ${line}`);
  demo.print(...remark([...wrapped(OVERSTEPPED, WIDTH), '', ...screen, '', SENDING, '', command]));
  await app.perform({ do: 'session-send', on: session, input: { text: ADMONITION } });
}

const SENDING = 'You can send text to a running agent at any time. The person of this demo does:';

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

/** Checks the journal and the repository, not what was printed. */
async function check(demo: Demo): Promise<readonly Result[]> {
  const { print } = demo;
  const outcome = await readOutcome(demo);
  const results = CLAIMS.map(({ claim, holds }) => ({ claim, holds: holds(outcome) }));
  print(...heading('What had to happen, checked in the journal and the repository'));
  print(...results.map(({ claim, holds }) => `   ${holds ? 'ok     ' : 'FAILED '} ${claim}`));
  return results;
}

async function readOutcome({ playground, print, records, screen }: Demo): Promise<Outcome> {
  const { app, folder } = playground;
  const result = `${folder}/result`;
  await playground.run(['git', 'worktree', 'add', '--quiet', '--detach', result, PLAN_BRANCH], app.root);
  const shown = async (...argv: readonly string[]) => {
    const ran = await playground.run(argv, result);
    print('', indented(`$ ${quoteForShell(argv)}`), ...showLines(ran.text).trimEnd().split('\n').map(indented));
    return ran;
  };
  print(...heading('The result: one commit for each task on the plan branch'));
  const log = await playground.run(['git', 'log', '--reverse', '--format=%s', `main..${PLAN_BRANCH}`], result);
  await shown('git', 'log', '--oneline', PLAN_BRANCH);
  await shown('node', 'src/main.js', 'longest', 'The longest word of this text');
  const tests = await playground.run(['node', '--test'], result);
  print('', indented('$ node --test'), ...countsIn(tests.text).map(indented));
  print(...heading('What was refused: cadre quarantine'), ...quarantineLines(await app.world()).map(indented));
  const commits = log.text.trim().split('\n');
  return { records, world: await app.world(), screen, commits, tests };
}

/** Node's test runner has two formats. */
function countsIn(text: string): readonly string[] {
  return text.split('\n').filter((line) => /^(?:#|ℹ) (?:tests|pass|fail) \d/.test(line));
}

const REMOVED = 'Everything was removed again. "cadre demo --keep" keeps it for you to look around.';

function whereItIs({ app, folder }: Playground): readonly string[] {
  return [
    `Everything is in ${folder}; remove it when you are done. To look around:`,
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

/** Indented, unlike the lines of progress around it. */
function remark(lines: readonly string[]): readonly string[] {
  return ['', ...lines.map((line) => `          ${line}`.trimEnd()), ''];
}

function indented(line: string): string {
  return `   ${line}`.trimEnd();
}
