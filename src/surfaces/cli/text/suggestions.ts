// Suggestions as commands that can be typed.
import type { Suggestion } from '../../../core/model/suggestion.ts';
import { quoteForShell } from '../../../text/shell.ts';

export function commandFor({ do: action, on, text }: Suggestion): string {
  const words = COMMANDS[action];
  const said = text === undefined ? FREE_TEXT[action] : quoteForShell([text]);
  return ['cadre', ...words, on, said].filter((word) => word !== undefined).join(' ');
}

/** Below a message: what can be typed next. */
export function tryLines(commands: readonly string[]): readonly string[] {
  return commands.map((command, index) => `${index === 0 ? '  try: ' : '       '}${command}`);
}

const COMMANDS: { readonly [action in Suggestion['do']]: readonly string[] } = {
  run: ['run'],
  register: ['register'],
  use: ['plan', 'use'],
  move: ['move'],
  cancel: ['cancel'],
  reopen: ['reopen'],
  'start-over': ['start-over'],
  adopt: ['adopt'],
  land: ['land'],
  freeze: ['freeze'],
  thaw: ['thaw'],
  launch: ['launch'],
  retry: ['retry'],
  revert: ['revert'],
  'mark-done': ['mark-done'],
  next: ['next'],
  back: ['back'],
  approve: ['approve'],
  override: ['approve', '--override'],
  reject: ['reject'],
  abandon: ['abandon'],
  answer: ['answer'],
  'merge-anyway': ['merge-anyway'],
  'session-new': ['session', 'new'],
  'session-switch': ['session', 'switch'],
  'session-resume': ['session', 'resume'],
  'session-stop': ['session', 'stop'],
  'session-pause': ['session', 'pause'],
  'session-send': ['session', 'send'],
  'session-attach': ['session', 'attach'],
  'quarantine-retry': ['quarantine', 'retry'],
  'quarantine-drop': ['quarantine', 'drop'],
  'quarantine-drop-all': ['quarantine', 'drop', '--all'],
  'engine-start': ['engine', 'start'],
  'engine-stop': ['engine', 'stop'],
  'config-set': ['config', 'set'],
  'use-journal': ['doctor', '--use-journal'],
  status: ['status'],
  why: ['why'],
  log: ['log'],
  questions: ['questions'],
  diff: ['diff'],
  'plan-lint': ['plan', 'lint'],
  quarantine: ['quarantine', 'list'],
  'session-list': ['session', 'list'],
  'session-screen': ['session', 'screen'],
  'engine-status': ['engine', 'status'],
  'config-check': ['config', 'check'],
  doctor: ['doctor'],
};

/** What the person has to fill in. */
const FREE_TEXT: { readonly [action in Suggestion['do']]?: string } = {
  reject: '--feedback "..."',
  answer: '"..."',
  'session-send': '"..."',
};
