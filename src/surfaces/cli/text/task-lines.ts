// The tasks of a plan as lines: phases, markers, states.
import { listed } from '../../../core/model/tasks.ts';
import { type FileView, isSettling, type PlanView, type TaskView } from '../../../core/views/plan.ts';
import type { RunView } from '../../../core/views/run.ts';
import { taskMachine } from '../../../machines/task.ts';
import { shortened } from '../../../text/shorten.ts';
import { showText } from '../../../text/show.ts';
import { columns } from './columns.ts';
import { problemLines } from './problem-lines.ts';
import { shortTime } from './record-line.ts';
import { feedbackLines, of, stateWords } from './status-text.ts';

export function taskLines(view: PlanView, file: FileView): readonly string[] {
  const path = `docs/plans/${view.plan}`;
  const isUnsettled = isSettling(file.problems);
  if (file.state === 'unusable' && !isUnsettled)
    return [
      `${path} cannot be used until its errors are fixed; its tasks stay as they were.`,
      ...problemLines(
        path,
        file.problems.filter((problem) => problem.severity === 'error'),
      ),
    ];
  const remarks = [
    ...(file.state === 'missing' ? [`${path} is missing. Its tasks are kept as they were (stale).`] : []),
    ...(isUnsettled ? file.problems.map(({ message }) => `${path}: ${message}`) : []),
  ];
  const phases = view.phases.flatMap((phase) => {
    const tasks = view.tasks.filter((task) => !task.stale && task.phase === phase.number);
    const named = phase.name === '' ? '' : `: ${showText(phase.name)}`;
    const title = phase.number === 0 && phase.name === '' ? [] : [`Phase ${phase.number}${named}`];
    return [...title.map((text) => (phase.parallel ? `${text} (in parallel)` : text)), ...rows(tasks)];
  });
  return [
    ...remarks,
    ...phases,
    ...titled(
      'Requested by a review',
      view.tasks.filter((task) => !task.stale && task.phase === null),
    ),
    ...titled(
      'No longer in the plan',
      view.tasks.filter((task) => task.stale),
    ),
  ];
}

function titled(title: string, tasks: readonly TaskView[]): readonly string[] {
  return tasks.length === 0 ? [] : [title, ...rows(tasks)];
}

/** A line for each task; below it the last feedback on a run that is not finished. */
function rows(tasks: readonly TaskView[]): readonly string[] {
  const lines = columns(
    tasks.map((task) => [`  ${marker(task)}`, task.task, shortened(task.name), words(task), runWords(task)]),
  );
  return tasks.flatMap((task, index) => [
    lines[index] ?? '',
    ...(isActive(task) ? feedbackLines(task.run).map((line) => `       ${line}`) : []),
  ]);
}

function isActive(task: TaskView): task is TaskView & { readonly run: RunView } {
  return task.run !== null && !taskMachine.final.includes(task.state);
}

function runWords(task: TaskView): string {
  if (!isActive(task)) return '';
  const { run, owner, deadline } = task;
  const { coding, fixing } = run.counts;
  return [
    stateWords(run),
    `attempt ${run.attempt}`,
    ...(run.state === 'CODING' ? [`turn ${of(coding)}`] : []),
    ...(run.state === 'FIXING' ? [`turn ${of(fixing)}`] : []),
    ...(owner === null ? [] : [`owner ${owner}`]),
    ...(deadline === null || deadline.leadsTo === 'remind' ? [] : [`until ${shortTime(deadline.at).slice(11, 16)}`]),
  ].join(', ');
}

function marker(task: TaskView): string {
  if (taskMachine.final.includes(task.state)) return 'ok';
  if (task.state !== taskMachine.initial) return '>>';
  return task.blockedBy.length > 0 || task.stale ? '--' : '  ';
}

function words(task: TaskView): string {
  const blocked = task.blockedBy.length === 0 ? [] : [`blocked by ${listed(task.blockedBy)}`];
  return [
    task.state,
    ...blocked,
    ...(task.profile === null ? [] : [`profile ${showText(task.profile)}`]),
    ...(task.stale ? ['stale'] : []),
    ...(task.held ? ['held'] : []),
    ...(task.halted ? ['halted'] : []),
    ...(task.suspended ? ['suspended'] : []),
    ...(task.merging ? ['merging'] : []),
    ...(task.run?.heldUp ? ['held up'] : []),
    ...(task.markedDone === null ? [] : ['marked done, nothing merged']),
    ...(task.changed ? ['text changed since launch'] : []),
  ].join(', ');
}
