// Markdown that is easy to misread: blocks of lines in lists and quotes, with some of the markers left out.
import fc from 'fast-check';

type Lines = readonly string[];

const INDENTS = ['', '', '', '', ' ', '  ', '   ', '    ', '     ', '\t', ' \t', '  \t'];
const TRAILING = ['', '', '', ' ', '   ', '\t'];

const TEXTS = [
  ['Phase 1: Ground', 'Task 2 - Walls', '**Goal:** a house', '[ ] open', '[x] done', '- [ ] **Step 1:** look', 'x'],
  ['`code`', '\\# no', 'a\u00a0', '&amp;', '[x]: /url "title"', '[x]', '| a | b |', '<b>bold</b>', 'a <!-- b', 'a  b'],
  ['#5', '#', '--- a', '===x', '``', '~~', '-->', '>', '+', '-', '<', '2019. was', '1) one', '\f', '\v a', '\u2028b'],
].flat();

const RULES = [
  ['---', '***', '___', '- - -', '* * *', '_ _ _', '*\t*\t*', '-  -   -----', '_____ _'],
  ['**', '--', '**-', '* * a', '- - x', '--- -- a', '_ _', '+++'],
].flat();

const UNDERLINES = ['=', '===', '===', '-', '--', '---', '-----', '- -', '= =', '=-', '=== a'];

const FENCES = ['```', '```', '~~~', '~~~', '````', '~~~~~', '``', '~~'];
const INFOS = ['', '', 'ts', ' sh', ' ts  a=x ', 'a`b', 'a~b', '\tx\ty', '&amp; \\*', '```', '~~~', '# x', '\u00a0'];
const INSIDE = ['', '', ' ', '      ', '\t', '\t\tx', '# a', '- a', '> b', '```x', '  ```', '~~~', '---', '</pre>'];

const HTML = [
  '<script>\nx\n# a\n\n</script>\n# b',
  '<pre\n```\n</pre> x',
  '<style>\n</style>\n# a',
  '<textarea>\n# a\n',
  '<PRE>\n# a\n</Script> b\n# c',
  '<script/>\n# a',
  '</pre>\n# a',
  '<preset\n# a',
  '<!-- a -->\n# b',
  '<!-- a\n# b\n\n```\n--> c\n# d',
  '<!--\nx',
  '<!-->\n# a',
  '<!--->\n# a',
  'a <!-- b\n# c\n-->',
  '<b>a</b> <!-- b\n# c\n-->',
  '<?a\n# b\n\n?> c\n# d',
  '<?>\n# a',
  '<!DOCTYPE html>\n# a',
  '<!a\n# b\n>\n# c',
  '<!1\n# a',
  '<![CDATA[\n# a\n\n]]>\n# b',
  '<![cdata[\n# a',
  '<div>\n# a\n\n# b',
  '</div>\n```',
  '<div/>\nx',
  '<DIV\n# a',
  '<divx\n# a',
  '<h1>\n# a',
  '<h7>\n# a',
  '<search>\n# a',
  '<details><summary>a</summary>\n\n```\nb\n```\n</details>',
  '<i>\n\n# a',
  '<source>\n# a',
  '<x-y/>\n# a',
  '</x >\n# a',
  '</x y>\n# a',
  '<a b="c">\n# d',
  "<a b=c d='e' f>\n# g",
  '<a b=\u00a0c>\n# d',
  '<a b = "c" >\t\n# d',
  '<a b="c"d>\n# e',
  '<a b=>\n# c',
  '<a\u00a0b>\n# c',
  '<a> b\n# c',
  '<a\n# b',
  '<1>\n# a',
  '<https://x.y>\n# a',
];

const TABLES = ['| a | b |\n| - | - |\n| # | ```|', 'a | b\n--|--\n1 | 2', 'a\n:-\nb', '| a |\n|---|\n# x'];

/** Without "01.", which mdast does not let interrupt a paragraph although it is the number 1. */
const ITEMS = [
  ['- ', '* ', '+ ', '1. ', '1) ', '2. ', '10. ', '0. ', '123456789. ', '1234567890. ', '-', '1.', '1', '-x'],
  ['-\t', '-   ', '-     ', '- - ', '- 1. ', '-\t-\t', '- > ', '1. 2) '],
].flat();
const QUOTES = ['> ', '>', '>\t', '>> ', '> > ', '>  ', '>     ', '>\t\t', '> - ', '> 1. '];
const BEGINNINGS = ['', '# a', '```', '~~~ sh', '---', '===', '    x', '\tx', '> q', '- q', '<div>', '<!--', '<i>'];

/** What a list or quote puts before its first line, and before the others. */
const CONTAINERS: readonly { readonly first: string; readonly rest: string }[] = [
  { first: '- ', rest: '  ' },
  { first: '* ', rest: '  ' },
  { first: '+ ', rest: '  ' },
  { first: '1. ', rest: '   ' },
  { first: '2) ', rest: '   ' },
  { first: '10. ', rest: '    ' },
  { first: '-   ', rest: '    ' },
  { first: '-\t', rest: '\t' },
  { first: '-\t', rest: '    ' },
  { first: '- ', rest: '\t' },
  { first: '  - ', rest: '    ' },
  { first: ' * ', rest: '   ' },
  { first: '   1.  ', rest: '       ' },
  { first: '-\n  ', rest: '  ' },
  { first: '1.\n   ', rest: '   ' },
  { first: '- [ ] ', rest: '  ' },
  { first: '- ', rest: ' ' },
  { first: '- ', rest: '   ' },
  { first: '> ', rest: '> ' },
  { first: '>', rest: '>' },
  { first: '> ', rest: '>' },
  { first: ' > ', rest: '> ' },
  { first: '>  ', rest: '>  ' },
  { first: '>\t', rest: '>\t' },
];

const LINE_ENDS = [['\n'], ['\n'], ['\n'], ['\n'], ['\r\n'], ['\r'], ['\n', '\r\n', '\r'], ['\n', '\r']];

const atxHeading = lineOf(
  fc.constantFrom(...INDENTS),
  fc.constantFrom('#', '##', '###', '####', '#####', '######', '#######'),
  fc.constantFrom(' ', ' ', ' ', '  ', '\t', ''),
  fc.constantFrom('', '', ...TEXTS),
  fc.constantFrom('', '', ' #', ' ####', '#', ' # #', '\t##', ' \\#', ' #a'),
  fc.constantFrom(...TRAILING),
);
const text = lineOf(fc.constantFrom(...INDENTS), fc.constantFrom(...TEXTS), fc.constantFrom(...TRAILING));
const rule = lineOf(fc.constantFrom(...INDENTS), fc.constantFrom(...RULES), fc.constantFrom(...TRAILING));
const underline = lineOf(fc.constantFrom(...INDENTS), fc.constantFrom(...UNDERLINES), fc.constantFrom(...TRAILING));
const fenceEnd = lineOf(fc.constantFrom(...INDENTS), fc.constantFrom(...FENCES), fc.constantFrom(...TRAILING));
const item = lineOf(fc.constantFrom(...INDENTS), fc.constantFrom(...ITEMS), fc.constantFrom(...TEXTS, ...BEGINNINGS));
const quote = lineOf(fc.constantFrom(...INDENTS), fc.constantFrom(...QUOTES), fc.constantFrom(...TEXTS, ...BEGINNINGS));
const blank = fc.constantFrom('', '', '', ' ', '   ', '     ', '\t');
const code = lineOf(fc.constantFrom('    ', '     ', '\t', '  \t'), fc.constantFrom(...TEXTS, ...BEGINNINGS));

const paragraph = fc.array(text, { minLength: 1, maxLength: 3 });
const setextHeading = fc.tuple(paragraph, underline).map(([lines, last]) => [...lines, last]);
const indentedCode = fc.array(code, { minLength: 1, maxLength: 3 });
const fence = fc
  .record({
    indent: fc.constantFrom(...INDENTS),
    opening: lineOf(fc.constantFrom(...FENCES), fc.constantFrom(...INFOS)),
    content: fc.array(fc.oneof(text, atxHeading, fc.constantFrom(...INSIDE)), { maxLength: 4 }),
    isAligned: fc.boolean(),
    closing: fc.option(fenceEnd, { nil: undefined }),
  })
  .map(({ indent, opening, content, isAligned, closing }) => [
    indent + opening,
    ...content.map((line) => (isAligned ? indent + line : line)),
    ...(closing === undefined ? [] : [closing]),
  ]);
const html = fc
  .tuple(fc.constantFrom(...INDENTS), fc.constantFrom(...HTML))
  .map(([indent, lines]) => (indent + lines).split('\n'));
const table = fc.constantFrom(...TABLES).map((lines) => lines.split('\n'));

const block: fc.Arbitrary<Lines> = fc.oneof(
  { weight: 6, arbitrary: fence },
  { weight: 3, arbitrary: setextHeading },
  { weight: 2, arbitrary: paragraph },
  { weight: 3, arbitrary: html },
  { weight: 1, arbitrary: indentedCode },
  { weight: 1, arbitrary: table },
  {
    weight: 12,
    arbitrary: fc.oneof(atxHeading, atxHeading, rule, underline, item, item, quote, blank, blank).map((line) => [line]),
  },
);

const wrapping = fc.record({
  container: fc.constantFrom(...CONTAINERS),
  /** A zero leaves out the marker of a line. */
  omissions: fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 4 }),
  marksBlankLines: fc.boolean(),
});
type Wrapping = typeof wrapping extends fc.Arbitrary<infer T> ? T : never;

const part = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 3 }), fc.array(wrapping, { maxLength: 4 }))
  .map(([blocks, wrappings]) => wrappings.reduce(wrap, blocks.flat()));

function wrap(lines: Lines, { container, omissions, marksBlankLines }: Wrapping): string[] {
  return lines.flatMap((line, index) => {
    if (index === 0) return (container.first + line).split('\n');
    if (line === '' && !marksBlankLines) return line;
    return omissions[index % omissions.length] === 0 ? line.trimStart() : container.rest + line;
  });
}

export const nastyDocuments = fc
  .record({
    prefix: fc.constantFrom('', '', '', '', '', '\ufeff'),
    parts: fc.array(part, { maxLength: 5 }),
    lineEnds: fc.constantFrom(...LINE_ENDS),
    isEnded: fc.boolean(),
  })
  .map(({ prefix, parts, lineEnds, isEnded }) => {
    const lines = parts.flat();
    const ended = lines.map((line, index) => line + lineEnds[index % lineEnds.length]);
    return prefix + [...ended.slice(0, -1), (isEnded ? ended : lines).at(-1) ?? ''].join('');
  });

function lineOf(...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...parts).map((strings) => strings.join(''));
}
