// Commands that show how things are, and how they got there.
import { type CommandSpec, PLAN, SUBJECT } from './spec.ts';

export const VIEWS: readonly CommandSpec[] = [
  {
    name: 'status',
    summary: 'Show all plans, the tasks of the active one, and what needs you',
    arguments: [{ name: 'plan', required: false, summary: 'Show only this plan, with its tasks' }],
    options: [
      { flags: '--all', summary: 'Include archived plans' },
      { flags: '--explain', summary: 'Show how the state of each session is known' },
    ],
    examples: ['cadre status', 'cadre status search', 'cadre status --json'],
    load: () => import('../commands/views/status.ts'),
  },
  {
    name: 'questions',
    summary: 'List the open questions of all plans',
    arguments: [],
    options: [],
    examples: ['cadre questions', 'cadre questions --json'],
    load: () => import('../commands/tasks/questions.ts'),
  },
  {
    name: 'why',
    summary: 'Explain the state of a plan or task: whose turn it is, and what you can do',
    arguments: [
      {
        ...PLAN,
        required: false,
        summary: 'A plan, or with #<task> one of its tasks (default: the active plan)',
      },
      { name: 'task', required: false, summary: 'Number of the task, if the first argument names only the plan' },
    ],
    options: [],
    examples: ['cadre why search', 'cadre why search#2', "cadre why '#2'"],
    load: () => import('../commands/views/why.ts'),
  },
  {
    name: 'diff',
    summary: 'Show the changes of a task or of a whole plan',
    arguments: SUBJECT,
    options: [{ flags: '--stat', summary: 'Show only file names and line counts' }],
    examples: ['cadre diff search#2', 'cadre diff search --stat'],
    load: () => import('../commands/tasks/diff.ts'),
  },
  {
    name: 'log',
    summary: 'Show the journal, oldest record first',
    arguments: [{ name: 'plan', required: false, summary: 'Show only records of this plan' }],
    options: [
      { flags: '-f, --follow', summary: 'Keep printing new records until Ctrl-C' },
      { flags: '-n, --limit <n>', summary: 'Show only the last n records' },
    ],
    examples: ['cadre log', 'cadre log search --follow', 'cadre log --json --limit 20'],
    load: () => import('../commands/views/log.ts'),
  },
  {
    name: 'repl',
    summary: 'Type commands at a prompt, with completion and history',
    arguments: [],
    options: [],
    examples: ['cadre repl', 'cadre repl < commands.txt'],
    more: [
      'Every command works at the prompt, with or without a slash before it. "/plan" and',
      'a brief start planning, "/answer" answers what the planner asks; neither needs',
      'quotes. A command that names no plan means the one in planning, or else the active',
      'one.',
      '',
      'Standard input that is not a terminal is read line by line; lines that start with',
      '"#" are skipped. The exit code is that of the first command that failed, or 0.',
    ],
    load: () => import('../commands/views/repl.ts'),
  },
];
