// What a person does to the selected task or session. What may be done is decided by the app; this chooses what is asked for.

import type { SessionShown } from '../../../app/sessions.ts';
import type { SeenRun } from '../../../core/model/run.ts';
import type { TaskView } from '../../../core/views/plan.ts';
import { undated } from '../../../plan/name.ts';
import { commandFor } from '../../cli/text/suggestions.ts';
import { perform } from './commands.ts';
import { askAbout, confirmation } from './dialogs.ts';
import { foldRow } from './moving.ts';
import { planNext, runPlan } from './plan-acting.ts';
import { openPrompt, textPrompt, typedFeedback } from './prompts.ts';
import { selectedTask } from './rows.ts';
import { subjectOf } from './selection.ts';
import { openInSidebar } from './sidebar.ts';
import { become, doing, refusing, type Situation, type Step } from './step.ts';

/** Launches a planned task, attaches to a session, unfolds a phase. */
export function enter(situation: Situation): Step {
  const { model, row } = situation;
  if (model.focus === 'sidebar') return openInSidebar(situation);
  switch (row?.kind) {
    case 'phase':
      return foldRow(situation, 'other');
    case 'session':
      if (hasTerminal(row.session)) return doing(model, { do: 'attach', session: row.session.session });
      return become({ ...model, focus: 'window', tab: 'first' });
    case 'task':
      if (row.session !== null && hasTerminal(row.session))
        return doing(model, { do: 'attach', session: row.session.session });
      if (isPlanned(row.task)) return onTask(situation, 'launch');
      return become({ ...model, focus: 'window', tab: 'first' });
    default:
      return become({ ...model, focus: 'window', tab: 'first' });
  }
}

/** What ended keeps its terminal until something else is started in it. */
function hasTerminal({ state }: SessionShown): boolean {
  return state === 'starting' || state === 'running' || state === 'ended';
}

/** What Enter does here, in a word. */
export function enterWord({ model, row, snapshot }: Situation): string | undefined {
  if (model.focus === 'sidebar') return 'open';
  if (row?.kind === 'session') return hasTerminal(row.session) ? 'attach' : 'read';
  if (row?.kind === 'phase') return row.isFolded ? 'unfold' : 'fold';
  if (row === undefined) return undefined;
  if (row.kind !== 'task') return 'read';
  return row.session !== null && hasTerminal(row.session)
    ? 'attach'
    : isPlanned(row.task) && row.task.mayStart && !snapshot.isNew
      ? 'launch'
      : 'read';
}

/** What "t" does here, in a word; undefined where it would be refused. */
export function nextWord({ row, snapshot }: Situation): string | undefined {
  const { plan } = snapshot;
  const task = selectedTask(row);
  if (task === undefined) {
    if (plan === null || plan.landed?.ok === true) return undefined;
    return PLAN_NEXT[plan.planning?.state ?? plan.status];
  }
  if (isPlanned(task)) return task.mayStart && !snapshot.isNew ? 'launch' : undefined;
  if (task.waysOut.includes('next')) return NEXT_WORDS[task.run?.state ?? ''] ?? 'next';
  return task.waysOut.includes('override') || task.waysOut.includes('approve') ? 'approve' : undefined;
}

const NEXT_WORDS: { readonly [state: string]: string } = { PLANNING: 'submit', CODING: 'verify', FIXING: 'verify' };

const PLAN_NEXT: { readonly [state: string]: string } = {
  review_ready: 'approve',
  reviewing: 'approve',
};

/** What "r" does here, in a word; undefined where there is nothing to run. */
export function runWord({ row, snapshot: { plan, status } }: Situation): string | undefined {
  if (selectedTask(row)?.waysOut.includes('relaunch')) return 'retry';
  if (row?.kind === 'session' && row.plan === null) return row.session.state === 'running' ? undefined : 'resume';
  if (plan?.paused) return 'resume';
  if (plan === null) return status?.active == null ? undefined : 'run';
  return plan.status === 'ready' ? 'run' : undefined;
}

/** Whether "b" sends something back here. */
export function maySendBack({ row, snapshot: { plan } }: Situation): boolean {
  const task = selectedTask(row);
  if (task !== undefined) return task.waysOut.includes('changes') || task.waysOut.includes('back');
  return plan?.planning?.state === 'review_ready' || plan?.status === 'reviewing';
}

function isPlanned({ state, run, stale }: TaskView): boolean {
  return state === 'planned' && run === null && !stale;
}

type PlainTaskAction = 'launch' | 'next' | 'retry' | 'approve' | 'revert' | 'mark-done';

/** The action on the selected task; the app refuses what is not possible, with a reason. */
function onTask(situation: Situation, action: PlainTaskAction): Step {
  const on = subjectOf(situation.row, situation.snapshot);
  if (situation.snapshot.isNew)
    return refusing(
      situation,
      `${on ?? 'The plan'} is not registered yet: "r" builds the plan, "s" and Enter registers it.`,
    );
  if (on === undefined || selectedTask(situation.row) === undefined) return refusing(situation, 'No task is selected.');
  return doing(situation.model, perform({ do: action, on, input: {} }));
}

/** To the next state: launches, verifies, approves. */
export function next(situation: Situation): Step {
  const { model, snapshot, row } = situation;
  const task = selectedTask(row);
  if (task === undefined) return planNext(situation);
  const on = subjectOf(row, snapshot) ?? '';
  if (isPlanned(task)) return onTask(situation, 'launch');
  if (task.waysOut.includes('next')) return onTask(situation, 'next');
  if (task.waysOut.includes('override')) return become(openPrompt(model, overridePrompt(on, task)));
  if (task.waysOut.includes('approve'))
    return become(
      askAbout(
        situation,
        confirmation(`Approve ${undated(on)}?`, approvalLines(task), [
          perform({ do: 'approve', on, input: seenIn(task) }),
        ]),
      ),
    );
  return onTask(situation, 'next');
}

/** What was shown is what is approved. */
function seenIn({ run }: TaskView): { readonly seen?: SeenRun } {
  return run === null ? {} : { seen: { state: run.state, stage: run.stage, commit: run.commit } };
}

function overridePrompt(on: string, task: TaskView): Parameters<typeof openPrompt>[1] {
  return {
    purpose: { kind: 'override', on, ...seenIn(task) },
    title: `Approve ${undated(on)}, whose commit has not passed verification?`,
    label: 'type OVERRIDE> ',
    lines: ['It is merged as it is. Esc changes nothing.'],
  };
}

function approvalLines({ run, name }: TaskView): readonly string[] {
  const commit = run?.commit?.slice(0, 7) ?? 'its plan';
  const state = run?.unverified === true ? 'not verified' : run?.state === 'CODE_REVIEW' ? 'verified' : '';
  return [`${name}: ${commit}${state === '' ? '' : `, ${state}`}.`];
}

/** Sends a task, or a whole plan in review, back; comments on the diff are the beginning of the feedback. */
export function back(situation: Situation): Step {
  const { model, row, snapshot } = situation;
  const on = subjectOf(row, snapshot);
  const task = selectedTask(row);
  if (on === undefined) return refusing(situation, 'No task is selected.');
  const comments = typedFeedback(model.comments, on);
  const text = comments === '' ? undefined : comments;
  if (task !== undefined) {
    const kind = task.waysOut.includes('changes') ? 'reject' : 'back';
    if (kind === 'back' && !task.waysOut.includes('back')) return doing(model, perform({ do: 'back', on, input: {} }));
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

/** Runs, retries or resumes, whichever the selection waits for. */
export function run(situation: Situation): Step {
  const task = selectedTask(situation.row);
  if (task?.waysOut.includes('relaunch')) return onTask(situation, 'retry');
  const { row, model } = situation;
  if (row?.kind === 'session' && row.plan === null && row.session.state !== 'running')
    return doing(model, perform({ do: 'session-resume', on: row.session.session, input: { prompt: '' } }));
  return runPlan(situation);
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

/** The last check of the selected task that failed, in place of the window. */
export function output(situation: Situation): Step {
  const { model, snapshot } = situation;
  const checks = snapshot.window?.kind === 'task' ? snapshot.window.detail.checks : [];
  const failed = checks.find(({ passed }) => !passed);
  if (failed === undefined) return refusing(situation, 'No check of this task failed.');
  const title = `${failed.of} of attempt ${failed.attempt}`;
  return become({ ...model, output: { title, lines: failed.text.trimEnd().split('\n') }, focus: 'window' });
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
