// Builds the demo's plan, prints its progress, and does what the person of the demo does.
import { Failure } from '../../../core/model/failure.ts';
import type { JournalRecord } from '../../../core/model/record.ts';
import { needsIn } from '../../../core/views/needs.ts';
import { lastLines } from '../../../text/sanitize.ts';
import type { Context } from '../context.ts';
import type { Playground } from '../playground.ts';
import { progressLines } from '../text/progress-lines.ts';
import { wrapped } from '../text/wrapped.ts';
import { hasOverstepped } from './claims.ts';
import { PLAN } from './plan.ts';
import { type Print, remark, WIDTH } from './print.ts';
import { ADMONITION, NOTES, OVERSTEPPED } from './story.ts';

export interface Demo {
  readonly context: Context;
  readonly playground: Playground;
  readonly print: Print;
  readonly records: JournalRecord[];
  /** What the terminal of the agent that oversteps showed. */
  screen: string;
}

/** In milliseconds. It usually takes well under a minute. */
const TIME_LIMIT = 180_000;

/** Builds the plan as "cadre run" does. Returns when it is done, and throws where it is not. */
export async function build(demo: Demo): Promise<void> {
  const { app } = demo.playground;
  const show = await narrator(demo);
  const after = await app.feedStart();
  await startBuild(demo);
  const outcome = await app.followBuild({ plan: PLAN, after, stop: stopOrTimeout(demo.context) }, async (item) => {
    if (item.kind !== 'record') return;
    await show(item.record);
    if (item.record.event === 'signal_refused' && hasOverstepped(demo)) await answerOverstepping(demo);
  });
  if (outcome?.kind !== 'done') throw new Failure('failed', 'not-done', await whyNotDone(demo));
}

/** Remembers each record, prints it, and explains what happens for the first time. */
export async function narrator({
  playground,
  print,
  records,
}: Demo): Promise<(record: JournalRecord) => Promise<void>> {
  const progress = progressLines(await playground.app.world(), PLAN);
  const notes = new Set(NOTES);
  return async (record) => {
    records.push(record);
    print(...progress(await playground.app.world(), record));
    for (const note of [...notes].filter(({ when }) => when(record))) {
      notes.delete(note);
      print(...remark(wrapped(note.text(record), WIDTH)));
    }
  };
}

async function startBuild({ playground }: Demo): Promise<void> {
  const started = await playground.app.perform({ do: 'run', on: PLAN, input: { headless: false } });
  if (started.kind === 'refused') throw new Failure('usage', started.code, started.message, { try: started.try });
}

export function stopOrTimeout(context: Context): AbortSignal {
  return AbortSignal.any([context.stop, AbortSignal.timeout(TIME_LIMIT)]);
}

/** As a person would: reads the terminal of the agent, and asks it to continue. */
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

export async function whyNotDone({ context, playground }: Demo): Promise<string> {
  if (context.stop.aborted) return 'The demo was stopped before the plan was done.';
  const { app } = playground;
  const waits = needsIn(await app.world(), PLAN).map(({ sentence }) => sentence);
  const log = lastLines(context.readFile(app.engine.log), 5);
  return ['The plan was not finished.', ...waits, `The last lines of the engine log: ${log}`].join('\n');
}
