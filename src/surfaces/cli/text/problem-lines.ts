// Problems of a plan as lines that an editor can jump to.
import type { Problem, ProblemSeverity } from '../../../plan/plan.ts';
import { counted } from '../../../text/counted.ts';
import { showText } from '../../../text/show.ts';

export function problemLines(path: string, problems: readonly Problem[]): readonly string[] {
  return problems.map(
    ({ line, column, severity, code, message }) =>
      `${showText(path)}:${line}:${column}: ${severity}: ${showText(message)} (${code})`,
  );
}

export function countProblems(problems: readonly Problem[]): string {
  const count = (severity: ProblemSeverity): number =>
    problems.filter((problem) => problem.severity === severity).length;
  return [
    counted(count('error'), 'error'),
    counted(count('warning'), 'warning'),
    counted(count('advice'), 'suggestion'),
  ].join(', ');
}
