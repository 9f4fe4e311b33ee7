// The block structure of a markdown text: headings, fences, paragraphs, and which containers they stand in.
// It follows CommonMark line by line, in one pass; inline markup and reference definitions are left as text.
import { type HtmlEnd, htmlEnd } from './html.ts';
import { isSpace, type Line, linesOf } from './line.ts';

/** A part of one line; in a fence, also several whole lines. */
export interface Span {
  /** The number of its (first) line, from 1. */
  readonly line: number;
  /** Where its content begins, behind the markers of lists and quotes, and where it ends, before the line end. */
  readonly from: number;
  readonly to: number;
  /** Spaces that stand before it for the rest of a tab of which the markers took only a part. */
  readonly padding: number;
}

interface Placed {
  readonly line: number;
  /** The offset at which the block's first line begins. */
  readonly start: number;
  /** How many lists and quotes it stands in. */
  readonly depth: number;
  readonly quoted: boolean;
}

export type Block =
  | (Placed & {
      readonly kind: 'heading';
      readonly level: number;
      readonly spans: readonly Span[];
      /** Where the line stands that makes a heading of the text above it. */
      readonly underline?: Pick<Placed, 'line' | 'start'>;
    })
  /** It is closed by its last line or with the list or quote it stands in, and not closed by the end of the text. */
  | (Placed & {
      readonly kind: 'fence';
      readonly info: string;
      readonly spans: readonly Span[];
      readonly closed: boolean;
    })
  | (Placed & { readonly kind: 'paragraph'; readonly spans: readonly Span[] })
  | (Placed & { readonly kind: 'rule' })
  /** Indented code and HTML: nothing in them is the plan's own. */
  | (Placed & { readonly kind: 'other' });

export function blocksOf(text: string): readonly Block[] {
  const scanner = new BlockScanner();
  for (const line of linesOf(text)) scanner.take(line);
  return scanner.finish();
}

export function textOf(text: string, spans: readonly Span[]): string {
  return spans
    .map(({ from, to, padding }) => ' '.repeat(padding) + text.slice(from, to).replace(/\r\n?/g, '\n'))
    .join('\n');
}

/** Deeper nesting than this is read as text: nobody writes it, and every level costs time on every line. */
const DEEPEST = 64;

/** What is indented further is indented code, or goes on with a paragraph. */
const WIDEST_INDENT = 3;

const HASH = 35;
const CLOSING_PARENTHESIS = 41;
const STAR = 42;
const PLUS = 43;
const DASH = 45;
const DOT = 46;
const OPENING_ANGLE = 60;
const EQUALS = 61;
const CLOSING_ANGLE = 62;
const UNDERSCORE = 95;
const BACKTICK = 96;
const TILDE = 126;

type Container =
  | { readonly kind: 'quote' }
  /** A line must be indented by so many columns to stay in the item. */
  | { readonly kind: 'item'; readonly indent: number; isEmpty: boolean };

type Leaf =
  | { readonly kind: 'paragraph'; readonly at: Placed; readonly spans: Span[] }
  | (Fence & { readonly kind: 'fence'; readonly at: Placed; readonly spans: OpenSpan[] })
  | { readonly kind: 'html'; readonly at: Placed; readonly end: HtmlEnd }
  | { readonly kind: 'indented'; readonly at: Placed };

interface OpenSpan extends Span {
  to: number;
}

interface Fence {
  readonly marker: number;
  readonly length: number;
  readonly indent: number;
  readonly info: string;
}

/** Holds what is open while it takes the lines, once, from the first to the last. */
class BlockScanner {
  readonly #blocks: Block[] = [];
  readonly #containers: Container[] = [];
  /** How many of the containers the present line stands in; the others stay only for the text of their paragraph. */
  #entered = 0;
  #leaf: Leaf | undefined;

  take(line: Line): void {
    this.#enterContainers(line);
    if (this.#standsInAll && this.#continuesLeaf(line)) return;
    while (!line.isBlank && line.indent <= WIDEST_INDENT) {
      if (this.#startsLeaf(line)) return;
      if (!this.#startsContainer(line)) break;
    }
    this.#takeText(line);
  }

  finish(): readonly Block[] {
    this.#closeLeaf(false);
    return this.#blocks;
  }

  get #standsInAll(): boolean {
    return this.#entered === this.#containers.length;
  }

  /** Whether what begins here would interrupt a paragraph; not everything may. */
  get #isInParagraph(): boolean {
    return this.#leaf?.kind === 'paragraph' && this.#standsInAll;
  }

  #enterContainers(line: Line): void {
    this.#entered = 0;
    for (const container of this.#containers) {
      if (!staysIn(container, line)) return;
      this.#entered++;
    }
  }

  #continuesLeaf(line: Line): boolean {
    const leaf = this.#leaf;
    if (leaf?.kind === 'indented') return line.isBlank || line.indent > WIDEST_INDENT;
    if (leaf?.kind === 'html') this.#takeHtml(leaf.end, line);
    else if (leaf?.kind !== 'fence') return false;
    else if (closesFence(leaf, line)) this.#closeLeaf(true);
    else {
      line.skip(Math.min(leaf.indent, line.indent));
      addCode(leaf.spans, line);
    }
    return true;
  }

  #takeHtml(end: HtmlEnd, line: Line): void {
    if (end === 'blank' ? line.isBlank : end.test(line.slice(line.content, line.stop))) this.#closeLeaf(true);
  }

  #startsLeaf(line: Line): boolean {
    switch (line.first) {
      case HASH:
        return this.#startsHeading(line);
      case BACKTICK:
      case TILDE:
        return this.#startsFence(line);
      case OPENING_ANGLE:
        return this.#startsHtml(line);
      case EQUALS:
        return this.#underlinesHeading(line);
      case DASH:
        return this.#underlinesHeading(line) || this.#startsRule(line);
      case STAR:
      case UNDERSCORE:
        return this.#startsRule(line);
      default:
        return false;
    }
  }

  #startsHeading(line: Line): boolean {
    const after = line.endOfRun(line.content);
    const level = after - line.content;
    if (level > 6 || !line.isSpaceOrEnd(after)) return false;
    this.#blocks.push({ kind: 'heading', ...this.#place(line), level, spans: [headingSpan(line, after)] });
    return true;
  }

  #startsFence(line: Line): boolean {
    const fence = fenceOpening(line);
    if (fence === undefined) return false;
    this.#leaf = { kind: 'fence', at: this.#place(line), spans: [], ...fence };
    return true;
  }

  #startsHtml(line: Line): boolean {
    const end = htmlEnd(line.slice(line.content, line.stop), this.#leaf?.kind === 'paragraph');
    if (end === undefined) return false;
    this.#leaf = { kind: 'html', at: this.#place(line), end };
    this.#takeHtml(end, line);
    return true;
  }

  #underlinesHeading(line: Line): boolean {
    const leaf = this.#leaf;
    if (leaf?.kind !== 'paragraph' || !this.#standsInAll || !line.isBlankFrom(line.endOfRun(line.content)))
      return false;
    const underline = { line: line.number, start: line.start };
    const level = line.first === EQUALS ? 1 : 2;
    this.#blocks.push({ kind: 'heading', ...leaf.at, level, spans: leaf.spans, underline });
    this.#leaf = undefined;
    return true;
  }

  #startsRule(line: Line): boolean {
    if (!isRule(line)) return false;
    this.#blocks.push({ kind: 'rule', ...this.#place(line) });
    return true;
  }

  #startsContainer(line: Line): boolean {
    if (this.#entered === DEEPEST) return false;
    if (line.first === CLOSING_ANGLE) {
      this.#makeRoom();
      passQuoteMarker(line);
      this.#containers.push({ kind: 'quote' });
    } else {
      const width = listMarkerWidth(line);
      if (width === 0 || (this.#isInParagraph && !mayInterrupt(line, width))) return false;
      this.#makeRoom();
      this.#containers.push({ kind: 'item', indent: passListMarker(line, width), isEmpty: true });
    }
    this.#entered++;
    return true;
  }

  /** Takes a line that begins nothing. Its text belongs to a paragraph that is open, even where markers are missing. */
  #takeText(line: Line): void {
    if (line.isBlank) this.#leave();
    else if (this.#leaf?.kind === 'paragraph') this.#leaf.spans.push(textSpan(line));
    else if (line.indent > WIDEST_INDENT) this.#leaf = { kind: 'indented', at: this.#place(line) };
    else this.#leaf = { kind: 'paragraph', at: this.#place(line), spans: [textSpan(line)] };
  }

  /** Makes room for a block that begins on this line, and says where it stands. */
  #place(line: Line): Placed {
    this.#makeRoom();
    const quoted = this.#containers.some((container) => container.kind === 'quote');
    return { line: line.number, start: line.start, depth: this.#entered, quoted };
  }

  #makeRoom(): void {
    this.#leave();
    const innermost = this.#containers.at(-1);
    if (innermost?.kind === 'item') innermost.isEmpty = false;
  }

  /** Ends what was open before this line and does not go on in it. */
  #leave(): void {
    this.#closeLeaf(true);
    this.#containers.length = this.#entered;
  }

  #closeLeaf(closed: boolean): void {
    const leaf = this.#leaf;
    this.#leaf = undefined;
    if (leaf?.kind === 'paragraph') this.#blocks.push({ kind: 'paragraph', ...leaf.at, spans: leaf.spans });
    else if (leaf?.kind === 'fence')
      this.#blocks.push({ kind: 'fence', ...leaf.at, info: leaf.info, spans: leaf.spans, closed });
    else if (leaf !== undefined) this.#blocks.push({ kind: 'other', ...leaf.at });
  }
}

/** Goes past the container's marker or indentation, if the line has it. */
function staysIn(container: Container, line: Line): boolean {
  if (container.kind === 'quote') {
    if (line.first !== CLOSING_ANGLE || line.indent > WIDEST_INDENT) return false;
    passQuoteMarker(line);
    return true;
  }
  if (line.isBlank ? container.isEmpty : line.indent < container.indent) return false;
  line.skip(Math.min(container.indent, line.indent));
  return true;
}

function passQuoteMarker(line: Line): void {
  line.pass(1);
  if (line.indent > 0) line.skip(1);
}

/** Moves to the item's content; returns how far later lines must be indented. */
function passListMarker(line: Line, width: number): number {
  const end = line.indent + width;
  line.pass(width);
  // White space that is wide enough for indented code belongs to that code, but for one column.
  const gap = line.isBlank || line.indent > WIDEST_INDENT + 1 ? 1 : line.indent;
  line.skip(Math.min(gap, line.indent));
  return end + gap;
}

/** Zero, if there is no list marker. */
function listMarkerWidth(line: Line): number {
  const { first, content } = line;
  const isBullet = first === DASH || first === STAR || first === PLUS;
  const width = isBullet ? 1 : numberWidth(line);
  return line.isSpaceOrEnd(content + width) ? width : 0;
}

function numberWidth(line: Line): number {
  let digits = 0;
  while (digits < 10 && isDigit(line.charAt(line.content + digits))) digits++;
  const delimiter = line.charAt(line.content + digits);
  const isNumber = digits > 0 && digits < 10 && (delimiter === DOT || delimiter === CLOSING_PARENTHESIS);
  return isNumber ? digits + 1 : 0;
}

/** In the middle of a paragraph only an item with text begins a list, and only with 1: "2019." may end a sentence. */
function mayInterrupt(line: Line, width: number): boolean {
  const number = line.slice(line.content, line.content + width - 1);
  return (number === '' || Number(number) === 1) && !line.isBlankFrom(line.content + width);
}

function headingSpan(line: Line, afterHashes: number): Span {
  const from = line.skipSpace(afterHashes);
  const to = line.backOverSpace(from, line.stop);
  let beforeClosing = to;
  while (beforeClosing > from && line.charAt(beforeClosing - 1) === HASH) beforeClosing--;
  if (beforeClosing === from) return spanOf(line, from, from);
  const isClosed = isSpace(line.charAt(beforeClosing - 1));
  return spanOf(line, from, isClosed ? line.backOverSpace(from, beforeClosing) : to);
}

function fenceOpening(line: Line): Fence | undefined {
  const after = line.endOfRun(line.content);
  const length = after - line.content;
  if (length < 3) return undefined;
  const info = line.slice(line.skipSpace(after), line.backOverSpace(after, line.stop));
  if (line.first === BACKTICK && info.includes('`')) return undefined;
  return { marker: line.first, length, indent: line.indent, info };
}

function closesFence(fence: Fence, line: Line): boolean {
  if (line.first !== fence.marker || line.indent > WIDEST_INDENT) return false;
  const after = line.endOfRun(line.content);
  return after - line.content >= fence.length && line.isBlankFrom(after);
}

function isRule(line: Line): boolean {
  const marker = line.first;
  let count = 0;
  for (let position = line.content; position < line.stop; position++) {
    const char = line.charAt(position);
    if (char === marker) count++;
    else if (!isSpace(char)) return false;
  }
  return count >= 3;
}

/** Extends the last span where it can: one object per line would make the garbage collector copy long fences again and again. */
function addCode(spans: OpenSpan[], line: Line): void {
  const last = spans.at(-1);
  const isWholeLine = line.position === line.start && line.padding === 0;
  if (last !== undefined && isWholeLine) last.to = line.stop;
  else spans.push({ line: line.number, from: line.position, to: line.stop, padding: line.padding });
}

function textSpan(line: Line): Span {
  return spanOf(line, line.content, line.backOverSpace(line.content, line.stop));
}

function spanOf(line: Line, from: number, to: number): Span {
  return { line: line.number, from, to, padding: 0 };
}

function isDigit(char: number): boolean {
  return char >= 48 && char <= 57;
}
