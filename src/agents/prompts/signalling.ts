// How an agent ends its turn. Generated from the registry of signals, so that no prompt names a signal that does not exist.
import type { PlanFile } from '../../plan/name.ts';
import { findSignal, type Role, type SignalDefinition, type SignalName } from '../../signals/registry.ts';
import { encodeSentinel } from '../../signals/sentinel.ts';
import { quoteForShell } from '../../text/shell.ts';
import { DOCUMENT_FILE } from '../../workshop/document-file.ts';
import { fixedSection, type Section } from './prompt.ts';

export interface TurnSignals {
  readonly role: Role;
  /** The signals that may end this turn; the role may have others. */
  readonly signals: readonly string[];
  /** The prompt says which document the body of these signals is. */
  readonly document?: 'report' | 'review';
}

export function signalSection(turn: TurnSignals, plan: PlanFile, cadre: readonly string[], more = ''): Section {
  const signals = turn.signals.map((name) => signalOf(turn.role, name));
  // A verdict counts as a command only.
  const sentinels = signals.filter((signal) => signal.sentinel && signal.run?.in.includes('CODE_REVIEW') !== true);
  const text = [
    `End your turn with ${signals.length === 1 ? 'this command' : 'one of these commands'}, run in the worktree. It answers at once. If it refuses, it says what is missing: fix that, and run it again.`,
    '',
    ...signals.map((signal) => `- ${commandFor(signal, turn, cadre)}: ${signal.meaning}`),
    ...(more === '' && signals.some(({ body }) => body !== 'none') ? ['', IN_A_FILE] : []),
    ...(sentinels.length === 0
      ? []
      : [
          '',
          "Only if that command cannot be started, write your session's key to a file in the worktree instead:",
          '',
        ]),
    ...sentinels.map((signal) => `- ${fileFor(signal, plan)}: ${signal.meaning}`),
    ...(more === '' ? [] : ['', more]),
    '',
    `Nothing else ends your turn. Saying so in chat does not count; only the command ${sentinels.length === 0 ? 'does' : 'or the file does'}.`,
  ].join('\n');
  // The scripted agent finds the list of signals by this title.
  return fixedSection('How to end your turn', text);
}

/** Another way to hand in a text, for programs that do not run a command with this text on its input. */
const IN_A_FILE = `If you are not allowed to run it with a text on its standard input, write the text to \`${DOCUMENT_FILE}\` in the worktree, and pass that path instead of the last \`-\`.`;

export function maySay(role: Role, signal: SignalDefinition): boolean {
  return [signal.plan, signal.run, signal.workshop].some((allowed) => allowed?.roles.includes(role));
}

/** A prompt that names a signal of another role is a bug in cadre. */
function signalOf(role: Role, name: string): SignalDefinition {
  const signal = findSignal(name);
  if (signal === undefined || !maySay(role, signal)) throw new Error(`The role ${role} may not send "${name}".`);
  return signal;
}

function commandFor(signal: SignalDefinition, { document }: TurnSignals, cadre: readonly string[]): string {
  const command = quoteForShell([...cadre, 'signal', signal.name]);
  const isDocument = document !== undefined && DOCUMENTS[document].includes(signal.name);
  if (signal.body === 'none' || (signal.body === 'optional' && !isDocument)) return `\`${command}\``;
  return `\`${command} --body-file -\`, with ${isDocument ? `your ${document}` : 'the text'} on its standard input`;
}

const DOCUMENTS: { readonly [document in 'report' | 'review']: readonly SignalName[] } = {
  report: ['implement-finished', 'fix-finished'],
  review: ['review-approved', 'review-changes'],
};

function fileFor(signal: SignalDefinition, plan: PlanFile): string {
  return `\`printenv CADRE_PROOF >${quoteForShell([`docs/plans/.signals/${encodeSentinel(signal, plan)}`])}\``;
}
