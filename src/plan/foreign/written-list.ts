// The lines of a list of tasks as markdown: checkboxes, with steps and text below them.
import { escapedName } from './list-of-entries.ts';
import { quoted } from './quote.ts';
import type { ListedTask } from './task-list.ts';

export interface Numbering {
  /** What follows the name of the task. */
  readonly after: string;
  /** What comes before the name of a step, by its number. */
  step(number: number): string;
}

export function taskLines(task: ListedTask, before: string, { after, step }: Numbering): readonly string[] {
  const isDone = task.state !== 'open';
  return [
    `- ${box(isDone)} ${before}${escapedName(task.name)}${after}`,
    ...(task.files.length === 0 ? [] : [`  - Files: ${task.files.map(({ path }) => `\`${path}\``).join(', ')}`]),
    ...indented(quoted(task.text), '  '),
    ...task.steps.flatMap((one, index) => [
      `  - ${box(isDone || one.done)} ${step(index + 1)}${escapedName(one.name)}`,
      ...indented(quoted(one.text), '    '),
    ]),
  ];
}

/** A separate paragraph, quoted so that nothing in it is read as a task. */
export function notesLines(notes: string): readonly string[] {
  return quoted(notes).flatMap((quote) => ['', ...quote.split('\n')]);
}

/** A phase without a name among others that have one. */
export function phaseTitle(name: string): string {
  return name === '' ? 'Tasks' : name;
}

export function textOfLines(lines: readonly string[]): string {
  return `${lines.join('\n').trim()}\n`;
}

function box(isDone: boolean): string {
  return isDone ? '[x]' : '[ ]';
}

function indented(blocks: readonly string[], indent: string): readonly string[] {
  return blocks.flatMap((block) => block.split('\n').map((line) => (line === '' ? '' : `${indent}${line}`)));
}
