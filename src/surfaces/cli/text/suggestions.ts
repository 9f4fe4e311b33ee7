// Suggestions as commands that can be typed.
import type { Suggestion } from '../../../core/model/suggestion.ts';
import { quoteForShell } from '../../../text/shell.ts';

/** A missing text is left for the person to fill in. */
export function commandFor({ do: action, on, text }: Suggestion): string {
  let line = 'cadre';
  for (const word of COMMANDS[action].split(' ')) {
    if (word === '<on>') line += on === undefined ? '' : ` ${named(on)}`;
    else if (word === '<text>') line += ` ${text === undefined ? '"..."' : quoted(text)}`;
    else if (word === '[text]') line += text === undefined ? '' : ` ${quoted(text)}`;
    else if (word === '[option]') line += text === undefined ? '' : ` --${text}`;
    else line += ` ${word}`;
  }
  return line;
}

/** A path with a space in it is quoted. The "#" of a task needs no quotes inside a word. */
function named(on: string): string {
  // Nearly every name. The sets of all letters take a millisecond to build.
  if (/^[\w#@%+=:,./<>~-]*$/.test(on)) return on;
  return /[^\p{L}\p{N}\p{M}\w#@%+=:,./<>~-]/u.test(on) ? quoteForShell([on]) : on;
}

/** A placeholder such as `<program>` stays as it is. */
function quoted(text: string): string {
  return /^<\w+>$/.test(text) ? text : quoteForShell([text]);
}

/** Below a message: what can be typed next. */
export function tryLines(commands: readonly string[]): readonly string[] {
  return commands.map((command, index) => `${index === 0 ? '  try: ' : '       '}${command}`);
}

const COMMANDS: { readonly [action in Suggestion['do']]: string } = {
  run: 'run <on>',
  register: 'register <on>',
  use: 'plan use <on>',
  'plan-import': 'plan import <on> [option]',
  move: 'move <on> [text]',
  cancel: 'cancel <on>',
  reopen: 'reopen <on>',
  'start-over': 'start-over <on>',
  adopt: 'adopt <on>',
  land: 'land <on>',
  'incident-restore': 'incident restore <on>',
  'worktree-restore': 'incident restore <on>',
  'incident-take': 'incident take <on> [option]',
  'plan-new': 'plan new <text>',
  'plan-answer': 'answer <on>',
  'plan-continue': 'plan continue <on>',
  'plan-settle': 'plan settle <on>',
  'plan-redo': 'redo planning <on> --feedback <text>',
  'plan-approve': 'plan approve <on> [option]',
  'plan-archive': 'plan archive <on>',
  'plan-unarchive': 'plan unarchive <on>',
  freeze: 'freeze',
  thaw: 'thaw',
  pause: 'pause <on>',
  resume: 'resume <on>',
  launch: 'launch <on>',
  retry: 'retry <on>',
  revert: 'revert <on>',
  'mark-done': 'mark-done <on>',
  next: 'next <on>',
  back: 'back <on>',
  approve: 'approve <on>',
  override: 'approve <on> --override',
  reject: 'reject <on> --feedback <text>',
  abandon: 'abandon <on>',
  answer: 'answer <on> <text>',
  'merge-anyway': 'merge-anyway <on>',
  'finding-park': 'finding park <on> [text]',
  'finding-overrule': 'finding overrule <on> [text]',
  'finding-confirm': 'finding confirm <on> [text]',
  'finding-plan-holds': 'finding plan-holds <on> [text]',
  'finding-holds': 'finding holds <on> [text]',
  'session-new': 'session new --program <text>',
  'session-switch': 'session switch <on> --program <text>',
  'session-resume': 'session resume <on>',
  'session-stop': 'session stop <on>',
  'session-pause': 'session pause <on>',
  'session-send': 'session send <on> <text>',
  'quarantine-retry': 'quarantine retry <on>',
  'quarantine-drop': 'quarantine drop <on>',
  'quarantine-drop-all': 'quarantine drop --all',
  'engine-start': 'engine start',
  'engine-stop': 'engine stop',
  'config-set': 'config set <on> [text]',
  'config-set-project': 'config set --project <on> <text>',
  'config-accept': 'config accept',
  'use-journal': 'doctor --use-journal',
  repair: 'doctor --fix',
  restore: 'restore <on> --branch <text>',
  gc: 'gc',
  status: 'status',
  why: 'why <on>',
  log: 'log',
  questions: 'questions',
  findings: 'findings <on>',
  incident: 'incident <on>',
  diff: 'diff <on>',
  'plan-lint': 'plan lint <on>',
  'plan-transcript': 'plan transcript <on>',
  quarantine: 'quarantine list',
  kept: 'restore',
  'session-list': 'session list',
  'session-screen': 'session screen <on>',
  'session-attach': 'session attach <on>',
  'engine-status': 'engine status',
  'config-show': 'config show',
  'config-check': 'config check',
  doctor: 'doctor',
};
