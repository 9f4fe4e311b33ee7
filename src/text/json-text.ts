// Parses JSON that others may have written or damaged: says what is wrong with it, and never overflows the stack.
import { showName } from './show.ts';

export type JsonRead =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'bad'; readonly code: JsonProblem; readonly why: string };

export type JsonProblem =
  | 'empty'
  | 'conflict'
  | 'nul'
  | 'truncated'
  | 'not-json'
  | 'duplicate-key'
  | 'too-deep'
  | 'too-large';

const LARGEST_TEXT = 32 * 1024 * 1024;
const DEEPEST = 64;

export function readJson(text: string): JsonRead {
  if (text.length > LARGEST_TEXT) return bad('too-large', 'it is larger than 32 MB');
  if (text.trim() === '') return bad('empty', 'it is empty');
  if (text.includes('\0')) return bad('nul', 'it contains NUL bytes, as a file may after a power failure');
  const conflict = conflictLine(text);
  if (conflict !== undefined) return bad('conflict', `it has a git conflict at line ${conflict}`);
  const shape = scan(text);
  if (shape !== undefined) return shape;
  try {
    return { kind: 'value', value: JSON.parse(text) };
  } catch (error) {
    return bad('not-json', `it is not JSON (${showName(error instanceof Error ? error.message : String(error))})`);
  }
}

/** Markers of the merge, diff3 and zdiff3 styles. No line of JSON starts like that. */
function conflictLine(text: string): number | undefined {
  const match = /^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)/m.exec(text);
  return match === null ? undefined : text.slice(0, match.index).split('\n').length;
}

interface Level {
  readonly keys: Set<string> | undefined;
  expectsKey: boolean;
}

/** One pass over the text for what JSON.parse does not report: depth, repeated keys, and a missing end. */
function scan(text: string): Extract<JsonRead, { kind: 'bad' }> | undefined {
  const levels: Level[] = [];
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|"/gsu;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [piece] = match;
    const level = levels.at(-1);
    if (piece === '"') return bad('truncated', 'it ends inside a string');
    if (piece === '{' || piece === '[') {
      levels.push({ keys: piece === '{' ? new Set() : undefined, expectsKey: piece === '{' });
      if (levels.length > DEEPEST) return bad('too-deep', `it is nested more than ${DEEPEST} levels deep`);
    } else if (piece === '}' || piece === ']') levels.pop();
    else if (piece === ',' && level?.keys !== undefined) level.expectsKey = true;
    else if (piece.startsWith('"') && level?.keys !== undefined && level.expectsKey) {
      if (level.keys.has(piece))
        return bad('duplicate-key', `an object repeats the key "${showName(piece.slice(1, -1))}"`);
      level.keys.add(piece);
      level.expectsKey = false;
    }
  }
  return levels.length > 0 ? bad('truncated', 'its end is missing') : undefined;
}

function bad(code: JsonProblem, why: string): Extract<JsonRead, { kind: 'bad' }> {
  return { kind: 'bad', code, why };
}
