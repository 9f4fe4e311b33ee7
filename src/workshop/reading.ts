// Reads a document of a planner in three stages: JSON, structure, meaning. Each is checked only if the one before holds.
import { readJsonDocument } from './json-document.ts';
import type { Shape } from './shape.ts';

/** A document, or what is wrong with it: each violation says where, what, and what is expected. */
export type Read<T> =
  | { readonly ok: true; readonly document: T }
  | { readonly ok: false; readonly violations: readonly string[] };

export function readDocument<T>(
  text: string,
  shape: Shape<T>,
  canonical: (document: T) => T,
  check: (document: T) => readonly string[],
): Read<T> {
  const json = readJsonDocument(text);
  if (!json.ok) return { ok: false, violations: [json.violation] };
  const structure = readStructure(json.value, shape);
  if (!structure.ok) return { ok: false, violations: limited(structure.violations) };
  const document = canonical(structure.document);
  const violations = check(document);
  return violations.length === 0 ? { ok: true, document } : { ok: false, violations: limited(violations) };
}

/** With every violation of the structure, however many there are. */
export function readStructure<T>(value: unknown, shape: Shape<T>): Read<T> {
  const violations: string[] = [];
  const report = (at: string, violation: string): void => {
    violations.push(`${at === '' ? 'the document' : at}: ${violation}`);
  };
  return shape.check(value, '', report) ? { ok: true, document: value } : { ok: false, violations };
}

/** More of them at once do not help anyone to repair the document. */
const MOST_LISTED = 20;

function limited(violations: readonly string[]): readonly string[] {
  const rest = violations.length - MOST_LISTED;
  if (rest <= 0) return violations;
  return [
    ...violations.slice(0, MOST_LISTED),
    `${rest} more ${rest === 1 ? 'violation is' : 'violations are'} not listed`,
  ];
}
