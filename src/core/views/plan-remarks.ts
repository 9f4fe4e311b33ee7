// What a plan leaves open, or contradicts itself in: agents would guess, or get in each other's way. Read before it is built.
import { advise } from '../../plan/lint.ts';
import type { PlanFile } from '../../plan/name.ts';
import { parse } from '../../plan/parse.ts';
import type { Plan, Task } from '../../plan/plan.ts';
import { showText } from '../../text/show.ts';

/** In the order of the file, with their places. `profiles`: the names that the settings know. */
export function planRemarks(file: PlanFile, text: string, profiles: readonly string[]): readonly string[] {
  const { plan } = parse(text);
  const found = [
    ...advise(plan).filter(({ code }) => OPEN.has(code)),
    ...tasksIn(plan).flatMap((task) => unknownProfile(task, profiles)),
  ];
  const sorted = found.toSorted((one, other) => one.line - other.line);
  const named = sorted.slice(0, MOST_NAMED).map(({ line, message }) => `docs/plans/${file}:${line}: ${message}`);
  const more = sorted.length - named.length;
  return more <= 0 ? named : [...named, `${more} more ${more === 1 ? 'place' : 'places'} in docs/plans/${file}.`];
}

/** Other advice is about how a plan is written, and nobody has to decide anything. */
const OPEN: ReadonlySet<string> = new Set([
  'placeholder',
  'undefined-name',
  'produced-later',
  'shared-file',
  'created-twice',
  'not-there-yet',
  'outside',
]);

const MOST_NAMED = 30;

function tasksIn({ phases }: Plan): readonly Task[] {
  return phases.flatMap(({ tasks }) => tasks);
}

function unknownProfile(task: Task, profiles: readonly string[]): readonly { line: number; message: string }[] {
  if (task.profile === null || profiles.includes(task.profile)) return [];
  const name = showText(task.profile);
  const message = `Task ${task.address} wants the profile "${name}", which the settings do not have; it gets the program of its role.`;
  return [{ line: task.line, message }];
}
