// The block scanner follows CommonMark: compared with mdast on 5,000 documents that are easy to misread.
import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, test } from 'vitest';
import { type Block, blocksOf } from '../../../src/plan/markdown/blocks.ts';
import { textOf } from '../../../src/plan/markdown/span.ts';
import { nastyDocuments } from '../../support/nasty-markdown.ts';

test('finds headings, fences, paragraphs and rules where mdast finds them, with the same text and depth', () => {
  fc.assert(
    fc.property(nastyDocuments, (document) => {
      const { seen, openFences, isAgainstTheSpec } = readByMdast(document);
      fc.pre(!isAgainstTheSpec);
      expect(seenByScanner(document, openFences), `in the document ${JSON.stringify(document)}`).toEqual(seen);
    }),
    { numRuns: 5_000, seed: 20_261_115 },
  );
}, 120_000);

test('every block and span starts in the line it names and ends there; only the span of a fence may end in a later line', () => {
  fc.assert(
    fc.property(nastyDocuments, (document) => {
      const lines = [...document.matchAll(/(?:^\ufeff)?([^\r\n]*)(?:\r\n?|\n|$)/dg)].map(({ indices }) => indices?.[1]);
      for (const block of blocksOf(document)) {
        expect(block.start).toBe(lines[block.line - 1]?.[0]);
        for (const { line, from, to } of 'spans' in block ? block.spans : []) {
          const [start = Number.NaN, end = Number.NaN] = lines[line - 1] ?? [];
          const endsInLine = to <= end || (block.kind === 'fence' && lines.some((other) => other?.[1] === to));
          expect(start <= from && from <= to && endsInLine, `in the document ${JSON.stringify(document)}`).toBe(true);
        }
      }
    }),
    { numRuns: 1_000, seed: 20_261_115 },
  );
});

describe('a fence', () => {
  test('inside three list items loses their indentation', () => {
    const text = '- a\n  1. b\n     - ```ts\n       one\n         two\n\n       ```\n     - c\n';
    expect(show(text)).toEqual(['paragraph@1/1 a', 'paragraph@2/2 b', 'fence@3/3 ts: one\n  two\n', 'paragraph@8/3 c']);
  });

  test('hides headings and everything else in it', () => {
    expect(show('```\n# a\n~~~\n- b\n```` c\n````\n# d')).toEqual([
      'fence@1/0 : # a\n~~~\n- b\n```` c',
      'heading1@7/0 d',
    ]);
  });

  test('may be indented, and its content loses the same indentation', () => {
    expect(show('   ~~~\n     a\n  b\n   ~~~')).toEqual(['fence@1/0 :   a\nb']);
  });

  test('keeps the rest of a tab that a marker uses in part', () => {
    expect(show('- ```\n\ta\n\t\tb\n')).toEqual(['fence@1/1 :   a\n  \tb']);
  });

  test('loses only the indentation of its list item on blank lines', () => {
    expect(show('- ```\n\n \n    \n  ```')).toEqual(['fence@1/1 : \n\n  ']);
  });

  test('is closed by its last line or by the end of its list or quote, but not by the end of the text', () => {
    const isClosed = (text: string) => blocksOf(text).map((block) => block.kind === 'fence' && block.closed);
    expect(isClosed('```\n```')).toEqual([true]);
    expect(isClosed('> ```\n\n')).toEqual([true]);
    expect(isClosed('- ```\n# a')).toEqual([true, false]);
    expect(isClosed('- ```\n  ~~~')).toEqual([false]);
  });

  test('of backticks has no backticks in its info string', () => {
    expect(show('``` a`b\n~~~ a`b')).toEqual(['paragraph@1/0 ``` a`b', 'fence@2/0 a`b: ']);
  });
});

describe('a heading', () => {
  test('needs a space after at most six hashes, and loses its closing hashes', () => {
    expect(show('# a ##\n###### b#\n####### c\n#d\n##')).toEqual([
      'heading1@1/0 a',
      'heading6@2/0 b#',
      'paragraph@3/0 ####### c\n#d',
      'heading2@5/0 ',
    ]);
  });

  test('is an underlined paragraph of one or more lines', () => {
    expect(show('> a  \n>  b\n> ---\n> c\n===')).toEqual(['heading2@1/1q a\nb', 'paragraph@4/1q c\n===']);
  });

  test('is not made by dashes that underline nothing', () => {
    expect(show('- a\n---\n\n---\n# b\n---')).toEqual([
      'paragraph@1/1 a',
      'rule@2/0',
      'rule@4/0',
      'heading1@5/0 b',
      'rule@6/0',
    ]);
  });
});

describe('a line without its marker', () => {
  test('continues a paragraph', () => {
    expect(show('> - a\nb\n    # c')).toEqual(['paragraph@1/2q a\nb\n# c']);
  });

  test('ends everything else, and ends a paragraph if it starts a block', () => {
    expect(show('> ```\na')).toEqual(['fence@1/1q : ', 'paragraph@2/0 a']);
    expect(show('> a\n# b')).toEqual(['paragraph@1/1q a', 'heading1@2/0 b']);
    expect(show('> a\n```')).toEqual(['paragraph@1/1q a', 'fence@2/0 : ']);
    expect(show('> a\n2. b')).toEqual(['paragraph@1/1q a', 'paragraph@2/1 b']);
  });

  test('continues a paragraph even if it is a tag, because a tag that is not a block tag cannot interrupt one', () => {
    expect(show('> a\n<i>\n> # b')).toEqual(['paragraph@1/1q a\n<i>', 'heading1@3/1q b']);
  });
});

describe('HTML', () => {
  test('hides the contents of a comment, including the line that ends it', () => {
    expect(show('<!-- a\n# b\n\n```\n--> c\n# d')).toEqual(['other@1/0', 'heading1@6/0 d']);
    expect(show('<b> <!-- a\n# b')).toEqual(['paragraph@1/0 <b> <!-- a', 'heading1@2/0 b']);
  });

  test('of a block tag ends at a blank line', () => {
    expect(show('<details>\n# a\n\n# b\n</details>')).toEqual(['other@1/0', 'heading1@4/0 b', 'other@5/0']);
  });
});

describe('a list item', () => {
  test('interrupts a paragraph only if it has text, and only with 1 if it has a number', () => {
    expect(show('a\n2. b\n*\n1.\n01. c')).toEqual(['paragraph@1/0 a\n2. b\n*\n1.', 'paragraph@5/1 c']);
  });

  test('starts anywhere else without text and with any number, also on the line that ends the paragraph', () => {
    expect(show('a\n- 2. # b')).toEqual(['paragraph@1/0 a', 'heading1@2/2 b']);
    expect(show('a\n> -\n>   # b')).toEqual(['paragraph@1/0 a', 'heading1@3/2q b']);
    expect(show('    a\n\n2. # b')).toEqual(['other@1/0', 'heading1@3/1 b']);
  });

  test('starts with at most one blank line', () => {
    expect(show('-\n  # a\n-\n\n  # b')).toEqual(['heading1@2/1 a', 'heading1@5/0 b']);
  });

  test('contains indented code if its text is far from the marker', () => {
    expect(show('-    # a\n-     # b\n\n  # c')).toEqual(['heading1@1/1 a', 'other@2/1', 'heading1@4/1 c']);
  });
});

test('indented code continues over blank lines', () => {
  expect(show('    a\n\n  \n    b\n# c')).toEqual(['other@1/0', 'heading1@5/0 c']);
});

test('lines end with LF, CRLF or CR, and a byte order mark is not part of the first line', () => {
  expect(show('\ufeff# a\r\n# b\r# c\n\r# d')).toEqual([
    'heading1@1/0 a',
    'heading1@2/0 b',
    'heading1@3/0 c',
    'heading1@5/0 d',
  ]);
});

test('blocks nested deeper than 64 levels are text', () => {
  expect(show(`${'>'.repeat(64)}# a`)).toEqual(['heading1@1/64q a']);
  expect(show(`${'>'.repeat(65)}# a`)).toEqual(['paragraph@1/64q ># a']);
});

describe('a megabyte', () => {
  const DEEP_QUOTE = '>'.repeat(64);
  const DEEP_LIST = `${'- '.repeat(64)}a\n`;
  const REPEATED: Readonly<Record<string, readonly [first: string, rest: string]>> = {
    'of quotes on one line': ['', '>'],
    'of list markers on one line': ['', '- '],
    'of list markers before a text': ['a\n', '- '],
    'of numbers': ['', '1'],
    'of ordered list markers on one line': ['', '1. '],
    'of backticks': ['', '`'],
    'of tildes in a fence': ['~~~\n', '~'],
    'of hashes': ['', '#'],
    'of closing hashes': ['# a ', '#'],
    'of spaced hashes': ['# a', ' #'],
    'of tabs': ['', '\t'],
    'of tabs in nested lists': [DEEP_LIST, '\t'],
    'of spaces in a tag': ['<a', ' '],
    'of attributes': ['<a', ' b'],
    'of attributes with values': ['<a', ' b = c'],
    'of an open attribute': ['<a b="', 'c '],
    'of opening angles': ['', '<'],
    'of dashes in a comment': ['<!--\n', '-'],
    'of raw ends in a script': ['<script>\n', '</script'],
    'of underlines': ['a\n', '= '],
    'of rules': ['', '* '],
    'of items': ['', '* a\n'],
    'of nested items': ['', '* a\n * b\n  * c\n'],
    'of empty items': ['', '-\n'],
    'of lines after deep quotes': [`${DEEP_QUOTE}a\n`, 'a\n'],
    'of deep quotes': ['', `${DEEP_QUOTE}a\n`],
    'of deep lists': ['', DEEP_LIST],
    'of blank lines after deep lists': [DEEP_LIST, '\n'],
    'of one paragraph': ['', 'a\n'],
    'of fences': ['', '```\n'],
    'of line feeds': ['', '\n'],
    'of carriage returns': ['', '\r'],
    'of both alternately': ['', '\n\r'],
    'of null characters': ['', '\0'],
    'of half characters': ['', '\ud800'],
  };

  test.each(Object.entries(REPEATED))('%s is read completely', (_, [first, rest]) => {
    const text = first + rest.repeat(1_000_000 / rest.length);
    const blocks = blocksOf(text);
    expect(blocks.every((block, index) => block.line >= (blocks[index - 1]?.line ?? 1))).toBe(true);
  });
});

test('reads any characters, and returns the blocks in order', () => {
  const pieces = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...'\n\n\r\t >-*+#=`~<1.)'));
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 200 }), (all) => {
      const lines = blocksOf(all.join('')).map((block) => block.line);
      expect(lines).toEqual([...lines].sort((a, b) => a - b));
    }),
  );
});

/** One string per block: kind, line, depth, whether it is quoted, and text. */
function show(text: string): string[] {
  return blocksOf(text).map((block) => {
    const level = block.kind === 'heading' ? block.level : '';
    const place = `${block.kind}${level}@${block.line}/${block.depth}${block.quoted ? 'q' : ''}`;
    if (block.kind === 'rule' || block.kind === 'other') return place;
    return `${place} ${block.kind === 'fence' ? `${block.info}: ` : ''}${textOf(text, block.spans)}`;
  });
}

interface Seen {
  readonly kind: Block['kind'];
  readonly line: number;
  readonly depth: number;
  readonly quoted: boolean;
  readonly text?: string;
  readonly level?: number;
  readonly info?: string;
}

function seenByScanner(document: string, openFences: ReadonlySet<number>): Seen[] {
  return blocksOf(document).flatMap((block): Seen[] => {
    const { kind, line, depth, quoted } = block;
    if (kind === 'other') return [];
    if (kind === 'rule') return [{ kind, line, depth, quoted }];
    const text = textOf(document, block.spans);
    if (kind === 'heading') return [{ kind, line, depth, quoted, text, level: block.level }];
    if (kind === 'paragraph') return [{ kind, line, depth, quoted, text }];
    const compared = openFences.has(line) ? withoutBlankEnd(text) : text;
    return [{ kind, line, depth, quoted, text: compared, info: block.info.replace(/[ \t]+/, ' ') }];
  });
}

interface Reading {
  readonly seen: readonly Seen[];
  /**
   * The first lines of fences without a closing line. Whether mdast includes a blank line at their end depends on what
   * follows, so blank lines there are not compared.
   */
  readonly openFences: ReadonlySet<number>;
  readonly isAgainstTheSpec: boolean;
}

/**
 * Gives mdast the same lines, all ending in LF: in a fence it would read CR, an empty line and LF as one line end, and
 * drop a last empty line without a line end.
 */
function readByMdast(document: string): Reading {
  const lines = document.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const source = lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
  const leaves = leavesOf(fromMarkdown(source, { extensions: [{ disable: { null: LEFT_AS_TEXT } }] }));
  const open = leaves.filter((leaf) => isFence(leaf, source) && !/\n.*(?:```|~~~)[ \t]*$/.test(sourceOf(leaf, source)));
  const openFences = new Set(open.map((leaf) => leaf.line));
  return {
    seen: leaves.flatMap((leaf) => seenInLeaf(leaf, isFence(leaf, source), openFences)),
    openFences,
    isAgainstTheSpec: leaves.some((leaf, at) => beginsWithMarker(leaf, source) || isLazyTag(leaf, leaves[at - 1])),
  };
}

/** Inline markup and reference definitions, which are text to the scanner. */
const LEFT_AS_TEXT = [
  ['attention', 'autolink', 'characterEscape', 'characterReference', 'codeText', 'definition', 'hardBreakEscape'],
  ['htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink'],
].flat();

type Root = ReturnType<typeof fromMarkdown>;
type Node = Root | Root['children'][number];

interface Leaf {
  readonly node: Node;
  readonly line: number;
  readonly depth: number;
  readonly quoted: boolean;
}

const LEAVES: readonly string[] = ['heading', 'paragraph', 'thematicBreak', 'code', 'html'] satisfies Node['type'][];

function leavesOf(node: Node, depth = 0, quoted = false): Leaf[] {
  if (LEAVES.includes(node.type)) return [{ node, line: node.position?.start.line ?? 0, depth, quoted }];
  const inner = node.type === 'blockquote' || node.type === 'listItem' ? depth + 1 : depth;
  const children = 'children' in node ? node.children : [];
  return children.flatMap((child) => leavesOf(child, inner, quoted || node.type === 'blockquote'));
}

function seenInLeaf({ node, line, depth, quoted }: Leaf, isFence: boolean, openFences: ReadonlySet<number>): Seen[] {
  if (node.type === 'thematicBreak') return [{ kind: 'rule', line, depth, quoted }];
  if (node.type === 'heading') return [{ kind: 'heading', line, depth, quoted, text: textIn(node), level: node.depth }];
  if (node.type === 'paragraph') return [{ kind: 'paragraph', line, depth, quoted, text: textIn(node) }];
  if (node.type !== 'code' || !isFence) return [];
  const text = openFences.has(line) ? withoutBlankEnd(node.value) : node.value;
  const info = `${node.lang ?? ''} ${node.meta ?? ''}`.replace(/[ \t]+$/, '');
  return [{ kind: 'fence', line, depth, quoted, text, info }];
}

function isFence({ node }: Leaf, source: string): boolean {
  return node.type === 'code' && /^[`~]/.test(sourceOf({ node }, source));
}

/**
 * A paragraph that starts with a list marker is a list in CommonMark. mdast returns such paragraphs after indented code and
 * inside containers that start on the same line. An item without text or with a number other than 1 is allowed there,
 * because it interrupts no paragraph.
 */
function beginsWithMarker({ node }: Leaf, source: string): boolean {
  const isText = node.type === 'paragraph' || node.type === 'heading';
  return isText && /^(?:[-+*]|\d{1,9}[.)])(?:\s|$)/.test(sourceOf({ node }, source));
}

/** mdast lets a non-block tag end a paragraph of a list or quote whose marker is missing; in CommonMark the paragraph continues. */
function isLazyTag({ node, line }: Leaf, before: Leaf | undefined): boolean {
  const isBehindText = before?.node.type === 'paragraph' && before.node.position?.end.line === line - 1;
  return isBehindText && node.type === 'html' && !INTERRUPTING_HTML.test(node.value);
}

const INTERRUPTING_HTML = /^[ \t]*<(?:[!?]|\/?(?:details|div|h1|search)\b|(?:pre|script|style|textarea)(?:[\s>]|$))/i;

function sourceOf({ node }: Pick<Leaf, 'node'>, source: string): string {
  return source.slice(node.position?.start.offset, node.position?.end.offset);
}

function textIn(node: Node): string {
  if (node.type === 'break') return '\n';
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(textIn).join('') : '';
}

function withoutBlankEnd(text: string): string {
  return text.replace(/\n+$/, '');
}
