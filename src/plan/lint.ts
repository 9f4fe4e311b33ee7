// Advice on a plan that is usable as it is: what tends to go wrong when agents build it.
import type { FileReference, Phase, Plan, Problem, Task } from './plan.ts';

export function advise(plan: Plan): readonly Problem[] {
  const advice = [
    ...adviseOnHeader(plan),
    ...plan.phases.flatMap((phase) => phase.tasks.flatMap(adviseOnTask)),
    ...plan.phases.filter((phase) => phase.parallel).flatMap(adviseOnSharedFiles),
    ...adviseOnCreation(plan),
  ];
  return advice.sort((one, other) => one.line - other.line);
}

function adviseOnHeader(plan: Plan): readonly Problem[] {
  if (plan.goal !== null) return [];
  return [
    advice(
      1,
      'no-goal',
      'The plan has no goal. Add a line "**Goal:** ..." at the top, so that every agent knows the purpose.',
    ),
  ];
}

function adviseOnTask(task: Task): readonly Problem[] {
  const found: Problem[] = [];
  if (task.name === '') found.push(advice(task.line, 'no-name', `Task ${task.address} has no name.`));
  if (task.files.length === 0)
    found.push(advice(task.line, 'no-files', `Task ${task.address} lists no files ("**Files:**" and a list).`));
  if (task.steps.length === 0)
    found.push(advice(task.line, 'no-steps', `Task ${task.address} has no steps ("**Step 1: ...**").`));
  for (const step of task.steps)
    if (step.command === null)
      found.push(
        advice(step.line, 'no-command', `Step ${step.number} of task ${task.address} has no command ("Run: ...").`),
      );
  for (const file of task.files)
    if (isOutside(file.path))
      found.push(advice(file.line, 'outside', `"${file.path}" is not a path inside the repository.`));
  return found;
}

function isOutside(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~') || path.split('/').includes('..');
}

interface Touch {
  readonly task: Task;
  readonly file: FileReference;
}

/** Parallel tasks that touch the same file may conflict when they are merged, if one of them changes it. */
function adviseOnSharedFiles(phase: Phase): readonly Problem[] {
  const touched = new Map<string, Touch>();
  const written = new Map<string, Touch>();
  return filesOf([phase]).flatMap((touch) => {
    const { path } = touch.file;
    const other = writes(touch.file) ? (written.get(path) ?? touched.get(path)) : written.get(path);
    if (!touched.has(path)) touched.set(path, touch);
    if (!written.has(path) && writes(touch.file)) written.set(path, touch);
    return other === undefined || other.task === touch.task || areOrdered(touch.task, other.task)
      ? []
      : [advice(touch.file.line, 'shared-file', sharedFile(touch, other))];
  });
}

function writes(file: FileReference): boolean {
  return file.action !== 'reference';
}

function areOrdered(one: Task, other: Task): boolean {
  return Boolean(one.dependsOn?.includes(other.address) || other.dependsOn?.includes(one.address));
}

function sharedFile({ file }: Touch, other: Touch): string {
  const isCreatedTwice = file.action === 'create' && other.file.action === 'create';
  const what = isCreatedTwice ? 'is also created by' : 'is also touched by';
  return `"${file.path}" ${what} task ${other.task.address}, which runs at the same time. Move one of them to another phase, or make it depend on the other.`;
}

/** A file should be created once, and before anything modifies it. */
function adviseOnCreation(plan: Plan): readonly Problem[] {
  const created = new Map<string, Task>();
  const touched = new Map<string, { readonly task: Task; readonly file: FileReference }>();
  const found: Problem[] = [];
  for (const { phase, task, file } of filesOf(plan.phases)) {
    const creator = created.get(file.path);
    if (file.action !== 'create') {
      if (creator === undefined && !touched.has(file.path)) touched.set(file.path, { task, file });
      continue;
    }
    if (creator !== undefined && creator !== task && !(phase.parallel && phase.tasks.includes(creator)))
      found.push(advice(file.line, 'created-twice', `"${file.path}" is already created by task ${creator.address}.`));
    const earlier = touched.get(file.path);
    if (creator === undefined && earlier !== undefined && earlier.task !== task && earlier.file.action === 'modify')
      found.push(
        advice(earlier.file.line, 'not-there-yet', `"${file.path}" is only created later, by task ${task.address}.`),
      );
    if (creator === undefined) created.set(file.path, task);
  }
  return found;
}

function filesOf(phases: readonly Phase[]): readonly { phase: Phase; task: Task; file: FileReference }[] {
  return phases.flatMap((phase) => phase.tasks.flatMap((task) => task.files.map((file) => ({ phase, task, file }))));
}

function advice(line: number, code: string, message: string): Problem {
  return { line, column: 1, severity: 'advice', code, message };
}
