// One step through the gateway, and how its outcome is told.
import type { Event } from '../../core/model/event.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import { viewPlan } from '../../core/views/plan.ts';
import type { PlanEvent } from '../../machines/plan.ts';
import { showLines } from '../../text/show.ts';
import { answer, type Context, EXIT, type ExitCode, type Run, refuse } from './context.ts';
import { planNamed } from './find.ts';
import { recordJson } from './json/record-json.ts';

/** What is submitted before or after a step, and not spoken of. */
export interface Besides {
  readonly before?: readonly Event[];
  readonly after?: readonly Event[];
}

export async function takeStep(
  context: Context,
  event: Event,
  { before = [], after = [] }: Besides = {},
): Promise<ExitCode> {
  const { gateway } = context.app();
  const { answers, notes } = await gateway.submit([...before, event, ...after]);
  for (const note of notes) context.say(note);
  const outcome = answers[before.length];
  if (outcome?.kind === 'refused') return refuse(context, outcome.code, outcome.why, outcome.try);
  const record = outcome?.records[0];
  const move = record?.moves[0];
  const entry = move === undefined ? undefined : (await gateway.look()).plans.get(move.plan);
  if (record === undefined || entry === undefined) throw new Error(`"${event.kind}" was accepted and moved nothing.`);
  if (event.kind === 'move' && event.event !== record.event) return refuse(context, 'conflict', turnedDown(record));
  answer(context, { plan: viewPlan(await gateway.look(), entry), record: recordJson(record), notes }, [told(record)]);
  return EXIT.ok;
}

/** A command for an event that only a person may send. */
export function userOnlyStep(event: PlanEvent): Run {
  return async (context, given) => {
    const { gateway, by } = context.app();
    const { plan } = planNamed(await gateway.look(), given.arguments[0] ?? '');
    return takeStep(context, { kind: 'move', plan, event, by });
  };
}

/** What was approved cannot land as it is, so a task was made of it. */
function turnedDown(record: JournalRecord): string {
  const made = record.changes?.flatMap((change) => (change.of === 'fix-task' ? [change.task] : [])) ?? [];
  const feedback = 'feedback' in record ? showLines(record.feedback ?? '') : '';
  return `${record.moves[0]?.plan} is not approved: task ${made.join()} was made of what is in the way.\n\n${feedback}`;
}

function told(record: JournalRecord): string {
  const [move] = record.moves;
  if (move === undefined) return '';
  return move.from === null ? `${move.plan} is ${move.to}.` : `${move.plan}: ${move.from} -> ${move.to}`;
}
