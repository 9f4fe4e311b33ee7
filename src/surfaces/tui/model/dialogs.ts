// Dialogs: what is asked before something is merged, stopped or lost, and what the keys in them do.
import type { Command } from './commands.ts';
import type { Dialog, Model } from './model.ts';
import { openPrompt } from './prompts.ts';
import { backToList, become, doing, type Situation, type Step } from './step.ts';

/** The key that agrees is never the one that asked, nor Enter. */
export function confirmation(
  model: Model,
  title: string,
  lines: readonly string[],
  commands: readonly Command[],
  key = 'y',
): Model {
  return { ...model, mode: { kind: 'ask', dialog: { title, lines, choices: [{ key, label: 'yes', commands }] } } };
}

export function answerDialog({ model }: Situation, dialog: Dialog, key: string): Step {
  const chosen = dialog.choices.find((choice) => choice.key === key);
  if (chosen !== undefined) {
    const closed = backToList(model);
    if (chosen.prompt === undefined) return doing(closed, ...chosen.commands);
    return become(openPrompt(closed, chosen.prompt, chosen.label.replace('"..."', '')));
  }
  const isLeft = key === 'escape' || key === 'ctrl-c' || key === 'q';
  return isLeft ? doing(backToList(model), ...(dialog.otherwise ?? [])) : become(model);
}
