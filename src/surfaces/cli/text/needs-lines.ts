// What waits for a person, as lines: what it is, and what can be typed.
import type { Need } from '../../../core/views/needs.ts';
import { commandFor } from './suggestions.ts';

export function needLines(needs: readonly Need[]): readonly string[] {
  return needs.flatMap(({ sentence, actions }) => [
    ...sentence
      .trimEnd()
      .split('\n')
      .map((line, index) => (index === 0 ? `  ${line}` : `    ${line}`)),
    ...actions.map((action) => `      ${commandFor(action)}`),
  ]);
}

/** As `--json` prints it. */
export function needJson({ kind, plan, task, sentence, actions }: Need): object {
  return { kind, plan, task, sentence, commands: actions.map(commandFor) };
}
