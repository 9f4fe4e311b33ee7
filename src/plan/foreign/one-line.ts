// Text from other tools on one line, and cut to the length of a heading.

/** Control characters have no place in a plan, and a NUL would make it unusable. */
export function cleanText(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(CONTROL, '');
}

const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

export function asOneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** The beginning of a long line: up to the end of a sentence or of a clause if there is one, else of a word. */
export function shortName(line: string): string {
  if (line.length <= LONGEST_NAME) return line.replace(/(?<![.。])[.。;；:：]$/, '');
  const head = line.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, '');
  const sentence = lastEnd(head, /(?<!\b\d{1,3})[.;!?](?=\s)|[。；！？]/g, 30);
  if (sentence !== undefined) return balanced(head.slice(0, sentence).replace(/[.;。；]$/, ''));
  const clause = lastEnd(head, /[,:](?=\s)|[，：、]|\s[—–-](?=\s)/g, 40) ?? lastEnd(head, /\s/g, 40);
  const cut = clause === undefined ? head : head.slice(0, clause).replace(/[\s,:，：、—–-]+$/, '');
  return `${balanced(cut)} …`;
}

const LONGEST_NAME = 100;

/** Whether nothing of the line is missing in its short name. */
export function isWhole(name: string, line: string): boolean {
  return line.length - name.length <= 1 && line.startsWith(name);
}

function lastEnd(text: string, ends: RegExp, least: number): number | undefined {
  let last: number | undefined;
  for (const { index, 0: found } of text.matchAll(ends))
    if (index >= least && isOutsideCode(text, index)) last = index + found.length;
  return last;
}

function isOutsideCode(text: string, offset: number): boolean {
  return text.slice(0, offset).split('`').length % 2 === 1;
}

/** Without the start of a code span whose end was cut off. */
function balanced(text: string): string {
  if (isOutsideCode(text, text.length)) return text;
  const opened = text.lastIndexOf('`');
  const before = text.slice(0, opened).trimEnd();
  return before.length >= 20 ? before : `${text}\``;
}
