// Gemini CLI.

import { tomlText } from '../../text/toml.ts';
import type { Agent, FileToWrite, Start, StartRequest } from '../agent.ts';
import { allowedCommands, permissionsIn } from '../grants.ts';
import { handOver, headlessStart } from '../hand-over.ts';
import { matchScreen, NEVER, type ScreenPatterns } from '../screen/screen.ts';

/**
 * Hooks can only be set up in settings files, and a settings file for one session would replace the administrator's. So
 * there are no hooks, and cadre reads the screen.
 */
export const gemini: Agent = {
  name: 'gemini',
  keeps: ['.gemini'],
  basis:
    'Tested with gemini-cli 0.61.0 (npm run test:agents), except --resume and the quota screens, which are based on its documentation.',
  start: (request) => startWith(request, [], ['-i']),
  headless: (request) => headlessStart(request, () => startWith(request, ['-o', 'json'], ['-p'])),
  resume: (request) => startWith(request, ['--resume', 'latest'], []),
  resumeHeadless: (request) =>
    headlessStart(request, () => startWith(request, ['--resume', 'latest', '-o', 'json'], ['-p'])),
  readScreen: (screen) => matchScreen(PATTERNS, screen),
  readReport: () => ({ kind: 'nothing' }),
};

function startWith(request: StartRequest, mode: readonly string[], option: readonly string[]): Start {
  const { argument, prompt, files } = handOver(request);
  const policy = policyFile(request);
  const argv = [
    request.program,
    ...(request.trusted ? ['--skip-trust'] : []),
    ...['--approval-mode', MODES[permissionsIn(request)], '--policy', policy.path],
    // It may read and edit only in its worktree and in included folders.
    ...(request.trusted || files.length > 0 || request.reads.length > 0 ? included(request) : []),
    ...request.flags,
    ...mode,
    ...(argument === undefined ? [] : [...option, argument]),
  ];
  const start: Start = { argv, env: identity(request), files: [policy, ...files], prompt };
  return request.trusted ? withTrustedMessages(request, start) : start;
}

const MODES = { ask: 'default', edits: 'auto_edit', all: 'yolo' } as const;

function included({ messages, reads }: StartRequest): readonly string[] {
  return [messages, ...reads].flatMap((folder) => ['--include-directories', folder]);
}

/** Not --allowed-tools: everything else would be refused without a question. */
function policyFile(request: StartRequest): FileToWrite {
  const rules = allowedCommands(request).map(({ text, open }) => {
    const command = open ? `commandPrefix = ${tomlText(text)}` : `commandRegex = ${tomlText(exactly(text))}`;
    return `[[rule]]\ntoolName = "run_shell_command"\n${command}\ndecision = "allow"\npriority = 100\n`;
  });
  return { path: `${request.folder}/gemini-policy.toml`, text: rules.join('\n') };
}

/** The program matches it against the start of a JSON string, so the quote marks the end of the command. */
function exactly(text: string): string {
  return `${JSON.stringify(text)
    .slice(1, -1)
    .replace(/[.+^$|/\\-]/g, '\\$&')}"`;
}

/** Its shell sees only the repository's git settings and the environment, so git would not know the identity. */
function identity(request: StartRequest): Readonly<Record<string, string>> {
  const author = request.author();
  if (author === null) return {};
  return {
    GIT_CONFIG_COUNT: '2',
    ...{ GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: author.name },
    ...{ GIT_CONFIG_KEY_1: 'user.email', GIT_CONFIG_VALUE_1: author.email },
  };
}

/** The program asks about an included folder even if everything is trusted, unless this file lists it. */
function withTrustedMessages(request: StartRequest, start: Start): Start {
  const path = `${request.folder}/gemini-trusted-folders.json`;
  const folders = [request.messages, ...request.reads].map((folder) => [folder, 'TRUST_FOLDER']);
  const text = `${JSON.stringify(Object.fromEntries(folders))}\n`;
  const env = { ...start.env, GEMINI_CLI_TRUSTED_FOLDERS_PATH: path };
  return { ...start, env, files: [...start.files, { path, text }] };
}

const PATTERNS: ScreenPatterns = {
  input: /^\s?[>*!] {1,3}\S/,
  // The box has no border characters, only colours.
  isRuledOff: false,
  footer: /^\s*[~/]|\bsandbox\b|\bcontext (?:left|used)\b|\bgemini-\d/,
  spinner: /^\s?[\u2801-\u28ff] .*\(esc to cancel\b/,
  busyFooter: NEVER,
  quota: /^✕ .*\b(?:quota|usage limit)\b/i,
  until: /\bresets? (?:at|after|in) ([^.\]\n]+)/,
  trustAnswer: /^Trust folder\b/,
  quotaAnswer: /^Keep trying\b/,
  hint: /^\s?[\u2801-\u28ff] |^⚠ |^[~/]|^\s*\(Use Enter to select\)|^\s*(?:Esc|Enter|Tab) to\b/,
  answerRow: NEVER,
  questionHead: NEVER,
};
