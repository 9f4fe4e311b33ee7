// What an agent may do without asking. The file of each program translates this into its settings.

import { quoteForShell } from '../text/shell.ts';
import type { StartRequest } from './agent.ts';
import { type AllowedCommand, allowedByProfile, isLiteral, type Permissions } from './permissions.ts';

export function permissionsIn({ grants }: StartRequest): Permissions {
  return grants?.permissions ?? 'edits';
}

export function allowedCommands(request: StartRequest): readonly AllowedCommand[] {
  const asks = permissionsIn(request) === 'ask';
  const open = [
    ...(asks
      ? []
      : [
          ['git', 'add'],
          ['git', 'commit'],
        ]),
    [...request.cadre, 'signal'],
    // Reviewers need to see the changes, and git's own commands for that can also write files anywhere.
    [...request.cadre, 'diff'],
  ];
  const exact = asks || request.verify === null || request.verify.length === 0 ? [] : [request.verify];
  return [
    ...open.map((argv) => ({ text: quoteForShell(argv), open: true })),
    ...exact.map((argv) => ({ text: quoteForShell(argv), open: false })),
    ...(request.grants?.allow ?? []).map(allowedByProfile),
  ].filter(({ text }) => isLiteral(text));
}

/** The command that a program's hook runs to report to cadre. */
export function hookCommand(request: StartRequest): readonly string[] {
  return [...request.cadre, 'hook', request.session];
}
