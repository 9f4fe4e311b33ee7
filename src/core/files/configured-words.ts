// The words of a command that cadre.json has as one text.
import { splitCommand } from '../../text/command-line.ts';
import { showName } from '../../text/show.ts';

export type ConfiguredWords =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'problem'; readonly why: string };

export function wordsOf(key: 'verify' | 'setup', text: string): ConfiguredWords {
  const command = splitCommand(text);
  const shown = `"${showName(text)}"`;
  if (command === undefined) return { kind: 'problem', why: `"${key}" in cadre.json has an unclosed quote: ${shown}.` };
  if (needsShell(text))
    return {
      kind: 'problem',
      why: `"${key}" in cadre.json needs a shell: ${shown}. Write it as a list of words: ["sh", "-c", "..."].`,
    };
  return { kind: 'words', words: [command.program, ...command.flags] };
}

/** Unquoted, these mean something to a shell; without one, the program would receive them as arguments. */
function needsShell(text: string): boolean {
  const bare = text.replace(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g, '');
  return /[|&;<>`$()*?~]/.test(bare) || /^\s*\w+=/.test(bare) || /"[^"]*[$`]/.test(text.replace(/'[^']*'/g, ''));
}
