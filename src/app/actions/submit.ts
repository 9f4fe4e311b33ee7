// One event through the gateway, and what came of it.
import type { Decision } from '../../core/model/decision.ts';
import type { Event } from '../../core/model/event.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import { decideTogether } from '../../core/rules/decide.ts';
import type { AppPorts } from '../ports.ts';
import { type Refused, refuse } from './action.ts';

export interface Extras {
  /** Submitted with the event: all of them are accepted, or nothing is written. What the plan file says now, for example. */
  readonly before?: readonly Event[];
  readonly after?: readonly Event[];
}

export type Submitted =
  | {
      readonly kind: 'accepted' | 'ignored';
      readonly record: JournalRecord | undefined;
      readonly notes: readonly string[];
    }
  | Refused;

export async function submit(
  ports: AppPorts,
  event: Event,
  { before = [], after = [] }: Extras = {},
): Promise<Submitted> {
  const { answers, notes } = await ports.gateway.attempt([...before, event, ...after]);
  const answer = answers.find(({ kind }) => kind === 'refused') ?? answers[before.length];
  if (answer === undefined) throw new Error(`"${event.kind}" was not answered.`);
  if (answer.kind === 'refused') return refusal(answer, notes);
  return { kind: answer.kind, record: answer.records[0], notes };
}

/** The refusal that the events would get, without writing anything. */
export async function preview(ports: AppPorts, events: readonly Event[]): Promise<Refused | undefined> {
  const { decisions } = decideTogether(await ports.gateway.look(), events, ports.clock.now());
  const no = decisions.find((decision) => decision.kind === 'refused');
  return no?.kind === 'refused' ? refusal(no, []) : undefined;
}

export function refusal(answer: Extract<Decision, { kind: 'refused' }>, notes: readonly string[]): Refused {
  return refuse(answer.code, answer.why, { try: answer.try, notes });
}
