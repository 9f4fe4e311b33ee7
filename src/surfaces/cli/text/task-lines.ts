// The tasks of a plan as lines for a person: phases, markers, and the word beside each.
import { listed } from '../../../core/model/tasks.ts';
import type { FileView, PlanView, TaskView } from '../../../core/views/plan.ts';
import type { RunView } from '../../../core/views/run.ts';
import { taskMachine } from '../../../machines/task.ts';
import { showText } from '../../../text/show.ts';
import { columns, shortened } from './columns.ts';
import { problemLines } from './problem-lines.ts';
import { shortTime } from './record-line.ts';
import { feedbackLines, of, stateWords } from './status-text.ts';

export function taskLines(view: PlanView, file: FileView): readonly string[] {
  const path = `docs/plans/${view.plan}`;
  if (file.state === 'unusable')
    return [
      `${path} cannot be used until it is mended; its tasks stay as they were.`,
      ...problemLines(
        path,
        file.problems.filter((problem) => problem.severity === 'error'),
      ),
    ];
  const gone = file.state === 'missing' ? [`${path} is missing. Its tasks are kept as they were (stale).`] : [];
  const phases = view.phases.flatMap((phase) => {
    const tasks = view.tasks.filter((task) => !task.stale && task.phase === phase.number);
    const named = phase.name === '' ? '' : `: ${showText(phase.name)}`;
    const title = phase.number === 0 && phase.name === '' ? [] : [`Phase ${phase.number}${named}`];
    return [...title.map((text) => (phase.parallel ? `${text} (in parallel)` : text)), ...rows(tasks)];
  });
  return [
    ...gone,
    ...phases,
    ...titled(
      'Asked for by a review',
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

/** A task is a line; below it stands what was said last about a run that is under way. */
function rows(tasks: readonly TaskView[]): readonly string[] {
  const lines = columns(
    tasks.map((task) => [`  ${marker(task)}`, task.task, shortened(task.name), words(task), runWords(task)]),
  );
  return tasks.flatMap((task, index) => [
    lines[index] ?? '',
    ...(isUnderWay(task) ? feedbackLines(task.run).map((line) => `       ${line}`) : []),
  ]);
}

function isUnderWay(task: TaskView): task is TaskView & { readonly run: RunView } {
  return task.run !== null && !taskMachine.final.includes(task.state);
}

function runWords(task: TaskView): string {
  if (!isUnderWay(task)) return '';
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
