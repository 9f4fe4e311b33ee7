// What a file says to people: a document without its examples, or the comments and texts of source code.

/** Words of the glossary's "not" column that have no other use. */
export const WORDS_TO_AVOID =
  /\b(?:begun|began|whoever|stands|tells|lies|any more|goes on|by itself|of its own(?! \w)|at work|made anew|nothing of it|in vain|taken back|given up|put aside|brought along|looked into)\b/gi;

/** Names in code are not prose: single words in quotes and what templates insert are left out. */
export function proseOf(path: string, text: string): string {
  if (path.endsWith('.md')) return text.replace(/^(`{3,})[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
  const parts = [...text.matchAll(COMMENT_OR_TEXT)].map(([part]) => part);
  return parts
    .filter((part) => !/^(['"`])[\w.-]+\1$/.test(part))
    .map((part) => part.replace(/\$\{[^{}]*\}/g, ''))
    .join('\n');
}

const COMMENT_OR_TEXT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
