// Advice on a plan that is usable as it is: what tends to go wrong when agents build it.
import { namesIn, saysItExists } from './interfaces.ts';
import type { FileReference, Phase, Plan, Problem, Task } from './plan.ts';

export function advise(plan: Plan): readonly Problem[] {
  const advice = [
    ...adviseOnHeader(plan),
    ...plan.phases.flatMap((phase) => phase.tasks.flatMap(adviseOnTask)),
    ...plan.phases.filter((phase) => phase.parallel).flatMap(adviseOnSharedFiles),
    ...adviseOnCreation(plan),
    ...adviseOnNames(plan),
    ...adviseOnPlaceholders(plan),
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

/** A name that a task needs has to come from an earlier task, or exist already. */
function adviseOnNames({ phases }: Plan): readonly Problem[] {
  const tasks = phases.flatMap((phase) => phase.tasks.map((task) => ({ task, phase })));
  const producers = new Map<string, { readonly index: number; readonly task: Task; readonly phase: Phase }>();
  for (const [index, { task, phase }] of tasks.entries())
    for (const name of (task.interfaces?.produces ?? []).flatMap(namesIn))
      if (!producers.has(name)) producers.set(name, { index, task, phase });
  return tasks.flatMap(({ task, phase }, index) =>
    (task.interfaces?.consumes ?? []).flatMap((entry) =>
      saysItExists(entry)
        ? []
        : namesIn(entry).flatMap((name) => {
            const producer = producers.get(name) ?? producers.get(name.split(/[.:#]/)[0] ?? '');
            if (producer === undefined) return [advice(task.line, 'undefined-name', undefinedName(task, name))];
            const isLate = phase.parallel && producer.phase === phase ? false : producer.index > index;
            const isBeside =
              phase.parallel && producer.phase === phase && producer.task !== task && !areOrdered(task, producer.task);
            if (!isLate && !isBeside) return [];
            const when = isLate ? 'later' : 'at the same time';
            const message = `Task ${task.address} needs "${name}", which task ${producer.task.address} produces ${when}.`;
            return [advice(task.line, 'produced-later', message)];
          }),
    ),
  );
}

function undefinedName(task: Task, name: string): string {
  return `Task ${task.address} needs "${name}", which no task produces. If it already exists, add "(exists)" to the entry.`;
}

/** Places where the plan leaves to the agent what its author has not decided. */
function adviseOnPlaceholders({ phases }: Plan): readonly Problem[] {
  return phases.flatMap(({ tasks }) => tasks.flatMap(placeholdersIn));
}

/** One for each line, so that a long task does not hide the others. */
function placeholdersIn(task: Task): readonly Problem[] {
  return task.rawText.split(/\r\n?|\n/).flatMap((line, index): readonly Problem[] => {
    const found = PLACEHOLDERS.find(({ words }) => words.test(line.slice(0, LONGEST_LINE)));
    const words = found?.words.exec(line)?.[0].trim();
    if (found === undefined || words === undefined) return [];
    const message = `Task ${task.address} says "${words}". ${found.instead}`;
    return [{ line: task.line + index, column: 1, severity: 'advice', code: 'placeholder', message }];
  });
}

const LONGEST_LINE = 2_000;

const DECIDE = 'Decide it, or make it a question; an agent would guess.';
const SAY_WHICH = 'Say which, and what has to happen; two agents would choose differently.';
const REPEAT = 'Repeat what counts: the agent of this task does not see the other one.';

const PLACEHOLDERS: readonly { readonly words: RegExp; readonly instead: string }[] = [
  { words: /\b(?:TBD|TBC|TBA|TODO|FIXME)\b/, instead: DECIDE },
  { words: /\bto be (?:decided|determined|defined|specified|done later)\b/i, instead: DECIDE },
  { words: /\b(?:fill (?:this )?in|implement|specify|decide|finish) (?:the details )?later\b/i, instead: DECIDE },
  {
    words: /\b(?:handle|cover|consider) (?:all |any |the )?(?:possible )?(?:edge|corner) cases\b/i,
    instead: SAY_WHICH,
  },
  {
    words: /\badd (?:appropriate|proper|suitable|necessary|adequate|any needed) [a-z -]{3,40}/i,
    instead: SAY_WHICH,
  },
  { words: /\bwrite (?:the )?tests for (?:the above|this|it|everything)\b/i, instead: SAY_WHICH },
  { words: /\b(?:similar to|same as|as in|like in) task #?\d+(?:\.\d+)*/i, instead: REPEAT },
];

function filesOf(phases: readonly Phase[]): readonly { phase: Phase; task: Task; file: FileReference }[] {
  return phases.flatMap((phase) => phase.tasks.flatMap((task) => task.files.map((file) => ({ phase, task, file }))));
}

function advice(line: number, code: string, message: string): Problem {
  return { line, column: 1, severity: 'advice', code, message };
}
