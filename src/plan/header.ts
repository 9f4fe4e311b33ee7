// The header of a plan: its title, goal, architecture and tech stack.
import type { Block } from './markdown/blocks.ts';
import { textOf } from './markdown/span.ts';
import type { Plan } from './plan.ts';
import { headingText } from './sections.ts';

export type Header = Pick<Plan, 'title' | 'goal' | 'architecture' | 'techStack'>;

export function readHeader(text: string, blocks: readonly Block[]): Header {
  const fields = new Map<string, string>();
  let under: string | undefined;
  for (const block of blocks) {
    if (block.quoted) continue;
    if (block.kind === 'heading') {
      const title = headingText(text, block);
      if (block.level === 1 && block.depth === 0 && title !== '') setOnce(fields, 'title', title);
      under = TITLE.exec(title)?.[1]?.toLowerCase();
    } else if (block.kind === 'paragraph') {
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
  };
}

const TITLE = /^[*_]{0,3}(goal|architecture|tech stack):?[*_]{0,3}$/i;
const FIELD = /^(?:\*\*|__)(goal|architecture|tech stack)[ \t]{0,8}(?::(?:\*\*|__)|(?:\*\*|__)[ \t]{0,8}:)/i;
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
