// OpenCode.
import type { Agent, Start, StartRequest } from './agent.ts';
import { allowedCommands, hasNoPattern } from './grants.ts';
import { type HandOver, handOver, isBlank } from './hand-over.ts';
import { type Look, NEVER, readScreen } from './screen.ts';

/** It has no hooks besides plugins, which are code: what it does is read from its screen. */
export const opencode: Agent = {
  name: 'opencode',
  basis:
    'Options and permissions as measured with opencode 1.18; external_directory and the order of rules rest on its documentation, and its screens are written after their documented appearance, not recorded.',
  start: (request) => startWith(request, [], ['--prompt']),
  headless: (request) => (isBlank(request.prompt) ? undefined : startWith(request, ['run', '--format', 'json'], [])),
  resume: (request) => startWith(request, ['--continue'], ['--prompt']),
  readScreen: (screen) => readScreen(LOOK, screen),
  readReport: () => ({ kind: 'nothing' }),
};

function startWith(request: StartRequest, mode: readonly string[], option: readonly string[]): Start {
  // It opens folders, not files, to what works outside the worktree; this one holds the prompt and nothing else.
  const handed = handOver(request, `${request.folder}/prompt`);
  const asked = handed.argument === undefined ? [] : [...option, handed.argument];
  return {
    argv: [request.program, ...mode, ...request.flags, ...asked],
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: permissions(request, handed) }) },
    files: handed.files,
    prompt: handed.prompt,
  };
}

/** The last rule that matches counts, so what holds for everything comes first. */
function permissions(request: StartRequest, handed: HandOver): unknown {
  const commands = allowedCommands(request).map(({ text, open }) => [open ? `${text} *` : text, 'allow']);
  const folders = handed.files.map(({ path }) => path.slice(0, path.lastIndexOf('/'))).filter(hasNoPattern);
  return {
    edit: 'allow',
    bash: Object.fromEntries([['*', 'ask'], ...commands]),
    external_directory: Object.fromEntries([['*', 'ask'], ...folders.map((folder) => [`${folder}/*`, 'allow'])]),
  };
}

const LOOK: Look = {
  // The row with the mode and the model, at the bottom of the box.
  input: /^ {1,2}(?:Build|Plan|[A-Z]\w*) {1,2}\S/,
  // Where the terminal is wide, other things stand to the right of the line that is drawn there.
  isRuledOff: false,
  footer: /^\s*╹▀|\besc (?:again to )?interrupt\b|\bctrl\+\w\b|\btab\b/,
  spinner: NEVER,
  busyFooter: /^ {0,3}[■⬝]{2}.*\besc (?:again to )?interrupt\b/,
  quota: /^ {0,3}[■⬝]{2}.*\b(?:limit|quota)\b.*\[retrying\b/i,
  until: /\[retrying (.*?)(?: attempt #\d+)?\]/,
  trustAnswer: NEVER,
  quotaAnswer: NEVER,
  hint: NEVER,
  answerRow: /^\s*Allow once\s+Allow always\s+Reject\b/,
};
