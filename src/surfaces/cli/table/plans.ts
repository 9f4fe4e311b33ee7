// Commands on whole plans: build them, register them, move them.
import { EVENT_WORDS } from '../text/words.ts';
import { type CommandSpec, FEEDBACK, PLAN } from './spec.ts';

export const PLANS: readonly CommandSpec[] = [
  {
    name: 'run',
    summary: 'Build a plan and follow its progress',
    arguments: [{ ...PLAN, required: false, summary: `${PLAN.summary} (default: the active plan)` }],
    options: [
      { flags: '--headless', summary: 'Run agents as plain processes, without terminals' },
      { flags: '--max-parallel <n>', summary: 'Build at most n tasks at a time' },
      { flags: '--dry-run', summary: 'Show the order, the test command and the programs; build nothing' },
    ],
    examples: ['cadre run docs/plans/search.md', 'cadre run search --dry-run', 'cadre run search --json'],
    more: [
      'The engine builds the plan in the background. Ctrl-C detaches; the build',
      'continues, and "cadre run" follows it again.',
      '',
      'Exit codes:',
      '  0  the plan is done, or you detached',
      '  1  the plan was cancelled',
      '  2  refused',
      '  3  waiting for you',
      '  4  a limit is reached: turns, time, merges, restarts or reviews',
      '  5  something is missing here: a program, a commit, a test command',
    ],
    load: () => import('../commands/plans/run.ts'),
  },
  {
    name: 'register',
    summary: 'Register a plan file in docs/plans',
    arguments: [{ name: 'plan', required: true, summary: 'File in docs/plans, with or without ".md"' }],
    options: [
      { flags: '--description <text>', summary: 'What the plan is about (default: its first heading)' },
      { flags: '--topic <topic>', summary: 'Topic of the plan' },
    ],
    examples: ['cadre register 2026-11-search', 'cadre register docs/plans/search.md --topic search'],
    load: () => import('../commands/plans/register.ts'),
  },
  {
    name: 'land',
    summary: 'Land a finished plan on its base branch',
    arguments: [PLAN],
    options: [],
    examples: ['cadre land search'],
    more: [
      'An approved plan lands automatically, as the "land" setting says. Use this to',
      'retry once the cause of a failure is fixed.',
      '',
      'Exit codes: 0 it has landed, or is for you to merge; 3 something is in the way.',
    ],
    load: () => import('../commands/plans/land.ts'),
  },
  {
    name: 'cancel',
    summary: 'Cancel a plan; everything built so far is kept',
    arguments: [PLAN],
    options: [],
    examples: ['cadre cancel search'],
    load: () => import('../commands/plans/cancel.ts'),
  },
  {
    name: 'reopen',
    summary: 'Reopen a cancelled plan, for planning',
    arguments: [PLAN],
    options: [],
    examples: ['cadre reopen search'],
    load: () => import('../commands/plans/reopen.ts'),
  },
  {
    name: 'start-over',
    summary: 'Start a finished plan over, from planning',
    arguments: [PLAN],
    options: [],
    examples: ['cadre start-over search'],
    load: () => import('../commands/plans/start-over.ts'),
  },
  {
    name: 'move',
    summary: 'Send a plan any event of its state machine',
    arguments: [PLAN, { name: 'event', required: true, summary: `One of ${EVENT_WORDS}` }],
    options: FEEDBACK.map((option) => ({ ...option, summary: `${option.summary}, with review_changes_requested` })),
    examples: [
      'cadre move search plan_start',
      'cadre move search review_changes_requested --feedback "tests are missing"',
    ],
    load: () => import('../commands/plans/move.ts'),
  },
  {
    name: 'adopt',
    summary: 'Take the status in plan-state.json where the journal has another',
    arguments: [PLAN],
    options: [],
    examples: ['cadre adopt search'],
    load: () => import('../commands/plans/adopt.ts'),
  },
];
