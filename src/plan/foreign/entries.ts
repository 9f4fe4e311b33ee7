// The checkboxes of a markdown file, each with the headings above it and the text below it. Where tasks are headings, these.
import { type Checkbox, checkboxOf } from '../checkbox.ts';
import { type Block, blocksOf } from '../markdown/blocks.ts';
import { textOf } from '../markdown/span.ts';
import { headingText } from '../sections.ts';
import { asOneLine, cleanText } from './one-line.ts';
import { tidied } from './quote.ts';

export interface Entry {
  readonly line: number;
  /** 0 for a heading that is a task, 1 for an entry of a list, 2 for one that is nested in it, and so on. */
  readonly depth: number;
  /** It has no box, and is in the list because of those that are nested in it. */
  readonly bare: boolean;
  readonly state: 'open' | 'done' | 'cancelled';
  readonly optional: boolean;
  /** One line. */
  readonly text: string;
  /** The same in the lines of the file. */
  readonly lines: string;
  /** As markdown; may be empty. */
  readonly below: string;
  readonly section: EntrySection;
}

/** A heading and what is directly below it, without its entries. */
export interface EntrySection {
  readonly title: string;
  /** Zero for what comes before the first heading. */
  readonly level: number;
  readonly above: EntrySection | undefined;
  readonly notes: string;
}

export interface Entries {
  readonly entries: readonly Entry[];
  /** In the order of the file; the first has no heading. */
  readonly sections: readonly EntrySection[];
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
  const listed = new EntryReader(text, false).read();
  const found = listed.entries.length > 0 ? listed : new EntryReader(withBullets(text), false).read();
  const isHeaded =
    found.sections.some(({ title }) => TASK.test(title)) && !found.entries.some((one) => TASK.test(one.text));
  return isHeaded ? new EntryReader(text, true).read() : found;
}

/** "[ ] Add the table" at the start of a line is meant as an entry of a list. */
function withBullets(text: string): string {
  return text.replace(/^(?=\[[ xX]?\][ \t]+\S)/gm, '- ');
}

/** "T012: Add the table". A list of checkboxes with such numbers has its tasks there, and headings only describe them. */
const TASK = /^(?:\[[ xX]\] )?[*_`]{0,3}T-?\d{1,6}[a-z]?[*_`]{0,3}(?:[:.)]|\s)/;

class EntryReader {
  readonly #text: string;
  readonly #lines: readonly string[];
  readonly #isHeaded: boolean;
  readonly #sections: OpenSection[] = [];
  readonly #entries: OpenEntry[] = [];
  #section: OpenSection = { title: '', level: 0, above: undefined, parts: [] };
  /** The heading that is a task, and is not over. */
  #heading: { readonly entry: OpenEntry; readonly level: number } | undefined;
  /** What text is about: a checkbox, or the task of the heading. */
  #entry: OpenEntry | undefined;
  /** The entry of a list that has no box: it counts as soon as a checkbox is nested in it, and is text until then. */
  #bare: BareEntry | undefined;

  constructor(text: string, isHeaded: boolean) {
    this.#text = text;
    this.#lines = text.split('\n');
    this.#isHeaded = isHeaded;
    this.#sections.push(this.#section);
  }

  read(): Entries {
    const blocks = blocksOf(this.#text);
    for (const [index, block] of blocks.entries()) {
      const after = (blocks[index + 1]?.line ?? this.#lines.length + 1) - 1;
      const box = checkboxOf(this.#text, block);
      if (!this.#isWithinBare(block)) this.#closeBare();
      if (isHeading(block)) this.#readHeading(block);
      else if (box !== undefined && block.kind === 'paragraph') this.#readCheckbox(block, box, after);
      else this.#readText(block, after);
    }
    this.#closeBare();
    return closed(this.#entries, this.#sections);
  }

  #readHeading(block: HeadingBlock): void {
    const title = asOneLine(headingText(this.#text, block));
    if (this.#isHeaded && TASK.test(title)) {
      this.#section = outside(this.#section, block.level) ?? this.#section;
      const entry = { block, box: undefined, section: this.#section, lines: title, parts: [] };
      this.#entries.push(entry);
      this.#heading = { entry, level: block.level };
      this.#entry = entry;
    } else if (this.#heading !== undefined && block.level > this.#heading.level) {
      this.#entry = this.#heading.entry;
      this.#entry.parts.push([`**${title}**`, '']);
    } else {
      this.#heading = undefined;
      this.#entry = undefined;
      this.#section = { title, level: block.level, above: outside(this.#section, block.level), parts: [] };
      this.#sections.push(this.#section);
    }
  }

  #readCheckbox(block: ParagraphBlock, box: Checkbox, after: number): void {
    if (this.#bare !== undefined) this.#entries.push(this.#bare.entry);
    this.#bare = undefined;
    const spans = block.spans.slice(0, this.#linesOfName(block));
    const isBroken = spans.length < block.spans.length;
    const lines = textOf(this.#text, spans).replace(isBroken ? /\\$/ : '', '');
    this.#entry = { block, box, section: this.#section, lines, parts: [] };
    this.#entry.parts.push(this.#lines.slice(block.line - 1 + spans.length, after));
    this.#entries.push(this.#entry);
  }

  /** A line that ends in a break is the name; what follows describes it. */
  #linesOfName({ line, spans }: ParagraphBlock): number {
    const ends = this.#lines.slice(line - 1, line - 2 + spans.length);
    const broken = ends.findIndex((text) => /(?: {2}|\\)$/.test(text));
    return broken === -1 ? spans.length : broken + 1;
  }

  #readText(block: Block, after: number): void {
    const first = this.#lines[block.line - 1] ?? '';
    // What is not indented is no longer about the checkbox.
    if (block.depth === 0 || first.startsWith('>')) this.#entry = this.#heading?.entry;
    if (isMarkup(block, first)) return;
    const lines = this.#lines.slice(block.line - 1, after);
    const isBeside = block.depth <= (this.#entry?.block.depth ?? Infinity);
    if (!this.#isHeaded && this.#bare === undefined && isBeside && isListItem(block, first)) {
      const name = textOf(this.#text, block.spans);
      const parts = [this.#lines.slice(block.line - 1 + block.spans.length, after)];
      this.#bare = { entry: { block, box: undefined, section: this.#section, lines: name, parts }, lines };
      this.#entry = undefined;
    } else this.#about.parts.push(lines);
  }

  get #about(): Pick<OpenEntry, 'parts'> {
    return this.#bare?.entry ?? this.#entry ?? this.#section;
  }

  #isWithinBare(block: Block): boolean {
    if (this.#bare === undefined) return true;
    const { depth } = this.#bare.entry.block;
    const isNextItem = isListItem(block, this.#lines[block.line - 1] ?? '');
    return block.depth > depth || (block.depth === depth && !isNextItem);
  }

  #closeBare(): void {
    if (this.#bare === undefined) return;
    const { entry, lines } = this.#bare;
    this.#section.parts.push(lines, ...entry.parts.slice(1));
    this.#bare = undefined;
  }
}

type HeadingBlock = Extract<Block, { kind: 'heading' }>;
type ParagraphBlock = Extract<Block, { kind: 'paragraph' }>;

interface BareEntry {
  readonly entry: OpenEntry;
  /** All of its first paragraph, as the file has it. */
  readonly lines: readonly string[];
}

/** Whether the first paragraph of an entry of a list starts there. */
function isListItem(block: Block, line: string): block is ParagraphBlock {
  return block.kind === 'paragraph' && block.depth > 0 && !block.quoted && /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line);
}

/** The section that a heading of this level is in. */
function outside(section: OpenSection, level: number): OpenSection | undefined {
  let above: OpenSection | undefined = section;
  while (above !== undefined && above.level >= level) above = above.above;
  return above;
}

interface OpenSection extends Pick<EntrySection, 'title' | 'level'> {
  readonly above: OpenSection | undefined;
  readonly parts: (readonly string[])[];
}

interface OpenEntry {
  readonly block: Block;
  /** Undefined for a heading, and for an entry without one. */
  readonly box: Checkbox | undefined;
  readonly section: OpenSection;
  readonly lines: string;
  readonly parts: (readonly string[])[];
}

function closed(entries: readonly OpenEntry[], open: readonly OpenSection[]): Entries {
  const sections = new Map<OpenSection, EntrySection>();
  for (const section of open) {
    const { title, level, parts } = section;
    const above = section.above === undefined ? undefined : sections.get(section.above);
    sections.set(section, { title, level, above, notes: joined(parts) });
  }
  return {
    sections: [...sections.values()],
    entries: entries.flatMap((entry) => {
      const place = sections.get(entry.section);
      return place === undefined ? [] : { ...readEntry(entry), section: place };
    }),
  };
}

function readEntry(entry: OpenEntry): Omit<Entry, 'section'> {
  const { block, box, parts } = entry;
  const below = joined(parts);
  const isHeading = block.kind === 'heading';
  const written = entry.lines.replace(/^\[[^\]]*\](?:\\?\*(?!\*))?\s*/u, '').replace(isHeading ? FINISHED : '', '');
  const bare = asOneLine(written.replace(COMMENT, ''));
  const struck = /^~~(.*)~~$/.exec(bare)?.[1];
  const isDone = isHeading ? isFinished(entry.lines, below) : box !== undefined && DONE.test(box.mark);
  return {
    line: block.line,
    depth: block.depth,
    bare: box === undefined && !isHeading,
    state: struck !== undefined ? 'cancelled' : isDone ? 'done' : 'open',
    optional: box?.starred ?? false,
    text: (struck ?? bare).trim(),
    lines: written,
    below,
  };
}

/** "Bake <!-- due: Friday -->" says something to another program. */
const COMMENT = /\s<!--\s?[\w-]{1,30}:[^<>]{0,200}-->/g;

/** A heading says that its task is done with a mark, or in a line below it. */
function isFinished(title: string, below: string): boolean {
  return /^\[[xX]\]/.test(title) || FINISHED.test(title) || STATUS.test(below);
}

const FINISHED = /\s*[([]?(?:[✓✔✅☑]\ufe0f?\s*)+(?:complete[d]?|done)?[)\]]?$|\s[([](?:complete[d]?|done)[)\]]$/iu;
const STATUS = /^[-*\s]*status[*:\s]*(?:\[[xX]\]|[✓✔✅☑]|complete|done)/imu;

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
