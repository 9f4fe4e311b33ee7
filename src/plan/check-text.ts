// What is wrong with the text of a plan file as such: it is empty, is not markdown, or was left in the middle of something.
import type { Block } from './markdown/blocks.ts';
import type { Problem } from './plan.ts';
import { firstLine, type ProblemPlace, problemAt } from './problem-place.ts';

export function checkText(text: string, blocks: readonly Block[]): readonly Problem[] {
  if (text.trim() === '') return [{ ...FIRST, severity: 'error', code: 'empty', message: 'The file is empty.' }];
  const message = 'The file contains a NUL byte: it is not a text file.';
  const notText: readonly Problem[] = text.includes('\0')
    ? [{ ...FIRST, severity: 'error', code: 'not-text', message }]
    : [];
  const fences = blocks.flatMap((block) => checkFence(text, block) ?? []);
  return [...notText, ...fences, ...blocks.flatMap((block) => checkConflict(text, block))];
}

/** A file in another format: nothing that it contains is what an author of a plan means. */
export function checkFormat(text: string, blocks: readonly Block[]): Problem | undefined {
  const start = text.slice(0, MOST_LOOKED_AT).replace(/^[\ufeff\s]+/, '');
  const format = FORMATS.find(({ starts }) => starts.test(start));
  if (format === undefined) return undefined;
  // A markdown text may start with a brace or a bracket, but has headings.
  if (format.name === 'JSON' && blocks.some(({ kind, depth }) => kind === 'heading' && depth === 0)) return undefined;
  const message = `This is ${format.name}, not markdown. A plan is a markdown file with task headings.`;
  return { ...FIRST, severity: 'error', code: 'not-markdown', message };
}

const FIRST = { line: 1, column: 1 };
const MOST_LOOKED_AT = 2_000;

const FORMATS: readonly { readonly name: string; readonly starts: RegExp }[] = [
  { name: 'JSON', starts: /^(?:\{\s*["}]|\[\s*[{"])/ },
  { name: 'HTML', starts: /^<(?:!doctype\s{1,9}html|html|head|body)(?:[\s>]|$)/i },
  { name: 'XML', starts: /^<(?:\?xml|svg)(?:[\s>]|$)/i },
  { name: 'RTF', starts: /^\{\\rtf/ },
  { name: 'PDF', starts: /^%PDF-/ },
  { name: 'a script', starts: /^#!\s{0,9}\// },
];

function checkFence(text: string, block: Block): Problem | undefined {
  if (block.kind !== 'fence' || block.closed) return undefined;
  const message = 'This code fence is never closed, so everything below it is code. Close it.';
  return problemAt(text, firstLine(block), { severity: 'error', code: 'unclosed-fence', message });
}

/** The last line of a conflict parses as a quote seven levels deep. */
function checkConflict(text: string, block: Block): readonly Problem[] {
  const spans = block.kind === 'paragraph' || block.kind === 'heading' ? block.spans : [];
  const starts = spans.flatMap((span) => (text.startsWith('<<<<<<< ', span.from) ? conflictAt(text, span) : []));
  const isEnd = block.quoted && text.startsWith('>>>>>>> ', block.start);
  return isEnd ? [...starts, conflictAt(text, firstLine(block))] : starts;
}

function conflictAt(text: string, place: ProblemPlace): Problem {
  const message = 'This is a conflict marker from git. Resolve the conflict.';
  return problemAt(text, place, { severity: 'error', code: 'conflict-marker', message });
}
