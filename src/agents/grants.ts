// What an agent may do without asking, in addition to editing its worktree. The file of each program translates this into its settings.

import { quoteForShell } from '../text/shell.ts';
import type { StartRequest } from './agent.ts';

export interface AllowedCommand {
  /** As typed in a shell. */
  readonly text: string;
  /** Whether further arguments may follow. */
  readonly open: boolean;
}

/**
 * Without characters that some program reads as a pattern, the end of a rule or the start of the next one. A command that
 * contains one would allow other commands too, so it gets no rule, and the program asks.
 */
export function isLiteral(text: string): boolean {
  return !/[*?,()[\]{}\\]|\p{C}/u.test(text);
}

export function allowedCommands(request: StartRequest): readonly AllowedCommand[] {
  const open = [
    ['git', 'add'],
    ['git', 'commit'],
    [...request.cadre, 'signal'],
    // Reviewers need to see the changes, and git's own commands for that can also write files anywhere.
    [...request.cadre, 'diff'],
  ];
  const exact = request.verify === null || request.verify.length === 0 ? [] : [request.verify];
  return [
    ...open.map((argv) => ({ text: quoteForShell(argv), open: true })),
    ...exact.map((argv) => ({ text: quoteForShell(argv), open: false })),
  ].filter(({ text }) => isLiteral(text));
}

/** The command that a program's hook runs to report to cadre. */
export function hookCommand(request: StartRequest): readonly string[] {
  return [...request.cadre, 'hook', request.session];
}
