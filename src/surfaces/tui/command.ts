// Runs a line of the interface's command line with the commands of the CLI, and collects what they print.
import type { Context, ExitCode } from '../cli/context.ts';
import { type ParsedLine, parseCommandLine } from './command-line.ts';
import { type Command, perform } from './model/commands.ts';

export interface CommandSurroundings {
  /** Runs a command of the CLI; `around` takes what it prints and asks. */
  command(argv: readonly string[], around: Around): Promise<ExitCode>;
}

export type Around = Pick<
  Context,
  'print' | 'say' | 'ask' | 'prompt' | 'edit' | 'isTerminal' | 'readInput' | 'runHere'
>;

export type LineResult =
  | { readonly kind: 'printed'; readonly line: string; readonly ok: boolean; readonly lines: readonly string[] }
  | { readonly kind: 'command'; readonly command: Command };

export async function runLine(
  { command }: CommandSurroundings,
  text: string,
  messages: readonly string[],
  ask: (question: string) => Promise<boolean>,
): Promise<LineResult> {
  const parsed = parseCommandLine(text);
  const own = ownResult(parsed, text, messages);
  if (own !== undefined || parsed.kind !== 'command') return own ?? printed(text, true, []);
  const lines: string[] = [];
  const take = (printedText: string): void => void lines.push(...printedText.split('\n'));
  const code = await command(parsed.argv, {
    print: take,
    say: take,
    ask,
    isTerminal: () => false,
    // Nobody is at the terminal of a command that runs inside the interface.
    prompt: async () => undefined,
    edit: async () => undefined,
    readInput: async () => '',
    runHere: async () => 1,
  });
  return printed(text, code === 0, lines);
}

function ownResult(parsed: ParsedLine, text: string, messages: readonly string[]): LineResult | undefined {
  switch (parsed.kind) {
    case 'quit':
      return { kind: 'command', command: { do: 'quit' } };
    case 'messages':
      return printed(
        text,
        true,
        messages.length === 0 ? ['No messages yet.'] : ['Messages, newest last:', ...messages],
      );
    case 'mistake':
      return printed(text, false, [parsed.message]);
    case 'attach':
      return { kind: 'command', command: { do: 'attach', session: parsed.session } };
    case 'run':
      return { kind: 'command', command: perform({ do: 'run', on: parsed.on, input: { headless: false } }) };
    case 'command':
      return undefined;
  }
}

function printed(line: string, ok: boolean, lines: readonly string[]): LineResult {
  return { kind: 'printed', line, ok, lines };
}
