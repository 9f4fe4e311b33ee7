// What agents say about themselves, and what became of it.
import { SIGNAL_WORDS } from '../text/words.ts';
import type { CommandSpec } from './spec.ts';

export const AGENTS: readonly CommandSpec[] = [
  {
    name: 'signal',
    summary: 'say something as the agent of this session',
    arguments: [{ name: 'name', required: true, summary: 'the signal' }],
    options: [
      { flags: '--plan <plan>', summary: 'the plan it is about (default: the plan of the session)' },
      { flags: '--task <n>', summary: 'the task it is about (default: the task of the session)' },
      { flags: '--body-file <file>', summary: 'what is to be said besides: a file, or "-" for standard input' },
    ],
    examples: [
      'cadre signal implement-finished',
      'echo "the tests are missing" | cadre signal review-changes --plan search --body-file -',
    ],
    more: SIGNAL_WORDS,
    load: () => import('../commands/agents/signal.ts'),
  },
  {
    name: 'hook',
    summary: 'report what a program is about; agent programs call it by themselves',
    arguments: [
      { name: 'session', required: true, summary: 'the session whose program reports' },
      { name: 'report', required: false, summary: 'what the program says, in its own form (default: standard input)' },
    ],
    options: [],
    examples: ['cadre hook s7 < report.json'],
    more: 'Prints nothing, and never exits with 2: what goes wrong here does not keep the program from going on.',
    load: () => import('../commands/agents/hook.ts'),
  },
  {
    name: 'quarantine',
    summary: 'see to signals that were refused',
    arguments: [
      { name: 'action', required: false, summary: 'list, show, retry or drop (default: list)' },
      { name: 'id', required: false, summary: 'which one, as "list" shows it' },
    ],
    options: [{ flags: '--all', summary: 'with drop: everything that is there' }],
    examples: [
      'cadre quarantine',
      'cadre quarantine show q12',
      'cadre quarantine retry q12',
      'cadre quarantine drop q12',
      'cadre quarantine drop --all',
    ],
    load: () => import('../commands/upkeep/quarantine.ts'),
  },
];
