// How the demo prints: headings, remarks and indented output, and nothing with --json.
import type { Context } from '../context.ts';

export type Print = (...lines: readonly string[]) => void;

/** Prints nothing with --json, and never two empty lines in a row. */
export function printer(context: Context): Print {
  let last = '';
  return (...lines) => {
    for (const line of context.json ? [] : lines) {
      if (line !== '' || last !== '') context.print(line);
      last = line;
    }
  };
}

export const SILENT: Print = () => undefined;

/** Of explanations, in characters. */
export const WIDTH = 100;

export function heading(text: string): readonly string[] {
  return ['', `== ${text}`, ''];
}

/** Indented, unlike the lines of progress around it. */
export function remark(lines: readonly string[]): readonly string[] {
  return ['', ...lines.map((line) => `          ${line}`.trimEnd()), ''];
}

export function indented(line: string): string {
  return `   ${line}`.trimEnd();
}
