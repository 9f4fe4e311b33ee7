// Codex.

import { tomlText } from '../../text/toml.ts';
import type { Agent, Report, Start, StartRequest } from '../agent.ts';
import { hookCommand, permissionsIn } from '../grants.ts';
import { handOver, headlessStart } from '../hand-over.ts';
import { fieldsOf } from '../report.ts';
import { matchScreen, NEVER, type ScreenPatterns } from '../screen/screen.ts';

/**
 * It has no list of allowed commands. Its sandbox decides what a command may write: the worktree and the folders listed
 * here. It protects the part of the git folder that belongs to a linked worktree, even inside of a listed folder, unless
 * that part is listed itself.
 */
export const codex: Agent = {
  name: 'codex',
  keeps: ['.codex'],
  basis:
    'Tested with codex 0.166.0 (npm run test:agents), except resume in a terminal and the quota screens, which are based on its documentation and its published source.',
  start: (request) => startWith(request, [], asking(request)),
  headless: (request) => headlessStart(request, () => startWith(request, ['exec', '--json'], [])),
  resume: (request) => startWith(request, ['resume', '--last'], asking(request)),
  // The options of "exec" come before "resume", which does not know all of them.
  resumeHeadless: (request) =>
    headlessStart(request, () => startWith(request, ['exec', '--json'], [], ['resume', '--last'])),
  readScreen: (screen) => matchScreen(PATTERNS, screen),
  readReport,
};

/** `exec` never asks, and rejects the option. */
function asking(request: StartRequest): readonly Option[] {
  return [{ names: ['-a', '--ask-for-approval'], value: APPROVALS[permissionsIn(request)] }];
}

const APPROVALS = { ask: 'untrusted', edits: 'on-request', all: 'never' } as const;

interface Option {
  readonly names: readonly [string, string];
  readonly value: string;
}

function startWith(
  request: StartRequest,
  mode: readonly string[],
  approval: readonly Option[],
  last: readonly string[] = [],
): Start {
  const { argument, prompt, files } = handOver(request);
  const options: readonly Option[] = [{ names: ['-s', '--sandbox'], value: 'workspace-write' }, ...approval];
  const argv = [
    request.program,
    ...mode,
    // A daemon would outlive the session and act in its name.
    ...['--disable', 'daemon_auto_start'],
    ...options.filter(isNotIn(request.flags)).flatMap(({ names, value }) => [names[0], value]),
    ...settings(request).flatMap((setting) => ['-c', setting]),
    ...request.flags,
    ...last,
    ...(argument === undefined ? [] : ['--', argument]),
  ];
  return { argv, env: {}, files, prompt };
}

/** The program rejects repeated options, and the profile's flags take precedence. */
function isNotIn(flags: readonly string[]): (option: Option) => boolean {
  return ({ names }) => !flags.some((flag) => names.some((name) => flag === name || flag.startsWith(`${name}=`)));
}

function settings(request: StartRequest): readonly string[] {
  const roots = request.writable.map(tomlText).join(', ');
  return [
    `notify=[${hookCommand(request).map(tomlText).join(', ')}]`,
    ...(roots === '' ? [] : [`sandbox_workspace_write.writable_roots=[${roots}]`]),
    // The folder is in the value, because the program splits keys at every dot, even inside quotes.
    ...(request.trusted ? [`projects={${tomlText(request.worktree)}={trust_level="trusted"}}`] : []),
  ];
}

function readReport(payload: string): Report {
  const fields = fieldsOf(payload);
  const messages: unknown = fields.get('input-messages');
  if (fields.get('type') !== 'agent-turn-complete' || !Array.isArray(messages) || messages.length === 0)
    return { kind: 'nothing' };
  return messages.some(isInternal) ? { kind: 'nothing' } : { kind: 'turn-finished' };
}

/** The program also reports internal turns, in which it generates a title for the conversation. */
const INTERNAL =
  /\b(?:provide|generate) a\b[^\n]{0,40}\b(?:(?:task|thread|conversation) title\b|title\b[^\n]{0,60}\b(?:task|thread|conversation|prompt)\b)/i;

function isInternal(message: unknown): boolean {
  return typeof message !== 'string' || INTERNAL.test(message.slice(0, 400));
}

const PATTERNS: ScreenPatterns = {
  input: /^› ?(?!\s*\d\. )/,
  isRuledOff: false,
  footer: /^ {2}\S/,
  spinner: /^[•◦] .*\([^)]*\besc to interrupt\)/,
  busyFooter: NEVER,
  quota: /^■ .*\b(?:usage|rate) limit\b/,
  until: /\btry again\s+(?:at|in)\s+([^.\n]+)/,
  trustAnswer: /^(?:Trust and continue|Yes, (?:continue|allow Codex))/,
  quotaAnswer: NEVER,
  hint: /^ {2}(?:Press enter\b|enter \S+ · esc\b)/i,
  answerRow: NEVER,
  questionHead: NEVER,
};
