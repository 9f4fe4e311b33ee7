// Commands on workshops, in which a plan is worked out with a planner.
import { type CommandSpec, FEEDBACK, PLAN } from './spec.ts';

const NO_WAIT = { flags: '--no-wait', summary: 'Return at once; the planner works in the background' };

export const WORKSHOP: readonly CommandSpec[] = [
  {
    name: 'plan new',
    summary: 'Work out a plan from a brief, in rounds with a planner',
    arguments: [{ name: 'brief', required: false, summary: 'What to build, and why ("-": standard input)' }],
    options: [
      { flags: '--brief-file <file>', summary: 'Read the brief from a file ("-": standard input)' },
      { flags: '--name <name>', summary: 'What to call the plan (default: the first words of the brief)' },
      NO_WAIT,
    ],
    examples: ['cadre plan new "Notes can be searched by word"', 'cadre plan new --brief-file brief.md --name search'],
    more: [
      'Without a brief your editor opens. The planner reads the code, asks what only',
      'you can decide, and writes the plan; its questions are asked here. Ctrl-C',
      'detaches; "cadre plan <name>" continues.',
    ],
    load: () => import('../commands/workshop/plan-new.ts'),
  },
  {
    name: 'plan open',
    summary: 'Continue the workshop of a plan, or start one for it; "cadre plan <plan>" is the same',
    arguments: [{ ...PLAN, summary: 'A plan that is being planned, or a plan file to work out again' }],
    options: [{ flags: '--brief-file <file>', summary: 'What should change, for a plan without a workshop' }, NO_WAIT],
    examples: ['cadre plan open search', 'cadre plan open search --no-wait'],
    load: () => import('../commands/workshop/plan-open.ts'),
  },
  {
    name: 'plan approve',
    summary: 'Approve the plan of a workshop, and publish it in docs/plans',
    arguments: [PLAN],
    options: [{ flags: '--replace', summary: 'Replace a plan file that was edited since; the edit is kept' }],
    examples: ['cadre plan approve search', 'cadre plan approve search --replace'],
    load: () => import('../commands/workshop/plan-approve.ts'),
  },
  {
    name: 'plan reject',
    summary: 'Send the plan of a workshop back, with feedback; it is planned again',
    arguments: [PLAN],
    options: FEEDBACK,
    examples: [
      'cadre plan reject search --feedback "too many tasks"',
      'cadre plan reject search --feedback-file why.md',
    ],
    load: () => import('../commands/workshop/plan-reject.ts'),
  },
  {
    name: 'redo planning',
    summary: 'Plan again from the brief; the transcript and the earlier plan are kept',
    arguments: [PLAN],
    options: FEEDBACK,
    examples: ['cadre redo planning search', 'cadre redo planning search --feedback "without a database"'],
    load: () => import('../commands/workshop/redo-planning.ts'),
  },
  {
    name: 'plan continue',
    summary: 'Allow a planner more rounds, or let it try again',
    arguments: [PLAN],
    options: [],
    examples: ['cadre plan continue search', 'cadre plan continue search --json'],
    load: () => import('../commands/workshop/plan-continue.ts'),
  },
  {
    name: 'plan settle',
    summary: 'Have the plan written although the proposals still change',
    arguments: [PLAN],
    options: [],
    examples: ['cadre plan settle search', 'cadre plan settle search --json'],
    load: () => import('../commands/workshop/plan-settle.ts'),
  },
  {
    name: 'plan transcript',
    summary: 'Show what was said in the workshop of a plan',
    arguments: [PLAN],
    options: [],
    examples: ['cadre plan transcript search', 'cadre plan transcript search --json'],
    load: () => import('../commands/workshop/plan-transcript.ts'),
  },
  {
    name: 'plan archive',
    summary: 'Retire a plan that is done or cancelled, with its file and transcript',
    arguments: [PLAN],
    options: [],
    examples: ['cadre plan archive search', 'cadre plan archive search --json'],
    more: [
      'docs/plans/<plan>.md and the folder docs/plans/<plan> are moved to',
      'docs/plans/archive/<plan>. "cadre status --all" still shows the plan, and its name',
      'stays taken.',
    ],
    load: () => import('../commands/workshop/plan-archive.ts'),
  },
  {
    name: 'plan unarchive',
    summary: 'Bring an archived plan back to docs/plans',
    arguments: [PLAN],
    options: [],
    examples: ['cadre plan unarchive search', 'cadre plan unarchive search --json'],
    load: () => import('../commands/workshop/plan-unarchive.ts'),
  },
];
