// Finds the JSON in what a planner handed in, and says at which line and column it is not JSON.
import { findJsonMistake } from '../text/json-position.ts';
import { readJson } from '../text/json-text.ts';
import { showName } from '../text/show.ts';

export type JsonDocument =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly violation: string };

/** A byte order mark, white space and a fence around the document are harmless. */
export function readJsonDocument(text: string): JsonDocument {
  if (text.length > LARGEST_DOCUMENT)
    return bad(`the document has ${text.length} characters; expected at most ${LARGEST_DOCUMENT}`);
  const json = withoutFence(text.replace(/^\ufeff/, ''));
  const read = readJson(json);
  if (read.kind === 'value') return { ok: true, value: read.value };
  const mistake = POSITIONED.has(read.code) ? mistakeIn(json) : undefined;
  return bad(mistake ?? `the document cannot be read: ${read.why}; expected one JSON object`);
}

export const LARGEST_DOCUMENT = 400_000;

const POSITIONED: ReadonlySet<string> = new Set(['truncated', 'not-json', 'duplicate-key']);

function bad(violation: string): JsonDocument {
  return { ok: false, violation };
}

/** The lines of the fence stay as blank lines, so that positions are those in the planner's text. */
function withoutFence(text: string): string {
  const [, before = '', content] = FENCED.exec(text) ?? [];
  return content === undefined ? text : `${before.replace(/[^\n]/g, '')}${content}`;
}

const FENCED = /^(\s*(?:`{3,}|~{3,})[ \t]*(?:json[c5]?)?[ \t]*\r?\n)([\s\S]*?)\r?\n[ \t]*(?:`{3,}|~{3,})\s*$/i;

function mistakeIn(json: string): string | undefined {
  const mistake = findJsonMistake(json);
  if (mistake === undefined) return undefined;
  const offset = offsetOf(json, mistake.line, mistake.column);
  const inString = json[offset] === '"' ? brokenString(json, offset) : undefined;
  if (inString !== undefined) return violationAt(json, inString.offset, inString.why);
  return violationAt(json, offset, mistake.why);
}

/** A string that is not closed, or has a character in it that JSON does not allow there. */
function brokenString(json: string, start: number): { readonly offset: number; readonly why: string } | undefined {
  const whole = new RegExp(STRING, 'y');
  whole.lastIndex = start;
  if (!whole.test(json)) return undefined;
  const offset = whole.lastIndex;
  const [char = '', next = ''] = json.slice(offset, offset + 2);
  if (char === '"') return undefined;
  if (char === '') return { offset, why: 'the text is not closed; expected a double quote' };
  if (char === '\\')
    return { offset, why: `"\\${showName(next)}" is not an escape; a backslash in a text is written as "\\\\"` };
  const written = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[char] ?? 'an escape';
  return { offset, why: `a text contains a raw line break, tab or control character; write it as "${written}"` };
}

/** A string up to its closing quote, or up to the first character that does not belong in it. */
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/;

function violationAt(json: string, offset: number, why: string): string {
  const before = json.slice(0, offset).split('\n');
  const [rest = ''] = json.slice(offset, offset + LONGEST_EXCERPT).split('\n');
  const found = rest.trim() === '' ? 'at the end of the line' : `at "${showName(rest.trim())}"`;
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: not JSON ${found}: ${why}`;
}

const LONGEST_EXCERPT = 30;

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let number = 1; number < line; number++) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}
