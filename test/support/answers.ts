// Holds what the built program prints with --json to the schemas that docs/json.md is generated from.
import { ANSWERS, ERROR } from '../../src/surfaces/cli/json/answers.ts';

/** Throws where a line is not what the schema of the command promises. */
export function checkAnswer(argv: readonly string[], stdout: string): void {
  if (!argv.includes('--json') || stdout.trim() === '') return;
  const spec = specOf(argv);
  for (const line of stdout.trimEnd().split('\n')) {
    if (UNSAFE.test(line))
      throw new Error(`"cadre ${argv.join(' ')}" printed a character that acts on a terminal: ${line}`);
    const value: unknown = JSON.parse(line);
    const isError = typeof value === 'object' && value !== null && 'error' in value;
    // A mistyped command has no schema, and prints an error.
    const schema = isError ? ERROR : spec?.schema;
    if (schema === undefined) throw new Error(`"cadre ${argv.join(' ')}" has no schema and printed ${line}`);
    const result = schema.safeParse(value);
    if (!result.success)
      throw new Error(`"cadre ${argv.join(' ')}" printed what its schema does not allow:\n${result.error}\n${line}`);
  }
}

const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]/u;

function specOf(argv: readonly string[]) {
  const words = argv.filter((word) => !word.startsWith('-'));
  return ANSWERS[`${words[0]} ${words[1]}`] ?? ANSWERS[words[0] ?? ''];
}
