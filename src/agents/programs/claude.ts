// Claude Code.

import { oneLine } from '../../text/one-line.ts';
import { quoteForShell } from '../../text/shell.ts';
import type { Agent, FileToWrite, Report, Start, StartRequest } from '../agent.ts';
import { allowedCommands, hookCommand, permissionsIn } from '../grants.ts';
import { handOver, headlessStart } from '../hand-over.ts';
import { isLiteral } from '../permissions.ts';
import { fieldsOf } from '../report.ts';
import { matchScreen, NEVER, type ScreenPatterns } from '../screen/screen.ts';

/**
 * It asks once per repository whether to trust the folder, and no option answers that. The answer is
 * `projects["<main checkout>"].hasTrustDialogAccepted` in ~/.claude.json, which also covers linked worktrees; it is set if
 * the person has used the program in the repository. cadre does not write that file, because it belongs to the person and
 * other sessions write it at the same time. If the entry is missing, the person is shown the question.
 */
export const claude: Agent = {
  name: 'claude',
  keeps: ['.claude', '.claude.json'],
  basis:
    'Tested with Claude Code 2.1.325 (npm run test:agents), except the permission notification and the quota screens, which are based on its documentation.',
  start: (request) => startWith(request, []),
  headless: (request) => headlessStart(request, () => startWith(request, HEADLESS)),
  resume: (request) => startWith(request, ['--continue']),
  resumeHeadless: (request) => headlessStart(request, () => startWith(request, [...HEADLESS, '--continue'])),
  readScreen: (screen) => matchScreen(PATTERNS, screen),
  readReport,
};

const HEADLESS = ['-p', '--output-format', 'json'] as const;

/**
 * The profile's flags come after ours, so that they take precedence. The settings come last, because some flags consume
 * all following arguments, and would consume the prompt.
 */
function startWith(request: StartRequest, mode: readonly string[]): Start {
  const { argument, prompt, files } = handOver(request);
  const settings = settingsFile(request);
  const options = [
    ...mode,
    '--permission-mode',
    MODES[permissionsIn(request)],
    ...request.flags,
    '--settings',
    settings.path,
  ];
  return {
    argv: [request.program, ...options, ...(argument === undefined ? [] : [argument])],
    env: {},
    files: [settings, ...files],
    prompt,
  };
}

const MODES = { ask: 'default', edits: 'acceptEdits', all: 'bypassPermissions' } as const;

function settingsFile(request: StartRequest): FileToWrite {
  const commands = allowedCommands(request).map(({ text, open }) => (open ? `Bash(${text}:*)` : `Bash(${text})`));
  const editing = permissionsIn(request) === 'ask' ? [] : ['Edit', 'Write'];
  const reading = [request.messages, ...request.reads].filter(isLiteral).map((folder) => `Read(/${folder}/**)`);
  // A hook that exits with 2 keeps the program from stopping, and cadre exits with 2 on wrong usage.
  const command = `${quoteForShell(hookCommand(request))} || :`;
  const hook = [{ hooks: [{ type: 'command', command }] }];
  const settings = {
    permissions: { allow: [...editing, ...commands, ...reading] },
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
      // Other notifications say that the program has been waiting for input.
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
  // Directly below the person's message. Output of a tool looks the same, but is below the name of the tool.
  quota: /^(?:❯ [\s\S]*?\n)? {2}⎿ {2}(?:You've hit your .*limit|Claude usage limit reached)/,
  until: /\bresets? (?:at )?([^\n]+?)(?: {2,}|\n|$)/,
  trustAnswer: /\btrust this folder\b/,
  quotaAnswer: /^Stop and wait for limit to reset/,
  hint: /^ {0,2}(?:Esc to|Enter to|Tab to|ctrl\+)/i,
  answerRow: NEVER,
  questionHead: NEVER,
};
