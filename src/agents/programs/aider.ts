// Aider.

import { quoteForShell } from '../../text/shell.ts';
import type { Agent, Report, Start, StartRequest } from '../agent.ts';
import { hookCommand } from '../grants.ts';
import { isBlank } from '../hand-over.ts';
import { matchScreen, NEVER, type ScreenPatterns } from '../screen/screen.ts';

/**
 * It edits and commits, but runs no commands: with --yes-always it refuses every command that the model suggests. So it
 * cannot run `cadre signal`, and sends signals as sentinel files, which it can create.
 */
export const aider: Agent = {
  name: 'aider',
  keeps: ['.aider', '.aider.conf.yml', '.aider.model.settings.yml', '.aider.model.metadata.json'],
  basis: 'Based on its documentation only; not tested, and the sample screens are written from the documentation.',
  start: (request) => startWith(request, (file) => ['--read', file], 'input'),
  headless: (request) =>
    isBlank(request.prompt) ? undefined : startWith(request, (file) => ['--message-file', file], 'file'),
  // It restores a conversation from its history, which is in the folder of the earlier session.
  resume: () => undefined,
  resumeHeadless: () => undefined,
  readScreen: (screen) => matchScreen(PATTERNS, screen),
  readReport,
};

function startWith(request: StartRequest, given: (file: string) => readonly string[], prompt: 'input' | 'file'): Start {
  const path = `${request.folder}/prompt.md`;
  // A message that starts with "/" or "!" would be a command, even in a file.
  const files = isBlank(request.prompt) ? [] : [{ path, text: `Your task:\n\n${request.prompt}` }];
  const argv = [
    request.program,
    ...OPTIONS,
    ...['--notifications', '--notifications-command', quoteForShell([...hookCommand(request), HOOK_WORD])],
    // By default they are in the worktree and would be committed.
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
  // By default it skips the repository's git hooks.
  '--git-commit-verify',
  '--no-suggest-shell-commands',
  // By default it changes .gitignore, and fetches every URL in a text.
  '--no-gitignore',
  '--no-detect-urls',
  '--no-check-update',
  '--no-show-release-notes',
];

/** Its hook is a plain command that runs when the program waits for input, so this word says what happened. */
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
