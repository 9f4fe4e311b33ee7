// Suggestions as commands that can be typed.
import type { Suggestion } from '../../../core/model/suggestion.ts';
import { quoteForShell } from '../../../text/shell.ts';

/** A missing text is left for the person to fill in. */
export function commandFor({ do: action, on, text }: Suggestion): string {
  const words = `cadre ${COMMANDS[action]}`.split(' ').flatMap((word) => {
    if (word === '<on>') return on === undefined ? [] : [on];
    if (word === '<text>') return [text === undefined ? '"..."' : quoted(text)];
    if (word === '[text]') return text === undefined ? [] : [quoted(text)];
    return [word];
  });
  return words.join(' ');
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
  move: 'move <on> [text]',
  cancel: 'cancel <on>',
  reopen: 'reopen <on>',
  'start-over': 'start-over <on>',
  adopt: 'adopt <on>',
  land: 'land <on>',
  freeze: 'freeze',
  thaw: 'thaw',
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
  'use-journal': 'doctor --use-journal',
  status: 'status',
  why: 'why <on>',
  log: 'log',
  questions: 'questions',
  diff: 'diff <on>',
  'plan-lint': 'plan lint <on>',
  quarantine: 'quarantine list',
  'session-list': 'session list',
  'session-screen': 'session screen <on>',
  'session-attach': 'session attach <on>',
  'engine-status': 'engine status',
  'config-show': 'config show',
  'config-check': 'config check',
  doctor: 'doctor',
};
