// Stopping: of a task the person chooses what becomes of it, of a session whether its worktree stays.
import type { TaskView } from '../../../core/views/plan.ts';
import { undated } from '../../../plan/name.ts';
import { perform } from './commands.ts';
import { askAbout, confirmation } from './dialogs.ts';
import { selectedTask } from './rows.ts';
import { subjectOf } from './selection.ts';
import { become, refusing, type Situation, type Step } from './step.ts';
import { taskLabel } from './task-label.ts';

export function mayKill({ row }: Situation): boolean {
  const task = selectedTask(row);
  if (task !== undefined) return KILLED_BY.some((act) => task.waysOut.includes(act));
  return row?.kind === 'session' && row.session.state === 'running';
}

const KILLED_BY = ['back', 'revert', 'mark-done'] as const;

/** Of a task the person chooses what becomes of it; in review it returns to the implementer. */
export function kill(situation: Situation): Step {
  const { model, row } = situation;
  const task = selectedTask(row);
  if (task !== undefined) return killTask(situation, task);
  if (row?.kind !== 'session') return refusing(situation, 'Select a task or a session to kill.');
  const { session, title } = row.session;
  return become({
    ...model,
    mode: {
      kind: 'ask',
      dialog: {
        title: `Stop ${session}?`,
        lines: [`${title}. Its worktree and its branch are kept.`],
        choices: [
          { key: 's', label: 'stop it', commands: [perform({ do: 'session-stop', on: session, input: {} })] },
          {
            key: 'p',
            label: 'pause it: commit its work and remove its worktree',
            commands: [perform({ do: 'session-pause', on: session, input: {} })],
          },
        ],
      },
    },
  });
}

function killTask(situation: Situation, task: TaskView): Step {
  const { row, snapshot } = situation;
  const on = subjectOf(row, snapshot) ?? '';
  if (task.state === 'done')
    return refusing(situation, `${on} is done: there is nothing to kill, and nothing was changed.`);
  if (task.state === 'planned') return refusing(situation, `${on} has not been launched: there is nothing to kill.`);
  if (!mayKill(situation)) return refusing(situation, `${on} cannot be stopped now: ${task.sentence.trim()}`);
  if (task.state === 'spec_review' || task.state === 'quality_review')
    return become(
      askAbout(
        situation,
        confirmation(
          `Kill the review of ${undated(on)}?`,
          ['The task returns to the implementer. Its worktree is kept.'],
          [perform({ do: 'back', on, input: {} })],
          'b',
        ),
      ),
    );
  return become(
    askAbout(situation, {
      title: `Kill ${taskLabel(task.task)}: revert to planned, or mark done?`,
      lines: [`${killFacts(task)} All is kept.`],
      choices: [
        {
          key: 'r',
          label: 'revert to planned; only you launch it again',
          commands: [perform({ do: 'revert', on, input: {} })],
        },
        { key: 'm', label: 'mark done; nothing is merged', commands: [perform({ do: 'mark-done', on, input: {} })] },
      ],
    }),
  );
}

function killFacts({ run, state }: TaskView): string {
  if (run === null) return `It is ${state}.`;
  return `${run.state}, attempt ${run.attempt}, on ${run.branch}.`;
}
