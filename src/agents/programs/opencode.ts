// OpenCode.
import type { Agent, Start, StartRequest } from '../agent.ts';
import { allowedCommands, isLiteral } from '../grants.ts';
import { type HandOver, handOver, handOverInFile, headlessStart, isBlank } from '../hand-over.ts';
import { matchScreen, NEVER, type ScreenPatterns } from '../screen/screen.ts';

/** It has no hooks besides plugins, which are code: what it does is read from its screen. */
export const opencode: Agent = {
  name: 'opencode',
  basis:
    'Tried with opencode 1.18.33 (npm run test:agents), but for --continue in a terminal and the screens of a quota, which rest on its documentation.',
  start: (request) => startWith(request, [], ['--prompt'], handOver(request)),
  // It puts a message with spaces in quotes, and a backslash before every quote in it.
  headless: (request) => headlessStart(request, () => startWith(request, HEADLESS, [], handOverInFile(request))),
  // In a terminal it does not do a prompt with which a conversation is gone on with, so what there is to do begins one.
  resume: (request) =>
    isBlank(request.prompt) ? startWith(request, ['--continue'], [], handOver(request)) : undefined,
  resumeHeadless: (request) =>
    headlessStart(request, () => startWith(request, [...HEADLESS, '--continue'], [], handOverInFile(request))),
  readScreen: (screen) => matchScreen(PATTERNS, withoutSidebar(screen)),
  readReport: () => ({ kind: 'nothing' }),
};

const HEADLESS = ['run', '--format', 'json'] as const;

function startWith(request: StartRequest, mode: readonly string[], option: readonly string[], handed: HandOver): Start {
  const asked = handed.argument === undefined ? [] : [...option, handed.argument];
  return {
    argv: [request.program, ...mode, ...request.flags, ...asked],
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: permissions(request) }) },
    files: handed.files,
    prompt: handed.prompt,
  };
}

/** The last rule that matches counts, so what holds for everything comes first. */
function permissions(request: StartRequest): unknown {
  const commands = allowedCommands(request).map(({ text, open }) => [open ? `${text} *` : text, 'allow']);
  const folders = [request.messages].filter(isLiteral);
  return {
    edit: 'allow',
    bash: Object.fromEntries([['*', 'ask'], ...commands]),
    external_directory: Object.fromEntries([['*', 'ask'], ...folders.map((folder) => [`${folder}/*`, 'allow'])]),
  };
}

/** In a wide terminal it shows the title and the folder at the right, with nothing but spaces between. */
function withoutSidebar(screen: string): string {
  return screen.split('\n').map(leftOf).join('\n');
}

const GAP = ' '.repeat(12);
const FARTHEST_TEXT = 80;

function leftOf(row: string): string {
  const begin = row.search(/[^ ]/);
  const gap = row.indexOf(GAP, begin);
  return begin > FARTHEST_TEXT ? '' : row.slice(0, gap === -1 ? undefined : gap);
}

const PATTERNS: ScreenPatterns = {
  // The row with the mode and the model, at the bottom of the box.
  input: /^ {1,2}[A-Z]\w* (?: |· )\S/,
  // Where the terminal is wide, other things stand to the right of the line that is drawn there.
  isRuledOff: false,
  footer: /^\s*╹▀|^ *[~/]|\besc (?:again to )?interrupt\b|\bctrl\+\w\b|\btab\b/,
  spinner: NEVER,
  busyFooter: /^ {0,3}[■⬝]{2}.*\besc (?:again to )?interrupt\b/,
  quota: /^ {0,3}[■⬝]{2}.*\b(?:limit|quota)\b.*\[retrying\b/i,
  until: /\[retrying (.*?)(?: attempt #\d+)?\]/,
  trustAnswer: NEVER,
  quotaAnswer: NEVER,
  hint: NEVER,
  answerRow: /^\s*Allow once\s+Allow always\s+Reject\b/,
  questionHead: /^\s*△ /,
};
