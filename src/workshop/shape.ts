// Shapes that a JSON value is checked against. Every violation says where, what is wrong, and what is expected.

import { showName } from '../text/show.ts';
import { isMisspelt } from '../text/similar-words.ts';

/** `at` is a path such as "work.tasks[2].kind". */
type Report = (at: string, violation: string) => void;

export interface Shape<T> {
  /** Completes "expected ...". */
  readonly expected: string;
  check(value: unknown, at: string, report: Report): value is T;
}

export interface OptionalShape<T> extends Shape<T> {
  readonly optional: true;
}

/** No control characters apart from tabs and line ends, no other separators of lines, and no halves of characters. */
export const PLAIN_TEXT = /^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]*$/u;

export function textShape(most: number, what = 'a text'): Shape<string> {
  const expected = `${what} of at most ${most} characters`;
  return shape(expected, (value, at, report): value is string => {
    const wrong = whatIsWrongWithText(value, most);
    if (wrong !== undefined) report(at, `${wrong}; expected ${expected}`);
    return wrong === undefined;
  });
}

function whatIsWrongWithText(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string') return `found ${kindOf(value)}`;
  if (value.trim() === '') return 'the text is empty';
  if (value.length > most) return `the text has ${value.length} characters`;
  return PLAIN_TEXT.test(value) ? undefined : 'the text contains a control character or an invalid one';
}

/** A text that names something. */
export function nameShape(pattern: RegExp, expected: string): Shape<string> {
  return shape(expected, (value, at, report): value is string => {
    const isName = typeof value === 'string' && pattern.test(value);
    const found = typeof value === 'string' ? `"${showName(value)}" is not valid` : `found ${kindOf(value)}`;
    if (!isName) report(at, `${found}; expected ${expected}`);
    return isName;
  });
}

export function flagShape(): Shape<boolean> {
  return shape('true or false', (value, at, report): value is boolean => {
    const isFlag = typeof value === 'boolean';
    if (!isFlag) report(at, `found ${kindOf(value)}; expected true or false`);
    return isFlag;
  });
}

export function wordShape<Word extends string>(words: readonly Word[]): Shape<Word> {
  const expected = `one of ${words.map((word) => `"${word}"`).join(', ')}`;
  return shape(expected, (value, at, report): value is Word => {
    if (typeof value === 'string' && words.some((word) => word === value)) return true;
    const near = typeof value === 'string' ? nearest(value, words) : undefined;
    const found = typeof value === 'string' ? `found "${showName(value)}"` : `found ${kindOf(value)}`;
    report(at, `${found}; expected ${expected}${didYouMean(near)}`);
    return false;
  });
}

export function listOf<T>(item: Shape<T>, least: number, most: number): Shape<readonly T[]> {
  const count = least === 0 ? `at most ${most}` : `${least} to ${most}`;
  const expected = `a list of ${count} entries, each ${item.expected}${least === 0 ? ' ([] if there are none)' : ''}`;
  return shape(expected, (value, at, report): value is readonly T[] => {
    if (!Array.isArray(value)) {
      report(at, `found ${kindOf(value)}; expected ${expected}`);
      return false;
    }
    const fits = value.length >= least && value.length <= most;
    if (!fits) report(at, `the list has ${value.length} entries; expected ${count}`);
    const checked = value.slice(0, most).map((entry, index) => item.check(entry, `${at}[${index}]`, report));
    return fits && checked.every(Boolean);
  });
}

export function optional<T>({ expected, check }: Shape<T>): OptionalShape<T> {
  return { expected, check, optional: true };
}

type Fields<T> = {
  readonly [Key in keyof T]-?: undefined extends T[Key] ? OptionalShape<Exclude<T[Key], undefined>> : Shape<T[Key]>;
};

/** `explain` says more about a key that does not belong here than that it is unknown. */
export function objectOf<T extends object>(
  fields: Fields<T>,
  explain: (key: string) => string | undefined = () => undefined,
): Shape<T> {
  const entries: readonly (readonly [string, Shape<unknown>])[] = Object.entries(fields);
  const keys = entries.map(([key]) => key);
  const expected = `an object with ${keys.map((key) => `"${key}"`).join(', ')}`;
  return shape(expected, (value, at, report): value is T => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      report(at, `found ${kindOf(value)}; expected ${expected}`);
      return false;
    }
    const given = new Map<string, unknown>(Object.entries(value));
    const unknown = [...given.keys()].filter((key) => !keys.includes(key));
    for (const key of unknown) report(below(at, key), explain(key) ?? unknownKey(key, keys));
    const checked = entries.map(([key, field]) => {
      if (given.has(key)) return field.check(given.get(key), below(at, key), report);
      const isMissing = !('optional' in field);
      if (isMissing) report(below(at, key), `missing; expected ${field.expected}`);
      return !isMissing;
    });
    return unknown.length === 0 && checked.every(Boolean);
  });
}

function shape<T>(expected: string, check: Shape<T>['check']): Shape<T> {
  return { expected, check };
}

function below(at: string, key: string): string {
  const step = /^[A-Za-z_]\w{0,60}$/.test(key) ? key : `"${showName(key)}"`;
  return at === '' ? step : `${at}.${step}`;
}

function unknownKey(key: string, keys: readonly string[]): string {
  const near = nearest(key, keys);
  const known = keys.map((one) => `"${one}"`).join(', ');
  return near === undefined ? `unknown key; expected only ${known}` : `unknown key${didYouMean(near)}`;
}

function didYouMean(near: string | undefined): string {
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

function nearest(typed: string, words: readonly string[]): string | undefined {
  const bare = withoutSeparators(typed.slice(0, 60));
  const also = ALSO.get(bare) ?? [];
  return (
    words.find((word) => withoutSeparators(word) === bare) ??
    words.find((word) => isMisspelt(bare, withoutSeparators(word))) ??
    words.find((word) => also.includes(word))
  );
}

function withoutSeparators(word: string): string {
  return word.toLowerCase().replace(/[\s_.-]+/g, '');
}

/** What else people and models call the keys and words of these documents. */
const ALSO: ReadonlyMap<string, readonly string[]> = new Map([
  ['dependson', ['depends']],
  ['dependencies', ['depends']],
  ['requires', ['depends']],
  ['files', ['file_plan']],
  ['phase', ['milestone']],
  ['phases', ['milestones']],
  ['name', ['title']],
  ['type', ['kind', 'intent']],
  ['action', ['intent']],
  ['command', ['run']],
  ['expected', ['expect']],
  ['message', ['commit']],
  ['commitmessage', ['commit']],
  ['details', ['description', 'text']],
  ['body', ['description', 'text']],
  ['description', ['text']],
  ['question', ['text']],
  ['reason', ['why']],
  ['options', ['suggestions']],
  ['criteria', ['acceptance_criteria']],
  ['dont', ['avoid']],
  ['donot', ['avoid']],
  ['modify', ['update']],
  ['edit', ['update']],
  ['change', ['update']],
  ['add', ['create']],
  ['new', ['create']],
  ['remove', ['delete']],
  ['read', ['reference']],
  ['bug', ['fix']],
  ['bugfix', ['fix']],
  ['feat', ['feature']],
  ['doc', ['docs']],
  ['documentation', ['docs']],
  ['tests', ['test']],
]);

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return KINDS[typeof value] ?? typeof value;
}

const KINDS: { readonly [kind: string]: string } = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
};
