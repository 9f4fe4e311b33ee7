// What a person does to the selected task, session or plan. What may be done is decided by the app; this chooses what is asked for.
import type { TaskView } from '../../../core/views/plan.ts';
import { slugOf } from '../../../plan/name.ts';
import { commandFor } from '../../cli/text/suggestions.ts';
import { type AnyCall, perform } from './commands.ts';
import { confirmation } from './dialogs.ts';
import { fold } from './moving.ts';
import { feedbackFrom, openPrompt, textPrompt } from './prompts.ts';
import type { Row } from './rows.ts';
import { planOfRow, subjectOf } from './selection.ts';
import type { ShownPlan } from './snapshot.ts';
import { become, doing, refusing, type Situation, type Step } from './step.ts';

/** Launches a planned task, attaches to a session, unfolds a phase. */
export function enter(situation: Situation): Step {
  const { model, row } = situation;
  switch (row?.kind) {
    case 'phase':
      return fold(situation, 'other');
    case 'session':
      return doing(model, { do: 'attach', session: row.session.session });
    case 'task':
      if (row.session !== null) return doing(model, { do: 'attach', session: row.session.session });
      if (isPlanned(row.task)) return onTask(situation, 'launch');
      return become({ ...model, focus: 'window', tab: 'first' });
    default:
      return become({ ...model, focus: 'window', tab: 'first' });
  }
}

function isPlanned({ state, run, stale }: TaskView): boolean {
  return state === 'planned' && run === null && !stale;
}

type PlainTaskAction = 'launch' | 'next' | 'retry' | 'approve' | 'revert' | 'mark-done';

/** The action on the selected task; the app refuses what is not possible, with a reason. */
function onTask(situation: Situation, action: PlainTaskAction): Step {
  const on = subjectOf(situation.row, situation.snapshot);
  if (on === undefined || taskOf(situation.row) === undefined) return refusing(situation, 'No task is selected.');
  return doing(situation.model, perform({ do: action, on, input: {} }));
}

export function taskOf(row: Row | undefined): TaskView | undefined {
  if (row?.kind === 'task') return row.task;
  return row?.kind === 'session' ? (row.task ?? undefined) : undefined;
}

/** To the next state: launches, verifies, approves. */
export function next(situation: Situation): Step {
  const { model, snapshot, row } = situation;
  const task = taskOf(row);
  if (task === undefined) return planNext(situation);
  const on = subjectOf(row, snapshot) ?? '';
  if (isPlanned(task)) return onTask(situation, 'launch');
  if (task.waysOut.includes('next')) return onTask(situation, 'next');
  if (task.waysOut.includes('override')) return become(openPrompt(model, overridePrompt(on)));
  if (task.waysOut.includes('approve'))
    return become(confirmation(model, `Approve ${on}?`, approvalLines(task), [call({ do: 'approve', on, input: {} })]));
  return onTask(situation, 'next');
}

function overridePrompt(on: string): Parameters<typeof openPrompt>[1] {
  return {
    purpose: { kind: 'override', on },
    title: `Approve ${on}, whose commit has not passed verification?`,
    label: 'type OVERRIDE> ',
    lines: ['It is merged as it is. Esc changes nothing.'],
  };
}

function approvalLines({ run, name }: TaskView): readonly string[] {
  const commit = run?.commit?.slice(0, 7) ?? 'its plan';
  const state = run?.unverified === true ? 'not verified' : run?.state === 'CODE_REVIEW' ? 'verified' : '';
  return [`${name}: ${commit}${state === '' ? '' : `, ${state}`}.`];
}

function planNext(situation: Situation): Step {
  const { model, snapshot } = situation;
  const { plan } = snapshot;
  if (plan === null) return runPlan(situation);
  const on = slugOf(plan.plan);
  if (plan.planning?.state === 'review_ready')
    return become(
      confirmation(
        model,
        `Approve the plan ${on}?`,
        ['Its file is written to docs/plans.'],
        [call({ do: 'plan-approve', on, input: {} })],
      ),
    );
  if (plan.status === 'reviewing')
    return become(
      confirmation(
        model,
        `Approve ${on}?`,
        [`${plan.progress.done} of ${plan.progress.of} tasks are done.`],
        [call({ do: 'approve', on, input: {} })],
      ),
    );
  if (plan.status === 'done') return land(situation);
  return runPlan(situation);
}

/** Sends a task, or a whole plan in review, back; comments on the diff are the beginning of the feedback. */
export function back(situation: Situation): Step {
  const { model, row, snapshot } = situation;
  const on = subjectOf(row, snapshot);
  const task = taskOf(row);
  if (on === undefined) return refusing(situation, 'No task is selected.');
  const comments = feedbackFrom(model.comments, on);
  const text = comments === '' ? undefined : comments;
  if (task !== undefined) {
    const kind = task.waysOut.includes('changes') ? 'reject' : 'back';
    if (kind === 'back' && !task.waysOut.includes('back')) return doing(model, call({ do: 'back', on, input: {} }));
    return become(openPrompt(model, textPrompt(kind, on), text));
  }
  const isPlanned = snapshot.plan?.planning?.state === 'review_ready';
  if (isPlanned) return become(openPrompt(model, textPrompt('redo', on)));
  if (snapshot.plan?.status === 'reviewing') return become(openPrompt(model, textPrompt('reject', on), text));
  return refusing(
    situation,
    `${on} is ${snapshot.plan?.status ?? 'not registered'}, not in review: nothing to send back.`,
  );
}

/** Of a task the person chooses what becomes of it; in review it returns to the implementer. */
export function kill(situation: Situation): Step {
  const { model, row } = situation;
  const task = taskOf(row);
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
          { key: 's', label: 'stop it', commands: [call({ do: 'session-stop', on: session, input: {} })] },
          {
            key: 'p',
            label: 'pause it: commit its work and remove its worktree',
            commands: [call({ do: 'session-pause', on: session, input: {} })],
          },
        ],
      },
    },
  });
}

function killTask(situation: Situation, task: TaskView): Step {
  const { model, row, snapshot } = situation;
  const on = subjectOf(row, snapshot) ?? '';
  if (task.state === 'done')
    return refusing(situation, `${on} is done: there is nothing to kill, and nothing was changed.`);
  if (task.state === 'planned') return refusing(situation, `${on} has not been launched: there is nothing to kill.`);
  if (task.state === 'spec_review' || task.state === 'quality_review')
    return become(
      confirmation(
        model,
        `Kill the review of ${on}?`,
        ['The task returns to the implementer. Its worktree is kept.'],
        [call({ do: 'back', on, input: {} })],
        'b',
      ),
    );
  return become({
    ...model,
    mode: {
      kind: 'ask',
      dialog: {
        title: `Kill T${task.task}: revert to planned, or mark done?`,
        lines: [`${killFacts(task)} All is kept.`],
        choices: [
          {
            key: 'r',
            label: 'revert to planned; only you launch it again',
            commands: [call({ do: 'revert', on, input: {} })],
          },
          { key: 'm', label: 'mark done; nothing is merged', commands: [call({ do: 'mark-done', on, input: {} })] },
        ],
      },
    },
  });
}

function killFacts({ run, state }: TaskView): string {
  if (run === null) return `It is ${state}.`;
  return `${run.state}, attempt ${run.attempt}, on ${run.branch}.`;
}

/** Runs, retries or resumes, whichever the selection waits for. */
export function run(situation: Situation): Step {
  const task = taskOf(situation.row);
  if (task?.waysOut.includes('relaunch')) return onTask(situation, 'retry');
  const { row, model } = situation;
  if (row?.kind === 'session' && row.plan === null && row.session.state !== 'running')
    return doing(model, call({ do: 'session-resume', on: row.session.session, input: { prompt: '' } }));
  return runPlan(situation);
}

function runPlan(situation: Situation): Step {
  const { model, snapshot } = situation;
  const plan = snapshot.plan?.plan ?? snapshot.status?.active ?? undefined;
  if (plan === undefined)
    return refusing(situation, 'There is no plan to run. "N" starts one, ":run <file>" runs a file.');
  const on = slugOf(plan);
  if (snapshot.plan?.paused === true) return doing(model, call({ do: 'resume', on, input: {} }));
  return doing(model, call({ do: 'run', on: plan, input: { headless: false } }));
}

export function pause(situation: Situation): Step {
  return onPlan(situation, (plan, on) =>
    plan.paused
      ? refusing(situation, `${on} is paused already: "r" resumes it.`)
      : become(
          confirmation(
            situation.model,
            `Pause ${on}?`,
            ['Its agents are stopped, and continue with the same turns.'],
            [call({ do: 'pause', on, input: {} })],
          ),
        ),
  );
}

export function land(situation: Situation): Step {
  return onPlan(situation, (_plan, on) =>
    become(
      confirmation(
        situation.model,
        `Land ${on}?`,
        ['The plan branch is brought into its base branch.'],
        [call({ do: 'land', on, input: {} })],
      ),
    ),
  );
}

/** The plan goes back to planning. */
export function modify(situation: Situation): Step {
  const { model, snapshot } = situation;
  return onPlan(situation, ({ status }, on) => {
    const move = call({ do: 'move', on, input: { event: 'plan_start' } });
    const isWorking = (snapshot.status?.sessions ?? []).some((session) => session.plan === snapshot.plan?.plan);
    if (!isWorking) return doing(model, move);
    return become(confirmation(model, `Modify ${on}?`, [`It is ${status}, and agents are working on it.`], [move]));
  });
}

function onPlan(situation: Situation, step: (plan: ShownPlan, on: string) => Step): Step {
  const { plan } = situation.snapshot;
  return plan === null ? refusing(situation, 'There is no plan here.') : step(plan, slugOf(plan.plan));
}

export function why({ model, row, snapshot }: Situation): Step {
  const on = subjectOf(row, snapshot);
  const isOwn = row?.kind === 'session' && row.plan === null;
  const text = isOwn ? 'session list' : on === undefined ? 'status' : `why ${on}`;
  return doing(model, { do: 'line', text });
}

/** The command for the selection, as one types it. */
export function copy({ model, row, snapshot }: Situation): Step {
  const on = subjectOf(row, snapshot);
  const action = row?.kind === 'session' ? 'session-attach' : 'why';
  const reference = row?.kind === 'session' ? row.session.session : on;
  if (reference === undefined) return become(model);
  return doing(model, { do: 'copy', text: commandFor({ do: action, on: reference }) });
}

export function send(situation: Situation): Step {
  const { model, row } = situation;
  const session = row?.kind === 'session' ? row.session : row?.kind === 'task' ? row.session : null;
  if (session === null || session === undefined)
    return refusing(situation, 'No session is selected that could be typed to.');
  return become(
    openPrompt(model, {
      purpose: { kind: 'send', session: session.session },
      title: `Type to ${session.session} (${session.program})`,
      label: '> ',
      lines: ['Enter sends it as one paste and one Enter. Ctrl-E editor  Esc keeps it'],
    }),
  );
}

export function incident(situation: Situation): Step {
  const { model, row, snapshot } = situation;
  const plan = planOfRow(row, snapshot);
  if (snapshot.plan?.incident == null || plan === undefined)
    return refusing(situation, 'There is no incident in this plan.');
  return doing(model, { do: 'line', text: `incident ${slugOf(plan)}` });
}

function call(wanted: AnyCall): ReturnType<typeof perform> {
  return perform(wanted);
}
