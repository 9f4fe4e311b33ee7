// What an agent may do without asking, besides editing in its worktree. Every agent's file says this in its program's words.

import { quoteForShell } from '../text/shell.ts';
import type { StartRequest } from './agent.ts';

export interface AllowedCommand {
  /** As one types it. */
  readonly text: string;
  /** Whether more arguments may follow. */
  readonly open: boolean;
}

/**
 * What one of the programs takes for a pattern, for the end of a rule or for the next one. A command with such a character
 * would be a rule for other commands too, so it gets none: the program then asks.
 */
const SPECIAL = /[*?,()[\]{}\\]|\p{C}/u;

export function isLiteral(text: string): boolean {
  return !SPECIAL.test(text);
}

export function allowedCommands(request: StartRequest): readonly AllowedCommand[] {
  const open = [
    ['git', 'add'],
    ['git', 'commit'],
    [...request.cadre, 'signal'],
    // Whoever reviews has to see what was changed, and git's own commands for that can also write files anywhere.
    [...request.cadre, 'diff'],
  ];
  const exact = request.verify === null || request.verify.length === 0 ? [] : [request.verify];
  return [
    ...open.map((argv) => ({ text: quoteForShell(argv), open: true })),
    ...exact.map((argv) => ({ text: quoteForShell(argv), open: false })),
  ].filter(({ text }) => isLiteral(text));
}

/** The command with which a program's hook reports to cadre. */
export function hookCommand(request: StartRequest): readonly string[] {
  return [...request.cadre, 'hook', request.session];
}
