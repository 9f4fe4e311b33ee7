// OpenCode.
import type { Agent, Start, StartRequest } from '../agent.ts';
import { allowedCommands, permissionsIn } from '../grants.ts';
import { type HandOver, handOver, handOverInFile, headlessStart, isBlank } from '../hand-over.ts';
import { isLiteral } from '../permissions.ts';
import { matchScreen, NEVER, type ScreenPatterns } from '../screen/screen.ts';

/** Its only hooks are plugins, which are code, so cadre reads the screen. */
export const opencode: Agent = {
  name: 'opencode',
  keeps: ['.config/opencode', '.local/share/opencode', '.local/state/opencode', '.cache/opencode'],
  basis:
    'Tested with opencode 1.18.33 (npm run test:agents), except --continue in a terminal and the quota screens, which are based on its documentation.',
  start: (request) => startWith(request, [], ['--prompt'], handOver(request)),
  // In a file, because it puts quotes around a message with spaces and escapes the quotes in it.
  headless: (request) => headlessStart(request, () => startWith(request, HEADLESS, [], handOverInFile(request))),
  // In a terminal it ignores a prompt when it continues a conversation, so a prompt starts a new one.
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

/** The last matching rule counts, so the general rule comes first. */
function permissions(request: StartRequest): unknown {
  const wanted = permissionsIn(request);
  const [edit, other] = [wanted === 'ask' ? 'ask' : 'allow', wanted === 'all' ? 'allow' : 'ask'];
  const commands = allowedCommands(request).map(({ text, open }) => [open ? `${text} *` : text, 'allow']);
  const folders = [request.messages, ...request.reads].filter(isLiteral);
  return {
    edit,
    bash: Object.fromEntries([['*', other], ...commands]),
    external_directory: Object.fromEntries([['*', other], ...folders.map((folder) => [`${folder}/*`, 'allow'])]),
  };
}

/** In a wide terminal it shows the title and the folder on the right, separated only by spaces. */
function withoutSidebar(screen: string): string {
  return screen.split('\n').map(leftOf).join('\n');
}

const GAP = ' '.repeat(12);
const FARTHEST_TEXT = 80;

function leftOf(row: string): string {
  const start = row.search(/[^ ]/);
  const gap = row.indexOf(GAP, start);
  return start > FARTHEST_TEXT ? '' : row.slice(0, gap === -1 ? undefined : gap);
}

const PATTERNS: ScreenPatterns = {
  // The row with the mode and the model, at the bottom of the box.
  input: /^ {1,2}[A-Z]\w* (?: |· )\S/,
  // In a wide terminal there is other text to the right of the line below the box.
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
