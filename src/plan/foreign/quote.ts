// Text of other tools inside a plan: quoted, so that nothing in it is read as a part of the plan.
import { isUsable, parse } from '../parse.ts';
import { fencedCode } from '../project.ts';
import { cleanText } from './one-line.ts';

/** Empty for an empty text. */
export function quoted(text: string): readonly string[] {
  const tidy = tidied(text);
  if (tidy === '') return [];
  const quote = tidy.replace(/^(?=.)/gm, '> ').replace(/^$/gm, '>');
  // A conflict marker counts in a quote, too, and so does a fence that is never closed; in a fence nothing does.
  return [isUsable(parse(`### Task 1\n\n${quote}\n`).problems) ? quote : fencedCode(tidy, 'text')];
}

/** The text that a quote was made of. */
export function unquoted(text: string): string {
  const lines = text.split('\n');
  return lines.every((line) => line.startsWith('>')) ? lines.map((line) => line.replace(/^> ?/, '')).join('\n') : text;
}

/** Without blank lines at the ends and more than one in a row, and without the indentation that all lines share. */
export function tidied(text: string): string {
  const lines = cleanText(text)
    .split('\n')
    .map((line) => line.trimEnd());
  const indent = lines.reduce((least, line) => (line === '' ? least : Math.min(least, indentOf(line))), Infinity);
  return lines
    .map((line) => line.slice(Math.min(indent, line.length)))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
