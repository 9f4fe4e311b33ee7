// Does what the interface wants done, and says in a sentence what came of it.
import type { Done, Performed } from '../../app/actions/action.ts';
import type { App } from '../../app/app.ts';
import { Failure } from '../../core/model/failure.ts';
import type { PlanFile } from '../../plan/name.ts';
import { planOutcome, type TaskActionName, taskOutcome } from '../cli/text/outcomes.ts';
import { commandFor } from '../cli/text/suggestions.ts';
import type { AnyCall } from './model/commands.ts';

export interface Outcome {
  readonly ok: boolean;
  readonly text: string;
  /** The plan that it leads to. */
  readonly plan?: PlanFile;
}

export async function performCall(app: App, call: AnyCall): Promise<Outcome> {
  const performed = await answered(() => app.perform(call as never));
  if ('ok' in performed) return performed;
  if (performed.kind === 'refused') return { ok: false, text: refusalText(performed) };
  const notes = [...performed.notes, ...(await startEngineFor(app, call, performed))];
  const text = [doneText(call, performed), ...notes].filter((one) => one !== '').join(' ');
  const { plan } = performed;
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

/** What was decided is done by the engine, so there has to be one. */
async function startEngineFor(app: App, call: AnyCall, { engine, record }: Done): Promise<readonly string[]> {
  const isForEngine = (record?.effects?.length ?? 0) > 0 || NEEDS_ENGINE.has(call.do);
  if (engine !== null || !isForEngine || app.engine.holder() !== undefined) return [];
  const started = await answered(() => app.perform({ do: 'engine-start', input: {} }));
  return 'ok' in started ? [started.text] : started.kind === 'refused' ? [started.message] : [];
}

const NEEDS_ENGINE: ReadonlySet<string> = new Set([
  'launch',
  'retry',
  'next',
  'back',
  'approve',
  'reject',
  'answer',
  'plan-new',
  'plan-answer',
  'plan-redo',
  'plan-approve',
  'resume',
  'land',
]);

function doneText(call: AnyCall, { plan, task, record, session }: Done): string {
  if (task !== undefined && plan !== undefined && record !== null)
    return `${plan.plan}#${task.after.address} ${taskOutcome(call.do as TaskActionName, { record, plan, ...task })}`;
  if (session !== undefined) return `${session.session}: ${session.sentence}`;
  if (call.do === 'use') return '';
  return record === null ? '' : planOutcome(record);
}
