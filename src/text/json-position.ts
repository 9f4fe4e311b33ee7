// Finds the first mistake in JSON that people write by hand: JSON.parse of Node 20 does not always give its position.

export interface JsonMistake {
  readonly line: number;
  readonly column: number;
  /** What is wrong there, to end a sentence with. */
  readonly why: string;
}

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

interface Level {
  readonly end: '}' | ']';
  readonly keys: Set<string>;
}

const TOKEN =
  /\s*("(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b|[{}[\]:,])/y;

const WANTED: Readonly<Record<Expected, string>> = {
  value: 'a value is expected',
  'value or end': 'a value or "]" is expected',
  key: 'a name in double quotes is expected',
  'key or end': 'a name in double quotes or "}" is expected',
  colon: '":" is expected',
  'comma or end': '"," or the end is expected',
  nothing: 'nothing more is expected',
};

/** The first mistake; undefined if the text is JSON and no object repeats a name. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  const levels: Level[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[1];
    const start = text.length - text.slice(at).trimStart().length;
    if (token === undefined)
      return start === text.length && expected === 'nothing' ? undefined : mistakeAt(text, start, WANTED[expected]);
    const level = levels.at(-1);
    const next = step(expected, token, level);
    if (next === undefined) return mistakeAt(text, start, WANTED[expected]);
    if (expected.startsWith('key') && token.startsWith('"')) {
      if (level?.keys.has(token)) return mistakeAt(text, start, `the name ${token} appears twice`);
      level?.keys.add(token);
    }
    if (token === '{' || token === '[') levels.push({ end: token === '{' ? '}' : ']', keys: new Set() });
    if (token === '}' || token === ']') levels.pop();
    expected = next === 'comma or end' && levels.length === 0 ? 'nothing' : next;
    at = TOKEN.lastIndex;
  }
}

/** What is expected after the token; undefined if the token itself is not expected. */
function step(expected: Expected, token: string, level: Level | undefined): Expected | undefined {
  const ends = token === level?.end;
  switch (expected) {
    case 'value or end':
      return ends ? 'comma or end' : valueStep(token);
    case 'value':
      return valueStep(token);
    case 'key or end':
      return ends ? 'comma or end' : token.startsWith('"') ? 'colon' : undefined;
    case 'key':
      return token.startsWith('"') ? 'colon' : undefined;
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'comma or end':
      return ends ? 'comma or end' : token === ',' ? (level?.end === '}' ? 'key' : 'value') : undefined;
    case 'nothing':
      return undefined;
  }
}

function valueStep(token: string): Expected | undefined {
  if (token === '{') return 'key or end';
  if (token === '[') return 'value or end';
  return /^[}\],:]$/.test(token) ? undefined : 'comma or end';
}

function mistakeAt(text: string, offset: number, why: string): JsonMistake {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, why };
}
