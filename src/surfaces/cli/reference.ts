// From the words of a command line to one reference: "search#2", or "search 2"; and to a text behind it.
import { Failure } from '../../core/model/failure.ts';
import { showName } from '../../text/show.ts';
import type { Given } from './context.ts';

export function referenceIn({ arguments: [first, second] }: Given): string | undefined {
  if (first === undefined || second === undefined) return first;
  if (first.includes('#'))
    throw new Failure(
      'usage',
      'two-tasks',
      `"${showName(first)}" already names a task, so "${showName(second)}" is unexpected.`,
    );
  return `${first}#${second.replace(/^#/, '')}`;
}

export interface ReferenceWithText {
  readonly on: string | undefined;
  readonly text: string | undefined;
}

/** For commands that take a text behind the task: "search#2 text", "search 2 text", "search text", "2 text". */
export function referenceWithText({ arguments: words }: Given): ReferenceWithText {
  const [first, second, third] = words;
  if (third === undefined && (second === undefined || !isNumber(second) || first?.includes('#')))
    return { on: first, text: second };
  if (third === undefined) return { on: referenceIn({ arguments: words, options: {} }), text: undefined };
  if (first?.includes('#'))
    throw new Failure('usage', 'usage', `"${showName(third)}" is unexpected. Put the whole text in quotes.`);
  return { on: `${first}#${second?.replace(/^#/, '')}`, text: third };
}

/** Tasks are named by numbers, also with parts: 2, 1.3; fix tasks are R1, R2. */
function isNumber(word: string): boolean {
  return /^#?R?\d+(?:[.~]\w+)*$/.test(word);
}
