// Splits a plan's text at its headings into phases and tasks.
import type { Block } from './markdown/blocks.ts';
import { type TextSpan, textOf } from './markdown/span.ts';
import { type Marker, type MarkerWord, readMarker } from './marker.ts';

export interface PhaseSection {
  /** Undefined for the unnamed phase, which contains the tasks before any phase heading. */
  readonly marker: Marker | undefined;
  readonly heading: Heading;
  readonly tasks: readonly TaskSection[];
}

export interface TaskSection {
  readonly marker: Marker;
  readonly heading: Heading;
  /** Its blocks without the heading. */
  readonly blocks: readonly Block[];
  /** The offset at which its text ends. The text starts with the heading. */
  readonly end: number;
}

export type Heading = Extract<Block, { kind: 'heading' }>;

export interface Sections {
  /** Everything before the first phase or task. */
  readonly header: readonly Block[];
  readonly phases: readonly PhaseSection[];
  /** Headings that look like a phase or a task but have no valid number. */
  readonly lookalikes: readonly { readonly word: MarkerWord; readonly heading: Heading }[];
}

export function divide(text: string, blocks: readonly Block[]): Sections {
  const header: Block[] = [];
  const phases: OpenPhase[] = [];
  const lookalikes: { word: MarkerWord; heading: Heading }[] = [];
  let task: OpenTask | undefined;
  const endTask = (end: number): void => {
    if (task !== undefined) task.end = endOfTask(text, task, end);
    task = undefined;
  };

  for (const block of blocks.flatMap((one) => asIntended(text, one))) {
    const reading = isTopHeading(block) ? readMarker(headingText(text, block)) : undefined;
    if (isTopHeading(block) && reading?.kind === 'unnumbered') lookalikes.push({ word: reading.word, heading: block });
    const marker = reading?.kind === 'marker' ? reading.marker : undefined;
    if (isTopHeading(block) && marker?.word === 'phase') {
      endTask(block.start);
      phases.push({ marker, heading: block, tasks: [] });
    } else if (isTopHeading(block) && marker?.word === 'task') {
      endTask(block.start);
      if (phases.length === 0) phases.push({ marker: undefined, heading: block, tasks: [] });
      task = { marker, heading: block, blocks: [], end: text.length };
      phases.at(-1)?.tasks.push(task);
    } else {
      if (isTopHeading(block) && task !== undefined && block.level <= task.heading.level) endTask(block.start);
      if (task !== undefined) task.blocks.push(block);
      else if (phases.length === 0) header.push(block);
    }
  }
  endTask(text.length);
  return { header, phases, lookalikes };
}

/**
 * In markdown, text directly above a line of dashes is a heading. Between two tasks the author means a rule, unless the
 * text names a phase or task, or is the title of a step and nothing else.
 */
function asIntended(text: string, block: Block): Block | readonly Block[] {
  if (block.kind !== 'heading' || block.underline === undefined || block.level !== 2) return block;
  const reading = readMarker(headingText(text, block));
  const word = reading.kind === 'marker' ? reading.marker.word : reading.kind === 'none' ? undefined : reading.word;
  if (word !== undefined && (word !== 'step' || block.spans.length === 1)) return block;
  const { line, start, depth, quoted, spans, underline } = block;
  return [
    { kind: 'paragraph', line, start, depth, quoted, spans },
    { kind: 'rule', ...underline, depth, quoted },
  ];
}

export function headingText(text: string, heading: { readonly spans: readonly TextSpan[] }): string {
  return textOf(text, heading.spans).replaceAll('\n', ' ');
}

interface OpenTask extends TaskSection {
  readonly blocks: Block[];
  end: number;
}

interface OpenPhase extends PhaseSection {
  readonly tasks: OpenTask[];
}

/** A heading in a list, a quote or a fence does not structure the plan. */
function isTopHeading(block: Block): block is Heading {
  return block.kind === 'heading' && block.depth === 0;
}

/** Rules and blank lines at the end of a task separate it from what follows, and are not part of it. */
function endOfTask(text: string, task: OpenTask, next: number): number {
  let end = next;
  for (let last = task.blocks.at(-1); last?.kind === 'rule' && last.depth === 0; last = task.blocks.at(-1)) {
    end = last.start;
    task.blocks.pop();
  }
  return Math.min(end, afterLine(text, text.slice(task.heading.start, end).trimEnd().length + task.heading.start));
}

function afterLine(text: string, offset: number): number {
  const lineEnd = /\r\n|\r|\n/g;
  lineEnd.lastIndex = offset;
  return lineEnd.exec(text) === null ? text.length : lineEnd.lastIndex;
}
