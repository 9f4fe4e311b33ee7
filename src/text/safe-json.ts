// Writes JSON that is safe to print on a terminal: every character that acts on one, or that nobody sees, is escaped.

/** The value is the same for everyone who parses it. JSON.stringify itself escapes only C0 and lone surrogates. */
export function safeJson(value: unknown): string {
  const json = JSON.stringify(value);
  // V8 takes a millisecond to build the other expression, and most texts do not need it.
  return /[^\x20-\x7e]/.test(json) ? withoutUnseen(json) : json;
}

/** Control and format characters, among them C1 and direction changes; separators of lines; zero-width characters. */
function withoutUnseen(json: string): string {
  return json.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, escapedUnits);
}

/** JSON escapes UTF-16 units, so a character beyond the first 65,536 takes two escapes. */
function escapedUnits(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    const unit = character.charCodeAt(at).toString(16).padStart(4, '0');
    return `\\u${unit}`;
  }).join('');
}
