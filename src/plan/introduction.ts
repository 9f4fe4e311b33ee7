// What a plan says besides its tasks: goal, architecture, constraints, and everything else that is in no task.
import { parse } from './parse.ts';

export interface Introduction {
  readonly title: string | null;
  /** In the order of the file, without headings that have nothing below them. Empty where the whole file is the task. */
  readonly text: string;
}

export function introductionOf(text: string): Introduction {
  const { title, phases } = parse(text).plan;
  const tasks = phases.flatMap((phase) => phase.tasks);
  if (tasks.length === 0) return { title, text: '' };
  let rest = '';
  let end = 0;
  for (const { start, rawText } of tasks) {
    rest += text.slice(end, start);
    end = start + rawText.length;
  }
  return { title, text: withoutBareHeadings(`${rest}${text.slice(end)}`) };
}

/** A rule, or a heading with nothing below it, such as that of a phase whose tasks were taken out, says nothing. */
function withoutBareHeadings(text: string): string {
  const kept: string[] = [];
  let isBare = true;
  for (const { text: line, kind } of linesOf(text).toReversed()) {
    if (kind === 'rule' || (kind === 'heading' && isBare)) continue;
    kept.push(line);
    if (kind === 'heading') isBare = true;
    else if (line.trim() !== '') isBare = false;
  }
  return kept
    .toReversed()
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

interface Line {
  readonly text: string;
  readonly kind: 'heading' | 'rule' | 'text';
}

/** In a fence, a line that starts with "#" is a comment. */
function linesOf(text: string): readonly Line[] {
  let fence: string | undefined;
  return text.split(/\r\n?|\n/).map((line) => {
    const [, mark] = /^ {0,3}(```|~~~)/.exec(line) ?? [];
    const isInside = fence !== undefined;
    if (mark !== undefined && (fence === undefined || fence === mark)) fence = isInside ? undefined : mark;
    return { text: line, kind: isInside ? 'text' : kindOf(line) };
  });
}

function kindOf(line: string): Line['kind'] {
  if (HEADING.test(line)) return 'heading';
  return RULE.test(line) ? 'rule' : 'text';
}

const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const RULE = /^ {0,3}(?:-{3,}|={3,}|\*{3,}|_{3,})\s*$/;
