// Splits a program with its flags, as typed by a person, into words.

export interface CommandLine {
  readonly program: string;
  readonly flags: readonly string[];
}

const WORD = /^(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s'"\\])+/;

/** Splits like a shell, with quotes and backslashes only. Undefined if there is no program or a quote is not closed. */
export function splitCommand(text: string): CommandLine | undefined {
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const [word] = WORD.exec(rest) ?? [];
    if (word === undefined) return undefined;
    words.push(unquoted(word));
    rest = rest.slice(word.length).trimStart();
  }
  const [program, ...flags] = words;
  return program === undefined || program === '' ? undefined : { program, flags };
}

function unquoted(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  );
}
