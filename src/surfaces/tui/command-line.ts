// A line typed after ":" as the arguments of a command. A brief and an answer need no quotes.
import { splitCommand } from '../../text/command-line.ts';
import { COMMANDS } from '../cli/table/table.ts';

export type ParsedLine =
  | { readonly kind: 'quit' }
  | { readonly kind: 'messages' }
  | { readonly kind: 'run'; readonly on: string | undefined }
  | { readonly kind: 'attach'; readonly session: string }
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  | { readonly kind: 'mistake'; readonly message: string };

export function parseCommandLine(line: string): ParsedLine {
  const text = line
    .trim()
    .replace(/^[:/]\s*/, '')
    .replace(/^cadre\s+/, '');
  const [first = '', second = ''] = text.split(/\s+/, 2);
  if (first === 'q' || first === 'quit' || first === 'exit') return { kind: 'quit' };
  if (first === 'messages') return { kind: 'messages' };
  if (ELSEWHERE.has(first)) return { kind: 'mistake', message: `"cadre ${first}" needs another terminal.` };
  if (first === 'plan' && !isCommand(`plan ${second}`)) return brief(text.slice(first.length).trim());
  if (first === 'answer') return withText(text, 2);
  const words = splitCommand(text);
  if (words === undefined) return { kind: 'mistake', message: 'A quote is not closed.' };
  const argv = [words.program, ...words.flags];
  if (first === 'run' && argv.length <= 2) return { kind: 'run', on: argv[1] };
  if (first === 'session' && second === 'attach') return { kind: 'attach', session: argv[2] ?? '' };
  return { kind: 'command', argv };
}

/** These follow something until they are stopped, or speak for an agent. */
const ELSEWHERE: ReadonlySet<string> = new Set(['watch', 'demo', 'signal', 'hook', 'repl']);

function isCommand(name: string): boolean {
  return COMMANDS.some((command) => command.name === name);
}

function brief(text: string): ParsedLine {
  if (text === '') return { kind: 'mistake', message: 'Say what the plan is for: ":plan a dark theme".' };
  const unquoted = /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;
  return { kind: 'command', argv: ['plan', 'new', unquoted] };
}

/** The words from the third on are one text, unless they are quoted or options. */
function withText(text: string, names: number): ParsedLine {
  const words = splitCommand(text);
  const isPlain = !/["']/.test(text) && !/\s-/.test(text);
  if (!isPlain && words !== undefined) return { kind: 'command', argv: [words.program, ...words.flags] };
  const parts = text.split(/\s+/);
  const rest = parts.slice(names).join(' ');
  return { kind: 'command', argv: [...parts.slice(0, names), ...(rest === '' ? [] : [rest])] };
}
