// Plans as a whole: making them known, and moving them.
import { EVENT_WORDS } from '../text/words.ts';
import { type CommandSpec, PLAN } from './spec.ts';

export const PLANS: readonly CommandSpec[] = [
  {
    name: 'register',
    summary: 'make a plan in docs/plans known to cadre',
    arguments: [{ name: 'plan', required: true, summary: 'the file in docs/plans, with or without ".md"' }],
    options: [
      { flags: '--description <text>', summary: 'what it is about (default: the first heading of the file)' },
      { flags: '--topic <topic>', summary: 'the topic it belongs to' },
    ],
    examples: ['cadre register 2026-11-search', 'cadre register docs/plans/search.md --topic search'],
    load: () => import('../commands/plans/register.ts'),
  },
  {
    name: 'run',
    summary: 'build a plan, and watch it being built',
    arguments: [{ ...PLAN, required: false, summary: `${PLAN.summary} (default: the active plan)` }],
    options: [
      { flags: '--headless', summary: 'agents without terminals, as plain processes' },
      { flags: '--max-parallel <n>', summary: 'how many tasks may be at work at once' },
      { flags: '--dry-run', summary: 'tell in which order and with which programs, and change nothing' },
    ],
    examples: ['cadre run docs/plans/search.md', 'cadre run search --dry-run', 'cadre run search --json'],
    more: 'The engine runs in the background and goes on when this is left with Ctrl-C. Exit codes: 0 done, or left with Ctrl-C; 1 cancelled; 2 refused; 3 waits for a person; 4 waits because a limit is used up (turns, time, merges, restarts, reviews); 5 something is missing here: a program, a commit, a way to verify.',
    load: () => import('../commands/plans/run.ts'),
  },
  {
    name: 'move',
    summary: 'send an event to a plan',
    arguments: [PLAN, { name: 'event', required: true, summary: `one of ${EVENT_WORDS}` }],
    options: [
      { flags: '--feedback <text>', summary: 'what has to change (with review_changes_requested)' },
      { flags: '--feedback-file <file>', summary: 'the same from a file, or from standard input with "-"' },
    ],
    examples: [
      'cadre move search plan_start',
      'cadre move search review_changes_requested --feedback "tests are missing"',
    ],
    load: () => import('../commands/plans/move.ts'),
  },
  {
    name: 'land',
    summary: 'take a plan that is done to where the settings say, or tell how',
    arguments: [PLAN],
    options: [],
    examples: ['cadre land search'],
    more: 'A plan that is approved lands by itself; this tries again what could not be done then. Exit codes: 0 it has landed, or is for you to merge; 3 something is in the way.',
    load: () => import('../commands/plans/land.ts'),
  },
  {
    name: 'cancel',
    summary: 'cancel a plan; its files and branches stay',
    arguments: [PLAN],
    options: [],
    examples: ['cadre cancel search'],
    load: () => import('../commands/plans/cancel.ts'),
  },
  {
    name: 'reopen',
    summary: 'go back to planning with a cancelled plan',
    arguments: [PLAN],
    options: [],
    examples: ['cadre reopen search'],
    load: () => import('../commands/plans/reopen.ts'),
  },
  {
    name: 'start-over',
    summary: 'go back to planning with a plan that is done',
    arguments: [PLAN],
    options: [],
    examples: ['cadre start-over search'],
    load: () => import('../commands/plans/start-over.ts'),
  },
  {
    name: 'adopt',
    summary: 'take the side of plan-state.json where it disagrees with the journal',
    arguments: [PLAN],
    options: [],
    examples: ['cadre adopt search'],
    load: () => import('../commands/plans/adopt.ts'),
  },
];
