// The checkboxes of a markdown file, each with the headings above it and the text below it.
import { checkboxOf } from '../checkbox.ts';
import { type Block, blocksOf } from '../markdown/blocks.ts';
import { textOf } from '../markdown/span.ts';
import { headingText } from '../sections.ts';
import { asOneLine, cleanText } from './one-line.ts';
import { tidied } from './quote.ts';

export interface Entry {
  readonly line: number;
  /** 1 for an entry of a list, 2 for one that is nested in it, and so on. */
  readonly depth: number;
  readonly state: 'open' | 'done' | 'cancelled';
  readonly optional: boolean;
  /** One line. */
  readonly text: string;
  /** The same in the lines of the file. */
  readonly lines: string;
  /** As markdown; may be empty. */
  readonly below: string;
  readonly section: Section;
}

/** A heading and what is directly below it, without its entries. */
export interface Section {
  readonly title: string;
  /** Zero for what comes before the first heading. */
  readonly level: number;
  readonly above: Section | undefined;
  readonly notes: string;
}

export interface Entries {
  readonly entries: readonly Entry[];
  /** In the order of the file; the first has no heading. */
  readonly sections: readonly Section[];
}

/** A file of another tool. */
export interface ForeignFile {
  readonly text: string;
  /** Read on first use, and only once, since several dialects look at them. */
  entries(): Entries;
}

export function foreignFile(text: string): ForeignFile {
  let entries: Entries | undefined;
  return {
    text,
    entries() {
      entries ??= entriesIn(text);
      return entries;
    },
  };
}

function entriesIn(written: string): Entries {
  const text = withoutFrontMatter(cleanText(written));
  const lines = text.split('\n');
  const blocks = blocksOf(text);
  const sections: OpenSection[] = [{ title: '', level: 0, above: undefined, parts: [] }];
  const entries: OpenEntry[] = [];
  let entry: OpenEntry | undefined;
  for (const [index, block] of blocks.entries()) {
    const section = sections.at(-1);
    const after = (blocks[index + 1]?.line ?? lines.length + 1) - 1;
    const box = checkboxOf(text, block);
    if (section === undefined) continue;
    if (isHeading(block)) {
      sections.push(openSection(asOneLine(headingText(text, block)), block.level, section));
      entry = undefined;
    } else if (box !== undefined && block.kind === 'paragraph') {
      entry = { block, box, section, lines: textOf(text, block.spans), parts: [] };
      entry.parts.push(lines.slice(block.line - 1 + block.spans.length, after));
      entries.push(entry);
    } else {
      // What is not indented is no longer about the entry.
      if (block.depth === 0 || lines[block.line - 1]?.startsWith('>')) entry = undefined;
      if (!isMarkup(block, lines[block.line - 1] ?? ''))
        (entry ?? section).parts.push(lines.slice(block.line - 1, after));
    }
  }
  return closed(entries, sections);
}

interface OpenSection extends Pick<Section, 'title' | 'level'> {
  readonly above: OpenSection | undefined;
  readonly parts: (readonly string[])[];
}

interface OpenEntry {
  readonly block: Block;
  readonly box: NonNullable<ReturnType<typeof checkboxOf>>;
  readonly section: OpenSection;
  readonly lines: string;
  readonly parts: (readonly string[])[];
}

function openSection(title: string, level: number, previous: OpenSection): OpenSection {
  let above: OpenSection | undefined = previous;
  while (above !== undefined && above.level >= level) above = above.above;
  return { title, level, above, parts: [] };
}

function closed(entries: readonly OpenEntry[], open: readonly OpenSection[]): Entries {
  const sections = new Map<OpenSection, Section>();
  for (const section of open) {
    const { title, level, parts } = section;
    const above = section.above === undefined ? undefined : sections.get(section.above);
    sections.set(section, { title, level, above, notes: joined(parts) });
  }
  return {
    sections: [...sections.values()],
    entries: entries.flatMap(({ block, box, section, lines, parts }) => {
      const place = sections.get(section);
      if (place === undefined) return [];
      const written = lines.replace(/^\[[^\]]*\](?:\\?\*)?\s*/u, '');
      const bare = asOneLine(written);
      const struck = /^~~(.*)~~$/.exec(bare)?.[1];
      const state = struck !== undefined ? 'cancelled' : DONE.test(box.mark) ? 'done' : 'open';
      return {
        line: block.line,
        depth: block.depth,
        state,
        optional: box.starred,
        text: (struck ?? bare).trim(),
        lines: written,
        below: joined(parts),
        section: place,
      };
    }),
  };
}

const DONE = /^[xX✓✔✅☑√]/u;

function joined(parts: readonly (readonly string[])[]): string {
  return tidied(parts.flat().join('\n'));
}

/** A line of dashes below a paragraph is meant as a rule. */
function isHeading(block: Block): block is Extract<Block, { kind: 'heading' }> {
  return block.kind === 'heading' && block.depth === 0 && !(block.underline !== undefined && block.level === 2);
}

/** Rules and comments, which say nothing to a reader. */
function isMarkup(block: Block, line: string): boolean {
  return block.kind === 'rule' || (block.kind === 'other' && line.trimStart().startsWith('<!--'));
}

/** Without the data between two lines of dashes at the top. Its lines stay, as blank ones. */
function withoutFrontMatter(text: string): string {
  if (!text.startsWith('---\n')) return text;
  const end = text.indexOf('\n---\n', 3);
  const body = end + '\n---\n'.length;
  return end === -1 ? text : text.slice(0, body).replace(/[^\n]/g, '') + text.slice(body);
}
