// The block structure of a markdown text: headings, fences, paragraphs, and the lists and quotes that contain them.
// Follows CommonMark line by line, in one pass; inline markup and reference definitions stay text.
import {
  BACKTICK,
  CLOSING_ANGLE,
  closesFence,
  DASH,
  EQUALS,
  type FenceOpening,
  fenceOpening,
  HASH,
  isRule,
  listMarkerWidth,
  mayInterruptParagraph,
  OPENING_ANGLE,
  passListMarker,
  passQuoteMarker,
  STAR,
  TILDE,
  UNDERSCORE,
  WIDEST_INDENT,
} from './block-markers.ts';
import { type HtmlEnd, htmlEnd } from './html.ts';
import { type MarkdownLine, markdownLines } from './line.ts';
import { addCodeLine, headingSpan, type OpenSpan, paragraphSpan, type TextSpan } from './span.ts';

interface BlockStart {
  readonly line: number;
  /** The offset of the first character of that line. */
  readonly start: number;
  /** The number of lists and quotes around the block. */
  readonly depth: number;
  readonly quoted: boolean;
}

export type Block =
  | (BlockStart & {
      readonly kind: 'heading';
      readonly level: number;
      readonly spans: readonly TextSpan[];
      /** The line of "===" or "---" that turns the text above it into a heading. */
      readonly underline?: Pick<BlockStart, 'line' | 'start'>;
    })
  /** Its last line closes it, or the end of its list or quote; the end of the text does not. */
  | (BlockStart & {
      readonly kind: 'fence';
      readonly info: string;
      readonly spans: readonly TextSpan[];
      readonly closed: boolean;
    })
  | (BlockStart & { readonly kind: 'paragraph'; readonly spans: readonly TextSpan[] })
  | (BlockStart & { readonly kind: 'rule' })
  /** Indented code and HTML, which never contain phases, tasks or steps. */
  | (BlockStart & { readonly kind: 'other' });

export function blocksOf(text: string): readonly Block[] {
  const scanner = new BlockScanner();
  for (const line of markdownLines(text)) scanner.take(line);
  return scanner.finish();
}

/** Deeper nesting is read as text: nobody writes it, and every level costs time on every line. */
const DEEPEST = 64;

type Container =
  | { readonly kind: 'quote' }
  /** A line belongs to the item if it is indented by at least this many columns. */
  | { readonly kind: 'item'; readonly indent: number; isEmpty: boolean };

type Leaf =
  /** Already the block, which is not copied: a text may have hundreds of thousands of paragraphs. */
  | (BlockStart & { readonly kind: 'paragraph'; readonly spans: TextSpan[] })
  | (FenceOpening & { readonly kind: 'fence'; readonly at: BlockStart; readonly spans: OpenSpan[] })
  | { readonly kind: 'html'; readonly at: BlockStart; readonly end: HtmlEnd }
  | { readonly kind: 'indented'; readonly at: BlockStart };

/** Takes each line once, from the first to the last, and keeps track of the open blocks. */
class BlockScanner {
  readonly #blocks: Block[] = [];
  readonly #containers: Container[] = [];
  /** How many containers the current line continues. The others stay open only as long as it may continue their paragraph. */
  #entered = 0;
  #leaf: Leaf | undefined;

  take(line: MarkdownLine): void {
    this.#enterContainers(line);
    if (this.#isInAllContainers && this.#continuesLeaf(line)) return;
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

  get #isInAllContainers(): boolean {
    return this.#entered === this.#containers.length;
  }

  /** Whether a block that starts here would interrupt a paragraph, which not every block may do. */
  get #isInParagraph(): boolean {
    return this.#leaf?.kind === 'paragraph' && this.#isInAllContainers;
  }

  #enterContainers(line: MarkdownLine): void {
    this.#entered = 0;
    for (const container of this.#containers) {
      if (!staysIn(container, line)) return;
      this.#entered++;
    }
  }

  #continuesLeaf(line: MarkdownLine): boolean {
    const leaf = this.#leaf;
    if (leaf?.kind === 'indented') return line.isBlank || line.indent > WIDEST_INDENT;
    if (leaf?.kind === 'html') this.#takeHtml(leaf.end, line);
    else if (leaf?.kind !== 'fence') return false;
    else if (closesFence(leaf, line)) this.#closeLeaf(true);
    else {
      line.skip(Math.min(leaf.indent, line.indent));
      addCodeLine(leaf.spans, line);
    }
    return true;
  }

  #takeHtml(end: HtmlEnd, line: MarkdownLine): void {
    if (end === 'blank' ? line.isBlank : end.test(line.slice(line.content, line.stop))) this.#closeLeaf(true);
  }

  #startsLeaf(line: MarkdownLine): boolean {
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

  #startsHeading(line: MarkdownLine): boolean {
    const after = line.endOfRun(line.content);
    const level = after - line.content;
    if (level > 6 || !line.isSpaceOrEnd(after)) return false;
    this.#blocks.push({ kind: 'heading', ...this.#startAt(line), level, spans: [headingSpan(line, after)] });
    return true;
  }

  #startsFence(line: MarkdownLine): boolean {
    const fence = fenceOpening(line);
    if (fence === undefined) return false;
    this.#leaf = { kind: 'fence', at: this.#startAt(line), spans: [], ...fence };
    return true;
  }

  #startsHtml(line: MarkdownLine): boolean {
    const end = htmlEnd(line.slice(line.content, line.stop), this.#leaf?.kind === 'paragraph');
    if (end === undefined) return false;
    this.#leaf = { kind: 'html', at: this.#startAt(line), end };
    this.#takeHtml(end, line);
    return true;
  }

  #underlinesHeading(line: MarkdownLine): boolean {
    const leaf = this.#leaf;
    if (leaf?.kind !== 'paragraph' || !this.#isInAllContainers || !line.isBlankFrom(line.endOfRun(line.content)))
      return false;
    const underline = { line: line.number, start: line.start };
    const level = line.first === EQUALS ? 1 : 2;
    this.#blocks.push({ ...leaf, kind: 'heading', level, underline });
    this.#leaf = undefined;
    return true;
  }

  #startsRule(line: MarkdownLine): boolean {
    if (!isRule(line)) return false;
    this.#blocks.push({ kind: 'rule', ...this.#startAt(line) });
    return true;
  }

  #startsContainer(line: MarkdownLine): boolean {
    if (this.#entered === DEEPEST) return false;
    if (line.first === CLOSING_ANGLE) {
      this.#prepareForBlock();
      passQuoteMarker(line);
      this.#containers.push({ kind: 'quote' });
    } else {
      const width = listMarkerWidth(line);
      if (width === 0 || (this.#isInParagraph && !mayInterruptParagraph(line, width))) return false;
      this.#prepareForBlock();
      this.#containers.push({ kind: 'item', indent: passListMarker(line, width), isEmpty: true });
    }
    this.#entered++;
    return true;
  }

  /** Takes a line that starts no block. Its text continues an open paragraph, even if container markers are missing. */
  #takeText(line: MarkdownLine): void {
    if (line.isBlank) this.#closePrevious();
    else if (this.#leaf?.kind === 'paragraph') this.#leaf.spans.push(paragraphSpan(line));
    else if (line.indent > WIDEST_INDENT) this.#leaf = { kind: 'indented', at: this.#startAt(line) };
    else {
      this.#prepareForBlock();
      const { number, start } = line;
      const spans = [paragraphSpan(line)];
      this.#leaf = { kind: 'paragraph', line: number, start, depth: this.#entered, quoted: this.#isQuoted, spans };
    }
  }

  /** Call this before adding a block that starts on this line. */
  #startAt(line: MarkdownLine): BlockStart {
    this.#prepareForBlock();
    return { line: line.number, start: line.start, depth: this.#entered, quoted: this.#isQuoted };
  }

  get #isQuoted(): boolean {
    return this.#containers.some((container) => container.kind === 'quote');
  }

  #prepareForBlock(): void {
    this.#closePrevious();
    const innermost = this.#containers.at(-1);
    if (innermost?.kind === 'item') innermost.isEmpty = false;
  }

  /** Closes the open leaf and every container that this line does not continue. */
  #closePrevious(): void {
    this.#closeLeaf(true);
    this.#containers.length = this.#entered;
  }

  #closeLeaf(closed: boolean): void {
    const leaf = this.#leaf;
    this.#leaf = undefined;
    if (leaf?.kind === 'paragraph') this.#blocks.push(leaf);
    else if (leaf?.kind === 'fence')
      this.#blocks.push({ kind: 'fence', ...leaf.at, info: leaf.info, spans: leaf.spans, closed });
    else if (leaf !== undefined) this.#blocks.push({ kind: 'other', ...leaf.at });
  }
}

/** Consumes the container's marker or indentation, if the line has it. */
function staysIn(container: Container, line: MarkdownLine): boolean {
  if (container.kind === 'quote') {
    if (line.first !== CLOSING_ANGLE || line.indent > WIDEST_INDENT) return false;
    passQuoteMarker(line);
    return true;
  }
  if (line.isBlank ? container.isEmpty : line.indent < container.indent) return false;
  line.skip(Math.min(container.indent, line.indent));
  return true;
}
