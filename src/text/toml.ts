// Strings for settings in TOML.

/** A JSON string is a TOML string, except for one character that TOML requires to be escaped. */
export function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}
