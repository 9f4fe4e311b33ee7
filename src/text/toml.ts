// Texts for settings in TOML.

/** JSON's texts are TOML's, but for one character that TOML wants escaped. */
export function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}
