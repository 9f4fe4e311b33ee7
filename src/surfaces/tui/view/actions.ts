// What can be done to a task or a plan, one line each: its key, and the command.
import type { ActionName, ReadName, Suggestion } from '../../../core/model/suggestion.ts';
import { commandFor } from '../../cli/text/suggestions.ts';
import { cut, type Line, span } from '../terminal/styled.ts';
import { TONES } from './theme.ts';
import { shortSuggestion } from './words.ts';

export function actionLines(actions: readonly Suggestion[], columns: number): readonly Line[] {
  return actions.map((action) => {
    const key = keyFor(action, actions);
    const shown = span(`  ${key ?? ':'}`.padEnd(8), key === undefined ? TONES.dim : TONES.focus);
    return cut([shown, span(commandFor(shortSuggestion(action)), TONES.dim)], columns);
  });
}

/** "b" sends a review back with feedback; without it, "D" does. */
function keyFor(action: Suggestion, all: readonly Suggestion[]): string | undefined {
  return action.do === 'back' && all.some((one) => one.do === 'reject') ? 'D' : KEY_OF[action.do];
}

const KEY_OF: { readonly [action in ActionName | ReadName]?: string } = {
  launch: 'Enter',
  retry: 'r',
  run: 'r',
  resume: 'r',
  next: 't',
  approve: 't',
  override: 't',
  'plan-approve': 't',
  'plan-redo': 'b',
  reject: 'b',
  back: 'b',
  revert: 'D',
  'mark-done': 'D',
  pause: 'p',
  land: 'L',
  answer: 'a',
  'plan-answer': 'a',
  questions: 'a',
  'finding-park': 'f',
  'finding-overrule': 'f',
  'finding-confirm': 'f',
  'finding-plan-holds': 'f',
  'finding-holds': 'f',
  findings: 'f',
  'incident-restore': 'a',
  'incident-take': 'a',
  'worktree-restore': 'a',
  'config-accept': 'a',
  diff: 'd',
};
