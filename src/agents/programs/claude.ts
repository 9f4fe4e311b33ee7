// Claude Code.

import { oneLine } from '../../text/one-line.ts';
import { quoteForShell } from '../../text/shell.ts';
import type { Agent, FileToWrite, Report, Start, StartRequest } from '../agent.ts';
import { allowedCommands, hookCommand, isLiteral } from '../grants.ts';
import { handOver, headlessStart } from '../hand-over.ts';
import { fieldsOf } from '../report.ts';
import { matchScreen, NEVER, type ScreenPatterns } from '../screen/screen.ts';

/**
 * Whether a folder is trusted is asked once a repository, and no option answers it: the program wants
 * `projects["<main checkout>"].hasTrustDialogAccepted` in ~/.claude.json, which is there where the person has used the
 * program in the repository, and counts for its linked worktrees. That file is the person's, and other sessions write it
 * at the same time, so it is not written here; where it is not there, the question is shown to the person.
 */
export const claude: Agent = {
  name: 'claude',
  basis:
    'Tried with Claude Code 2.1.325 (npm run test:agents), but for the notification that it wants a permission and the screens of a quota, which rest on its documentation.',
  start: (request) => startWith(request, []),
  headless: (request) => headlessStart(request, () => startWith(request, HEADLESS)),
  resume: (request) => startWith(request, ['--continue']),
  resumeHeadless: (request) => headlessStart(request, () => startWith(request, [...HEADLESS, '--continue'])),
  readScreen: (screen) => matchScreen(PATTERNS, screen),
  readReport,
};

const HEADLESS = ['-p', '--output-format', 'json'] as const;

/**
 * The profile's flags come after ours, so that they win; the settings come after them, because some flags take every
 * argument that follows, and would take the prompt.
 */
function startWith(request: StartRequest, mode: readonly string[]): Start {
  const { argument, prompt, files } = handOver(request);
  const settings = settingsFile(request);
  const options = [...mode, '--permission-mode', 'acceptEdits', ...request.flags, '--settings', settings.path];
  return {
    argv: [request.program, ...options, ...(argument === undefined ? [] : [argument])],
    env: {},
    files: [settings, ...files],
    prompt,
  };
}

function settingsFile(request: StartRequest): FileToWrite {
  const commands = allowedCommands(request).map(({ text, open }) => (open ? `Bash(${text}:*)` : `Bash(${text})`));
  const reading = [request.messages].filter(isLiteral).map((folder) => `Read(/${folder}/**)`);
  // Exit code 2 of a hook would forbid the program to stop, and that is what cadre answers where it is called wrongly.
  const command = `${quoteForShell(hookCommand(request))} || :`;
  const hook = [{ hooks: [{ type: 'command', command }] }];
  const settings = {
    permissions: { allow: ['Edit', 'Write', ...commands, ...reading] },
    hooks: { SessionStart: hook, Notification: hook, Stop: hook },
  };
  return { path: `${request.folder}/claude-settings.json`, text: `${JSON.stringify(settings, null, 2)}\n` };
}

function readReport(payload: string): Report {
  const fields = fieldsOf(payload);
  const message = fields.get('message');
  switch (fields.get('hook_event_name')) {
    case 'Stop':
      return { kind: 'turn-finished' };
    case 'SessionStart':
      return { kind: 'session-started' };
    case 'Notification':
      // The other notifications say that nobody has answered for a while.
      return typeof message === 'string' && /\bpermission\b/i.test(message)
        ? { kind: 'asks-permission', question: oneLine(message) }
        : { kind: 'nothing' };
    default:
      return { kind: 'nothing' };
  }
}

const PATTERNS: ScreenPatterns = {
  input: /^[❯>](?:\s|$)/,
  isRuledOff: true,
  footer: /^ {2}/,
  spinner: /^[·✢✳✶✻✽*] \S.*…/,
  busyFooter: /\besc to interrupt\b/,
  // Right below what the person said. The output of a tool looks the same, and stands below the name of the tool.
  quota: /^(?:❯ [\s\S]*?\n)? {2}⎿ {2}(?:You've hit your .*limit|Claude usage limit reached)/,
  until: /\bresets? (?:at )?([^\n]+?)(?: {2,}|\n|$)/,
  trustAnswer: /\btrust this folder\b/,
  quotaAnswer: /^Stop and wait for limit to reset/,
  hint: /^ {0,2}(?:Esc to|Enter to|Tab to|ctrl\+)/i,
  answerRow: NEVER,
  questionHead: NEVER,
};
