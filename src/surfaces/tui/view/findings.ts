// Findings: in a line, and as a part of the detail of a task or a plan.
import type { FindingView } from '../../../core/views/findings.ts';
import { taskLabel } from '../model/task-label.ts';
import { type Line, line, span, wrapped } from '../terminal/styled.ts';
import { TONES } from './theme.ts';

export function findingSpans({ id, problem, blocking, ...rest }: FindingView): Line {
  const tone = blocking ? TONES.need : TONES.dim;
  return [
    span(`${id} ${findingFlags({ ...rest })}: `, tone),
    span(problem.replaceAll('\n', ' '), blocking ? {} : TONES.dim),
  ];
}

/** How grave it is, and what became of it. */
export function findingFlags({
  severity,
  state,
  demand,
  undecided,
}: Omit<FindingView, 'id' | 'problem' | 'blocking'>): string {
  return `${demand ? 'demanded' : severity}, ${undecided ? 'contradicts the plan' : state.replace('-', ' ')}`;
}

/** Empty where there are none. In a plan each says of which task it is. */
export function findingsLines(
  findings: readonly FindingView[],
  columns: number,
  of: 'task' | 'plan' = 'task',
): readonly Line[] {
  if (findings.length === 0) return [];
  return [
    [span('Findings', TONES.dim), span('  f decides about them', TONES.dim)],
    ...findings.flatMap((finding) => {
      const { id, task, place, problem, contradicts, blocking } = finding;
      const tone = blocking ? TONES.need : TONES.dim;
      const where = place === null ? '' : `  ${place}`;
      return [
        line(
          `  ${blocking ? '!' : ' '} ${task === null || of === 'task' ? '' : `${taskLabel(task)} `}${id} ${findingFlags(finding)}${where}`,
          tone,
        ),
        ...wrapped(problem.trim(), Math.max(10, columns - 6))
          .slice(0, MOST_LINES)
          .map((text) => line(`      ${text}`)),
        ...(contradicts === null
          ? []
          : wrapped(`The plan says: ${contradicts.trim()}`, Math.max(10, columns - 6), 2)
              .slice(0, MOST_LINES)
              .map((text) => line(`      ${text}`, TONES.dim))),
      ];
    }),
  ];
}

const MOST_LINES = 4;
