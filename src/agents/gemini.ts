// Gemini CLI.
import type { Agent, Start, StartRequest } from './agent.ts';
import { allowedCommands } from './grants.ts';
import { handOver, isBlank } from './hand-over.ts';
import { type Look, NEVER, readScreen } from './screen.ts';

/**
 * Its hooks are set up in settings files only, and the one that could be named for a session would stand in for the
 * administrator's. So there are none, and what it does is read from its screen.
 */
export const gemini: Agent = {
  name: 'gemini',
  basis:
    'Options as measured with gemini-cli 0.61; --resume and --include-directories rest on its documentation, and its screens are written after their documented appearance, not recorded.',
  start: (request) => startWith(request, [], ['-i']),
  headless: (request) => (isBlank(request.prompt) ? undefined : startWith(request, ['-o', 'json'], ['-p'])),
  resume: (request) => startWith(request, ['--resume', 'latest'], []),
  readScreen: (screen) => readScreen(LOOK, screen),
  readReport: () => ({ kind: 'nothing' }),
};

function startWith(request: StartRequest, mode: readonly string[], option: readonly string[]): Start {
  // It reads in its worktree and in folders that are added, and may edit there too; this one holds the prompt alone.
  const folder = `${request.folder}/prompt`;
  const { argument, prompt, files } = handOver(request, folder);
  // These are beginnings of commands. There is no way to allow one command with these arguments and no more.
  const tools = allowedCommands(request).map(({ text }) => `run_shell_command(${text})`);
  const argv = [
    request.program,
    ...(request.trusted ? ['--skip-trust'] : []),
    ...['--approval-mode', 'auto_edit'],
    ...tools.flatMap((tool) => ['--allowed-tools', tool]),
    ...(files.length === 0 ? [] : ['--include-directories', folder]),
    ...request.flags,
    ...mode,
    ...(argument === undefined ? [] : [...option, argument]),
  ];
  return { argv, env: {}, files, prompt };
}

const LOOK: Look = {
  input: /^\s?[>*!] {1,3}\S/,
  isRuledOff: true,
  footer: /^\s*[~/]|\bsandbox\b|\bcontext (?:left|used)\b|\bgemini-\d/,
  spinner: /^\s?[\u2801-\u28ff] .*\(esc to cancel\b/,
  busyFooter: NEVER,
  quota: /^✕ .*\b(?:quota|usage limit)\b/i,
  until: /\bresets? (?:at|after|in) ([^.\]\n]+)/,
  trustAnswer: /^Trust folder\b/,
  quotaAnswer: /^Keep trying\b/,
  hint: /^\s?[\u2801-\u28ff] |^[~/]|^\s*\(Use Enter to select\)|^\s*(?:Esc|Enter|Tab) to\b/,
  answerRow: NEVER,
};
