// Does what the interface wants done, and says in a sentence what came of it.
import type { Done, Performed } from '../../app/actions/action.ts';
import type { App } from '../../app/app.ts';
import { Failure } from '../../core/model/failure.ts';
import { type PlanFile, undated } from '../../plan/name.ts';
import { planOutcome, type TaskActionName, taskOutcome } from '../cli/text/outcomes.ts';
import { commandFor } from '../cli/text/suggestions.ts';
import { parseCommandLine } from './command-line.ts';
import type { AnyCall } from './model/commands.ts';

interface Outcome {
  readonly ok: boolean;
  readonly text: string;
  /** The plan that it leads to. */
  readonly plan?: PlanFile;
}

export async function performCall(app: App, call: AnyCall): Promise<Outcome> {
  const performed = await answered(() => app.perform(call as never));
  if ('ok' in performed) return performed;
  if (performed.kind === 'refused') return { ok: false, text: refusalText(performed) };
  const { plan } = performed;
  const said = [doneText(call, performed), ...performed.notes].filter((one) => one !== '').join(' ');
  const text = plan === undefined ? said : said.replaceAll(plan.plan, undated(plan.plan));
  return { ok: true, text, ...(plan !== undefined && LEADS_TO.has(call.do) ? { plan: plan.plan } : {}) };
}

const LEADS_TO: ReadonlySet<string> = new Set(['run', 'register', 'plan-new']);

async function answered(ask: () => Promise<Performed>): Promise<Performed | Outcome> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ok: false, text: error.message };
  }
}

/** A refused key says what would work. */
function refusalText({ message, try: suggestions }: Extract<Performed, { kind: 'refused' }>): string {
  const [first] = suggestions;
  return first === undefined ? message : `${message} Try :${commandFor(first).replace(/^cadre /, '')}`;
}

/** What was decided is done by the engine, so there has to be one. Only what is about the engine itself does without. */
export function needsEngine({ do: action }: AnyCall): boolean {
  return !WITHOUT_ENGINE.has(action);
}

const WITHOUT_ENGINE: ReadonlySet<string> = new Set([
  'engine-start',
  'engine-stop',
  'use',
  'config-set',
  'config-accept',
]);

/** A typed line whose command is one of those that change something. */
export function mayNeedEngine(text: string): boolean {
  const argv = wordsOf(text);
  return argv[0] !== 'engine' && STARTING.some((words) => words.every((word, at) => argv[at] === word));
}

const STARTING: readonly (readonly string[])[] = [
  ...['answer', 'approve', 'back', 'incident', 'land', 'launch', 'next', 'reject', 'resume', 'retry', 'run'],
  ...['plan new', 'plan approve', 'plan continue', 'plan settle', 'redo planning', 'session new', 'session resume'],
].map((command) => command.split(' '));

export function isEngineStop(text: string): boolean {
  return wordsOf(text).join(' ') === 'engine stop';
}

function wordsOf(text: string): readonly string[] {
  const parsed = parseCommandLine(text);
  if (parsed.kind === 'run') return ['run'];
  return parsed.kind === 'command' ? parsed.argv : [];
}

function doneText(call: AnyCall, { plan, task, record, session }: Done): string {
  if (task !== undefined && plan !== undefined && record !== null)
    return `${plan.plan}#${task.after.address} ${taskOutcome(call.do as TaskActionName, { record, plan, ...task })}`;
  if (session !== undefined) return `${session.session}: ${session.sentence}`;
  if (call.do === 'use') return '';
  return record === null ? '' : planOutcome(record);
}
