// What waits for a person, as lines: what it is, and what can be typed.
import type { Need } from '../../../core/views/needs.ts';
import { commandFor } from './suggestions.ts';

export function needLines(needs: readonly Need[]): readonly string[] {
  const lines: string[] = [];
  for (const { sentence, actions } of needs) {
    lines.push(`  ${sentence.trimEnd().replaceAll('\n', '\n    ')}`);
    for (const action of actions) lines.push(`      ${commandFor(action)}`);
  }
  return lines;
}

/** As `--json` prints it. */
export function needJson({ kind, plan, task, sentence, actions }: Need): object {
  return { kind, plan, task, sentence, commands: actions.map(commandFor) };
}
