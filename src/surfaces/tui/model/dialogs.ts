// Dialogs: what is asked before something is merged, stopped or lost, and what the keys in them do.
import { undated } from '../../../plan/name.ts';
import type { Command } from './commands.ts';
import type { Dialog, Model } from './model.ts';
import { openPrompt } from './prompts.ts';
import { subjectOf } from './selection.ts';
import { backToList, become, doing, refusing, type Situation, type Step } from './step.ts';

/** The key that agrees is never the one that asked, nor Enter. */
export function confirmation(title: string, lines: readonly string[], commands: readonly Command[], key = 'y'): Dialog {
  return { title, lines, choices: [{ key, label: 'yes', commands }] };
}

/** Opens a dialog about what is selected. */
export function askAbout(situation: Situation, dialog: Dialog): Model {
  const about = { name: subjectOf(situation.row, situation.snapshot) ?? '', was: stateOf(situation) };
  return { ...situation.model, mode: { kind: 'ask', dialog: { ...dialog, about } } };
}

/** The state of the selected task, or else of the plan: what a decision depends on. */
function stateOf({ row, snapshot: { plan } }: Situation): string {
  const own = row?.kind === 'task' || row?.kind === 'session' ? row.task : null;
  const task = plan?.tasks.find((one) => own !== null && one.task === own.task) ?? null;
  if (task === null) return [plan?.plan, plan?.planning?.state ?? plan?.status, plan?.paused].join(' ');
  const { state, run } = task;
  return [plan?.plan, task.task, state, run?.attempt, run?.state, run?.stage, run?.commit].join(' ');
}

export function answerDialog(situation: Situation, dialog: Dialog, key: string): Step {
  const { model } = situation;
  const chosen = dialog.choices.find((choice) => choice.key === key);
  if (chosen !== undefined) {
    const closed = backToList(model);
    const { about } = dialog;
    if (about !== undefined && about.was !== stateOf(situation))
      return refusing(
        { ...situation, model: closed },
        `${undated(about.name)} has moved on since this was asked, so nothing was done. Look at it first.`,
      );
    if (chosen.typed === undefined) return doing(closed, ...chosen.commands);
    return become(openPrompt(closed, chosen.typed.prompt, chosen.typed.text));
  }
  const isLeft = key === 'escape' || key === 'ctrl-c' || key === 'q';
  return isLeft ? doing(backToList(model), ...(dialog.otherwise ?? [])) : become(model);
}
