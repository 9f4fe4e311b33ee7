// Aider.

import { quoteForShell } from '../../text/shell.ts';
import type { Agent, Report, Start, StartRequest } from '../agent.ts';
import { hookCommand } from '../grants.ts';
import { isBlank } from '../hand-over.ts';
import { matchScreen, NEVER, type ScreenPatterns } from '../screen/screen.ts';

/**
 * It edits and commits by itself and runs nothing: with --yes-always it takes every command that the model suggests for
 * refused. So it cannot run `cadre signal`, and speaks by sentinel files, which it can make.
 */
export const aider: Agent = {
  name: 'aider',
  basis: 'Its documentation alone; it was not tried, and its screens are written after what is documented.',
  start: (request) => startWith(request, (file) => ['--read', file], 'input'),
  headless: (request) =>
    isBlank(request.prompt) ? undefined : startWith(request, (file) => ['--message-file', file], 'file'),
  // It restores a conversation from its history, which lies in the folder of the session that had it.
  resume: () => undefined,
  resumeHeadless: () => undefined,
  readScreen: (screen) => matchScreen(PATTERNS, screen),
  readReport,
};

function startWith(request: StartRequest, given: (file: string) => readonly string[], prompt: 'input' | 'file'): Start {
  const path = `${request.folder}/prompt.md`;
  // A message that began with "/" or "!" would be a command, in a file too.
  const files = isBlank(request.prompt) ? [] : [{ path, text: `Your task:\n\n${request.prompt}` }];
  const argv = [
    request.program,
    ...OPTIONS,
    ...['--notifications', '--notifications-command', quoteForShell([...hookCommand(request), HOOK_WORD])],
    // Else they would lie in the worktree and be committed.
    ...['--chat-history-file', `${request.folder}/aider.chat.history.md`],
    ...['--input-history-file', `${request.folder}/aider.input.history`],
    ...request.flags,
    ...files.flatMap((file) => given(file.path)),
  ];
  return { argv, env: {}, files, prompt };
}

const OPTIONS: readonly string[] = [
  '--yes-always',
  '--auto-commits',
  // It would pass over the repository's own checks.
  '--git-commit-verify',
  '--no-suggest-shell-commands',
  // It would change .gitignore, and fetch pages that a text names.
  '--no-gitignore',
  '--no-detect-urls',
  '--no-check-update',
  '--no-show-release-notes',
];

/** Its hook is a bare command, called when the program waits for input; so it is given a word to say. */
const HOOK_WORD = 'turn-finished';

function readReport(payload: string): Report {
  return { kind: payload === HOOK_WORD ? 'turn-finished' : 'nothing' };
}

const PATTERNS: ScreenPatterns = {
  input: /^(?:[a-z]+(?: multi)?|multi)?>$|^[░█]/,
  isRuledOff: false,
  footer: NEVER,
  spinner: /^[░█][░█ ]* (?:Waiting for|Updating)\b/,
  busyFooter: NEVER,
  quota: /^litellm\.RateLimitError\b/,
  until: /\btry again (?:at|in) ([^.\n]+)/,
  trustAnswer: NEVER,
  quotaAnswer: NEVER,
  hint: NEVER,
  answerRow: /^(?<question>.*\?) \(Y\)es\/\(N\)o\S* ?(?:\S.* )?\[(?:Yes|No)\]:$/,
  questionHead: NEVER,
};
