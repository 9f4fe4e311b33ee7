// One line of a markdown text, read from left to right: its indentation, and what follows.

export function* markdownLines(text: string): Generator<MarkdownLine> {
  let start = text.startsWith('\ufeff') ? 1 : 0;
  for (let number = 1; start < text.length; number++) {
    const stop = endOfLine(text, start);
    yield new MarkdownLine(text, number, start, stop);
    start = text.startsWith('\r\n', stop) ? stop + 2 : stop + 1;
  }
}

function endOfLine(text: string, start: number): number {
  let end = start;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) end++;
  return end;
}

/** Measures white space once, however many markers are checked against it. */
export class MarkdownLine {
  readonly number: number;
  readonly start: number;
  /** The offset of the line end. */
  readonly stop: number;
  /** The columns of white space ahead, and the offset of the first character after them. */
  indent = 0;
  content: number;
  /** The offset up to which the line is consumed, and how many columns are left of a tab consumed in part. */
  position: number;
  padding = 0;

  readonly #text: string;
  #column = 0;

  constructor(text: string, number: number, start: number, stop: number) {
    this.#text = text;
    this.number = number;
    this.start = start;
    this.stop = stop;
    this.position = start;
    this.content = start;
    this.#measure();
  }

  get isBlank(): boolean {
    return this.content === this.stop;
  }

  /** The first character of the content. On a blank line it is never a marker. */
  get first(): number {
    return this.charAt(this.content);
  }

  charAt(position: number): number {
    return this.#text.charCodeAt(position);
  }

  slice(from: number, to: number): string {
    return this.#text.slice(from, to);
  }

  /** Consumes this many columns of white space; the rest of a tab then counts as spaces. */
  skip(columns: number): void {
    this.indent -= columns;
    let left = columns - this.padding;
    for (; left > 0; this.position++) {
      const width = this.#widthOfSpace(this.position, this.#column);
      this.#column += width;
      left -= width;
    }
    this.padding = -left;
  }

  /** Consumes the white space and a marker of this many characters. */
  pass(width: number): void {
    this.#column += this.indent - this.padding + width;
    this.padding = 0;
    this.position = this.content + width;
    this.#measure();
  }

  /** The end of the run of the character at this offset. */
  endOfRun(position: number): number {
    const char = this.charAt(position);
    let end = position;
    while (end < this.stop && this.charAt(end) === char) end++;
    return end;
  }

  skipSpace(position: number): number {
    let end = position;
    while (end < this.stop && isSpace(this.charAt(end))) end++;
    return end;
  }

  backOverSpace(from: number, to: number): number {
    let end = to;
    while (end > from && isSpace(this.charAt(end - 1))) end--;
    return end;
  }

  /** Whether a word ends here: at white space, or at the end of the line. */
  isSpaceOrEnd(position: number): boolean {
    return position === this.stop || isSpace(this.charAt(position));
  }

  isBlankFrom(position: number): boolean {
    return this.skipSpace(position) === this.stop;
  }

  #measure(): void {
    let column = this.#column;
    let position = this.position;
    for (; position < this.stop && isSpace(this.charAt(position)); position++)
      column += this.#widthOfSpace(position, column);
    this.indent = column - this.#column;
    this.content = position;
  }

  /** Tab stops are four columns apart. */
  #widthOfSpace(position: number, column: number): number {
    return this.charAt(position) === TAB ? 4 - (column % 4) : 1;
  }
}

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;

export function isSpace(char: number): boolean {
  return char === SPACE || char === TAB;
}

function isLineEnd(char: number): boolean {
  return char === LINE_FEED || char === CARRIAGE_RETURN;
}
