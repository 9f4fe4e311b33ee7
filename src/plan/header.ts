// The header of a plan: its title, goal, architecture, tech stack and the constraints for every task.
import type { Block } from './markdown/blocks.ts';
import { startsBold, textOf } from './markdown/span.ts';
import type { Plan } from './plan.ts';
import { headingText } from './sections.ts';

export type Header = Pick<Plan, 'title' | 'goal' | 'architecture' | 'techStack' | 'constraints'>;

/** `end`: the offset at which the first phase or task starts. */
export function readHeader(text: string, blocks: readonly Block[], end: number): Header {
  const fields = new Map<string, string>();
  let under: string | undefined;
  for (const block of blocks) {
    if (block.quoted) continue;
    if (block.kind === 'heading') {
      const title = headingText(text, block);
      if (block.level === 1 && block.depth === 0 && title !== '') setOnce(fields, 'title', title);
      under = TITLE.exec(title)?.[1]?.toLowerCase();
    } else if (
      block.kind === 'paragraph' &&
      (under !== undefined || block.spans.some((span) => startsBold(text, span)))
    ) {
      const lines = textOf(text, block.spans).split('\n');
      if (under !== undefined) setOnce(fields, under, joined(lines));
      else readFields(lines, fields);
      under = undefined;
    }
  }
  return {
    title: fields.get('title') ?? null,
    goal: fields.get('goal') ?? null,
    architecture: fields.get('architecture') ?? null,
    techStack: fields.get('tech stack') ?? null,
    constraints: constraintsIn(text, blocks, end) ?? fields.get('global constraints') ?? null,
  };
}

/** Everything below the first such heading with something below it, up to the next heading that is not below it. */
function constraintsIn(text: string, blocks: readonly Block[], end: number): string | undefined {
  let open: { readonly level: number; readonly from: number } | undefined;
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== 'heading' || block.depth > 0 || block.quoted) continue;
    if (open !== undefined && block.level > open.level) continue;
    const kept = open === undefined ? '' : constraintText(text.slice(open.from, block.start));
    if (kept !== '') return kept;
    const isOne = CONSTRAINTS.test(headingText(text, block));
    open = isOne ? { level: block.level, from: Math.min(blocks[index + 1]?.start ?? end, end) } : undefined;
  }
  return open === undefined ? undefined : constraintText(text.slice(open.from, end)) || undefined;
}

/** Without a rule at its end, which separates it from what follows. */
function constraintText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  return lines.replace(/(?:^|\n) {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/, '').trim();
}

const CONSTRAINTS = /^[*_]{0,3}global constraints:?[*_]{0,3}$/i;

const TITLE = /^[*_]{0,3}(goal|architecture|tech stack):?[*_]{0,3}$/i;
const FIELD =
  /^(?:\*\*|__)(goal|architecture|tech stack|global constraints)[ \t]{0,8}(?::(?:\*\*|__)|(?:\*\*|__)[ \t]{0,8}:)/i;
const OTHER_LABEL = /^(?:\*\*|__)[^*_:]{1,60}(?::(?:\*\*|__)|(?:\*\*|__)[ \t]{0,8}:)/;

/** A field ends with its paragraph, or at the next label in bold. */
function readFields(lines: readonly string[], fields: Map<string, string>): void {
  let name: string | undefined;
  let value: string[] = [];
  const finish = (): void => {
    if (name !== undefined) setOnce(fields, name, joined(value));
  };
  for (const line of lines) {
    const field = FIELD.exec(line);
    if (field !== null || OTHER_LABEL.test(line)) {
      finish();
      name = field?.[1]?.toLowerCase();
      value = [];
    }
    value.push(line.slice(field?.[0].length ?? 0));
  }
  finish();
}

function joined(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

function setOnce(fields: Map<string, string>, name: string, value: string): void {
  if (!fields.has(name) && value !== '') fields.set(name, value);
}
