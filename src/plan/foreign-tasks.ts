// What other formats use for tasks and cadre does not read as tasks: lists of checkboxes, and numbered headings.
import { showName } from '../text/show.ts';
import { checkboxOf } from './checkbox.ts';
import type { Block } from './markdown/blocks.ts';
import type { Problem } from './plan.ts';
import { firstLine, problemAt } from './problem-place.ts';
import { headingText } from './sections.ts';

/** For a file without task headings. */
export function checkForeignTasks(text: string, blocks: readonly Block[]): readonly Problem[] {
  return [...checkboxes(text, blocks), ...numberedHeadings(text, blocks)];
}

function checkboxes(text: string, blocks: readonly Block[]): readonly Problem[] {
  const boxes = blocks.filter((block) => checkboxOf(text, block) !== undefined);
  const what =
    boxes.length === 1
      ? 'The checkbox of this file is not a task'
      : `The ${boxes.length} checkboxes of this file are not tasks`;
  return warning(text, boxes[0], `${what}.`);
}

/** For a file with one task heading: its author may have meant each checkbox below it. */
export function checkChecklist(text: string, blocks: readonly Block[], task: string): readonly Problem[] {
  const boxes = blocks.filter((block) => checkboxOf(text, block) !== undefined);
  const [first] = boxes;
  if (first === undefined || boxes.length < 2) return [];
  const message = `The ${boxes.length} checkboxes of this file are neither tasks nor steps: they are text of Task ${task}, which is built and merged as a whole. Write a task heading for each that should be a task.`;
  return [problemAt(text, firstLine(first), { severity: 'warning', code: 'checklist', message })];
}

/** "### 1. Log in", "### Aufgabe 1: Anmelden", "### 任务 1：登录". */
function numberedHeadings(text: string, blocks: readonly Block[]): readonly Problem[] {
  const headings = blocks.flatMap((block) => {
    if (block.kind !== 'heading' || block.depth > 0) return [];
    const title = headingText(text, block).slice(0, 200);
    return isNumbered(title) ? [{ block, shown: showName(`${'#'.repeat(block.level)} ${title}`) }] : [];
  });
  const [first] = headings;
  if (first === undefined || headings.length < 2) return [];
  const what = `The ${headings.length} numbered headings of this file, such as "${first.shown}", are not tasks`;
  return warning(text, first.block, `${what}: the heading of a task starts with "Task" and a number.`);
}

function isNumbered(title: string): boolean {
  return /^[^\p{L}\p{N}]{0,8}(?:[\p{L}\p{M}]{1,20}\s?)?#?\d{1,4}(?:\.\d{1,4}){0,2}(?:[.):：、—–-]|\s|$)/u.test(title);
}

function warning(text: string, block: Block | undefined, message: string): readonly Problem[] {
  if (block === undefined) return [];
  const whole = `${message} The whole file would be one task.`;
  return [problemAt(text, firstLine(block), { severity: 'warning', code: 'foreign-tasks', message: whole })];
}
