// From the words of a command line to one reference: "search#2", or "search 2".
import { Failure } from '../../core/model/failure.ts';
import { showName } from '../../text/show.ts';
import type { Given } from './context.ts';

export function referenceIn({ arguments: [first, second] }: Given): string | undefined {
  if (first === undefined || second === undefined) return first;
  if (first.includes('#'))
    throw new Failure(
      'usage',
      'two-tasks',
      `"${showName(first)}" already names a task, so "${showName(second)}" is one word too many.`,
    );
  return `${first}#${second.replace(/^#/, '')}`;
}
