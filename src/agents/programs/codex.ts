// Codex.

import { tomlText } from '../../text/toml.ts';
import type { Agent, Report, Start, StartRequest } from '../agent.ts';
import { hookCommand } from '../grants.ts';
import { handOver, headlessStart } from '../hand-over.ts';
import { fieldsOf } from '../report.ts';
import { matchScreen, NEVER, type ScreenPatterns } from '../screen/screen.ts';

/**
 * It has no list of commands that may run: what a command may write is decided by its sandbox, which is the worktree and
 * the folders named here. What a linked worktree has in git's folder it keeps from being written, even inside of a folder
 * that is named, unless it is named itself.
 */
export const codex: Agent = {
  name: 'codex',
  basis:
    'Tried with codex 0.166.0 (npm run test:agents), but for resume in a terminal and the screens of a quota, which rest on its documentation and its published source.',
  start: (request) => startWith(request, [], ASKING),
  headless: (request) => headlessStart(request, () => startWith(request, ['exec', '--json'], [])),
  resume: (request) => startWith(request, ['resume', '--last'], ASKING),
  // The options of "exec" stand before "resume", which does not know all of them.
  resumeHeadless: (request) =>
    headlessStart(request, () => startWith(request, ['exec', '--json'], [], ['resume', '--last'])),
  readScreen: (screen) => matchScreen(PATTERNS, screen),
  readReport,
};

/** `exec` never asks and does not know the option. */
const ASKING: readonly Option[] = [{ names: ['-a', '--ask-for-approval'], value: 'on-request' }];

interface Option {
  readonly names: readonly [string, string];
  readonly value: string;
}

function startWith(
  request: StartRequest,
  mode: readonly string[],
  asking: readonly Option[],
  last: readonly string[] = [],
): Start {
  const { argument, prompt, files } = handOver(request);
  const options: readonly Option[] = [{ names: ['-s', '--sandbox'], value: 'workspace-write' }, ...asking];
  const argv = [
    request.program,
    ...mode,
    // A daemon would outlive the session and answer for it.
    ...['--disable', 'daemon_auto_start'],
    ...options.filter(isNotIn(request.flags)).flatMap(({ names, value }) => [names[0], value]),
    ...settings(request).flatMap((setting) => ['-c', setting]),
    ...request.flags,
    ...last,
    ...(argument === undefined ? [] : ['--', argument]),
  ];
  return { argv, env: {}, files, prompt };
}

/** An option that is given twice is an error to this program, and the profile's is the one to keep. */
function isNotIn(flags: readonly string[]): (option: Option) => boolean {
  return ({ names }) => !flags.some((flag) => names.some((name) => flag === name || flag.startsWith(`${name}=`)));
}

function settings(request: StartRequest): readonly string[] {
  const roots = request.writable.map(tomlText).join(', ');
  return [
    `notify=[${hookCommand(request).map(tomlText).join(', ')}]`,
    ...(roots === '' ? [] : [`sandbox_workspace_write.writable_roots=[${roots}]`]),
    // The folder stands in the value, because the program splits the key at every dot, also inside quotes.
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

/** The program reports its own turns too, in which it looks for a title of the conversation. */
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
