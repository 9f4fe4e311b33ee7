// How an agent says what it has done, made from the registry of signals so that no prompt names one that is not heard.
import type { PlanFile } from '../../plan/name.ts';
import { findSignal, type Role, type SignalDefinition } from '../../signals/registry.ts';
import { encodeSentinel } from '../../signals/sentinel.ts';
import { quoteForShell } from '../../text/shell.ts';

export interface TurnSignals {
  readonly role: Role;
  /** What of all that the role may say is to be said in this prompt. */
  readonly signals: readonly string[];
}

export function signalPart(turn: TurnSignals, plan: PlanFile, cadre: readonly string[]): string {
  const signals = turn.signals.map((name) => spoken(turn.role, name));
  const sentinels = signals.filter((signal) => signal.sentinel);
  return [
    '## How you say it',
    '',
    'End your work with one of these commands, run in the worktree. It answers at once; if it refuses, it says what is missing: see to that, and say it again.',
    '',
    ...signals.map((signal) => `- ${commandFor(signal, cadre)}: ${signal.meaning}`),
    ...(sentinels.length === 0
      ? []
      : ['', 'Only if you cannot run commands, make a file in the worktree instead:', '']),
    ...sentinels.map((signal) => `- ${fileFor(signal, plan)}: ${signal.meaning}`),
    '',
    'Nothing else counts. That you are finished is not heard when you say it in the conversation.',
  ].join('\n');
}

export function maySay(role: Role, signal: SignalDefinition): boolean {
  return [signal.plan, signal.run, signal.workshop].some((hearing) => hearing?.roles.includes(role));
}

/** A prompt that tells an agent to say what is another's to say is a mistake of the program. */
function spoken(role: Role, name: string): SignalDefinition {
  const signal = findSignal(name);
  if (signal === undefined || !maySay(role, signal)) throw new Error(`The role ${role} cannot say "${name}".`);
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
