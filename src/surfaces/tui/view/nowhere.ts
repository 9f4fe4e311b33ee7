// The screen in a folder where cadre cannot work: why, and the repositories of this machine where it can.
import type { KnownRepository } from '../../../core/views/known-repository.ts';
import { fitted, type Line, line, restyled, span, spread, wrapped } from '../terminal/styled.ts';
import type { Frame } from './frame.ts';
import { TONES } from './theme.ts';

export interface Nowhere {
  readonly size: { readonly columns: number; readonly rows: number };
  readonly why: string;
  readonly repositories: readonly KnownRepository[];
  /** The selected repository. */
  readonly at: number;
}

export function viewNowhere({ size: { columns, rows }, why, repositories, at }: Nowhere): Frame {
  const room = Math.max(0, rows - 8);
  const from = Math.max(0, at - room + 1);
  const body = [
    [],
    ...wrapped(why, Math.max(10, columns - 2)).map((text) => line(` ${text}`)),
    [],
    ...(repositories.length === 0
      ? [line(' cadre has not been used in any repository of this machine yet.', TONES.dim)]
      : [line(' Repositories in which cadre was used:', TONES.dim)]),
    ...repositories
      .slice(from, from + room)
      .map((repository, index) => repositoryLine(repository, from + index === at, columns)),
  ];
  const keys = repositories.length === 0 ? ' q quit' : ' j k choose  Enter open  q quit';
  const middle = Array.from({ length: Math.max(0, rows - 2) }, (_none, index) => fitted(body[index] ?? [], columns));
  const lines = [fitted([span(' cadre', TONES.strong)], columns), ...middle, fitted(line(keys), columns)];
  return { lines: lines.slice(0, rows), scrollEnd: 0 };
}

function repositoryLine({ root, tasks, needs, active }: KnownRepository, isAt: boolean, columns: number): Line {
  const state = needs > 0 ? `! ${needs}` : active > 0 ? `${active} active` : 'quiet';
  const text = spread(
    [span(isAt ? '▌ ' : '  ', TONES.focus), span(root)],
    [span(state, needs > 0 ? TONES.need : TONES.dim), span(`  ${tasks.done}/${tasks.of} `, TONES.dim)],
    columns,
  );
  return isAt ? restyled(text, { inverse: true }) : text;
}
