// What to say when the tests cannot run in a new worktree: which command prepared it, and how to name one.
import { quoteForShell } from '../../text/shell.ts';

export function preparationWords(setup: readonly string[]): string {
  return setup.length === 0
    ? 'No setup command ran in it. If the tests need dependencies, set "setup" in cadre.json to the command that installs them, such as "npm ci".'
    : `It was set up with "${quoteForShell(setup)}"; if that is not enough, set "setup" in cadre.json to another command.`;
}

/** What shells, Node, Python and Ruby print when a program or a package is missing. */
const MISSING =
  /: (?:command )?not found\b|Cannot find (?:module|package)\b|ERR_MODULE_NOT_FOUND|No module named\b|ModuleNotFoundError|cannot load such file|Could not find gem/;

export function looksUnprepared(output: string): boolean {
  return MISSING.test(output);
}
