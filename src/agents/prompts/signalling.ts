// How an agent ends its turn. Generated from the registry of signals, so that no prompt names a signal that does not exist.
import type { PlanFile } from '../../plan/name.ts';
import { findSignal, type Role, type SignalDefinition } from '../../signals/registry.ts';
import { encodeSentinel } from '../../signals/sentinel.ts';
import { quoteForShell } from '../../text/shell.ts';

export interface TurnSignals {
  readonly role: Role;
  /** The signals that may end this turn; the role may have others. */
  readonly signals: readonly string[];
}

export function signalPart(turn: TurnSignals, plan: PlanFile, cadre: readonly string[]): string {
  const signals = turn.signals.map((name) => signalOf(turn.role, name));
  const sentinels = signals.filter((signal) => signal.sentinel);
  return [
    // The scripted agent finds the list of signals by this heading.
    '## How to end your turn',
    '',
    `End your turn with ${signals.length === 1 ? 'this command' : 'one of these commands'}, run in the worktree. It answers at once. If it refuses, it says what is missing: fix that, and run it again.`,
    '',
    ...signals.map((signal) => `- ${commandFor(signal, cadre)}: ${signal.meaning}`),
    ...(sentinels.length === 0
      ? []
      : ['', 'Only if you cannot run commands, create a file in the worktree instead:', '']),
    ...sentinels.map((signal) => `- ${fileFor(signal, plan)}: ${signal.meaning}`),
    '',
    `Nothing else ends your turn. Saying so in chat does not count; only the command ${sentinels.length === 0 ? 'does' : 'or the file does'}.`,
  ].join('\n');
}

export function maySay(role: Role, signal: SignalDefinition): boolean {
  return [signal.plan, signal.run, signal.workshop].some((allowed) => allowed?.roles.includes(role));
}

/** A prompt that names a signal of another role is a bug in cadre. */
function signalOf(role: Role, name: string): SignalDefinition {
  const signal = findSignal(name);
  if (signal === undefined || !maySay(role, signal)) throw new Error(`The role ${role} may not send "${name}".`);
  return signal;
}

function commandFor(signal: SignalDefinition, cadre: readonly string[]): string {
  const command = quoteForShell([...cadre, 'signal', signal.name]);
  return signal.body === 'none'
    ? `\`${command}\``
    : `\`${command} --body-file -\`, with the text on its standard input`;
}

function fileFor(signal: SignalDefinition, plan: PlanFile): string {
  const path = `\`docs/plans/.signals/${encodeSentinel(signal, plan)}\``;
  return signal.body === 'none' ? `${path}, empty` : `${path}, with the text in it`;
}
