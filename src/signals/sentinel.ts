// Names of sentinel files: `<signal>-<plan file>`. Decoding is unique, because no word here starts with another and a dash.
import { type PlanEvent, planMachine } from '../machines/plan.ts';
import { type PlanFile, planFile, whyNoPlanName } from '../plan/name.ts';
import { showName } from '../text/show.ts';
import { findSignal, SIGNALS, type SignalDefinition } from './registry.ts';

export type Decoded =
  | { readonly kind: 'signal'; readonly signal: SignalDefinition; readonly plan: PlanFile }
  // Recognised so that it can be refused for what it is: a person's decision, not a misspelt name.
  | { readonly kind: 'user-only'; readonly event: PlanEvent; readonly plan: PlanFile }
  | { readonly kind: 'unreadable'; readonly why: string };

export function encodeSentinel(signal: SignalDefinition, plan: PlanFile): string {
  return `${signal.name}-${plan}`;
}

export function decodeSentinel(fileName: string): Decoded {
  const word = SENTINEL_WORDS.find((candidate) => fileName.startsWith(`${candidate}-`));
  if (word === undefined) return { kind: 'unreadable', why: unknownWord(fileName) };
  const name = fileName.slice(word.length + 1);
  const plan = planFile(name);
  if (plan === undefined)
    return { kind: 'unreadable', why: whyNoPlanName(name) ?? `"${showName(name)}" is not a plan's name.` };
  const signal = findSignal(word);
  if (signal !== undefined) return { kind: 'signal', signal, plan };
  return { kind: 'user-only', event: word.replaceAll('-', '_') as PlanEvent, plan };
}

/** A user-only event as an agent would spell it in a file name. */
export function userOnlyWords(): readonly string[] {
  return planMachine.userOnly.map((event) => event.replaceAll('_', '-'));
}

const SIGNAL_WORDS = SIGNALS.filter((signal) => signal.sentinel).map((signal) => signal.name);
export const SENTINEL_WORDS: readonly string[] = [...SIGNAL_WORDS, ...userOnlyWords()];

function unknownWord(fileName: string): string {
  const shown = showName(fileName);
  const withoutSentinel = SIGNALS.find((signal) => !signal.sentinel && fileName.startsWith(`${signal.name}-`));
  if (withoutSentinel !== undefined)
    return `"${shown}" cannot be dropped as a file; the agent has to send "${withoutSentinel.name}" from its session.`;
  return `"${shown}" is not a signal: files here are named ${SIGNAL_WORDS.map((word) => `${word}-<plan>.md`).join(', ')}.`;
}
