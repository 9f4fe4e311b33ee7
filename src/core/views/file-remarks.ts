// What a person should know about a plan file before it is built: parts of it that look like tasks and are not.
import type { PlanFile } from '../../plan/name.ts';
import type { PlanReading } from '../ports/plan-files.ts';

export function fileRemarks(plan: PlanFile, reading: PlanReading): readonly string[] {
  const problems = reading.kind === 'read' ? reading.problems.filter(({ code }) => HIDES_SOMETHING.has(code)) : [];
  const named = problems.slice(0, MOST_NAMED).map(({ line, message }) => `docs/plans/${plan}:${line}: ${message}`);
  const more = problems.length - named.length;
  if (more <= 0) return named;
  return [...named, `${more} more ${more === 1 ? 'line' : 'lines'} of docs/plans/${plan} may not be read as intended.`];
}

const HIDES_SOMETHING: ReadonlySet<string> = new Set([
  'foreign-tasks',
  'checklist',
  'not-a-task',
  'not-a-phase',
  'not-parallel',
  'not-a-label',
]);

const MOST_NAMED = 3;
