// Lists of words for help texts, from the tables that the program runs on.
import { eventsOf } from '../../../machines/machine.ts';
import { planMachine } from '../../../machines/plan.ts';
import { type BodyRule, SIGNALS, type SignalDefinition } from '../../../signals/registry.ts';

export const EVENT_WORDS = eventsOf(planMachine).join(', ');

const BODIES: { readonly [rule in BodyRule]: string } = { none: '', optional: ' [body?]', required: ' [body]' };

export const SIGNAL_WORDS: readonly string[] = ['Signals:', ...SIGNALS.map(signalLine)];

function signalLine(signal: SignalDefinition): string {
  const body = BODIES[signal.body];
  return `  ${(signal.name + body).padEnd(26)} ${rolesOf(signal).join(', ')}: ${signal.meaning}`;
}

export function rolesOf(signal: SignalDefinition): readonly string[] {
  return [...new Set([...(signal.plan?.roles ?? []), ...(signal.run?.roles ?? []), ...(signal.workshop?.roles ?? [])])];
}
