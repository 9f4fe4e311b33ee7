// What programs pass to their hooks: text that should be JSON, but may be anything.

/** The fields of a JSON object; empty for anything else. */
export function fieldsOf(payload: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(payload);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
    return new Map(Object.entries(value));
  } catch {
    return new Map();
  }
}
