// What programs hand to their hooks: text that is meant to be JSON, and may be anything.

/** The fields of a JSON object; of anything else, none. */
export function fieldsOf(payload: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(payload);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
    return new Map(Object.entries(value));
  } catch {
    return new Map();
  }
}
