// Commands on plan files.
import { DIALECT_NAMES } from '../../../plan/foreign/dialect.ts';
import type { ArgumentSpec, CommandSpec } from './spec.ts';

const PLAN_FILE: ArgumentSpec = {
  name: 'file',
  required: false,
  summary: 'A path, or a plan in docs/plans by its name (default: the active plan)',
};

const FORMATS = `One of ${DIALECT_NAMES.join(', ')}`;

export const PLAN_FILES: readonly CommandSpec[] = [
  {
    name: 'plan list',
    summary: 'List the plans, and the files in docs/plans that are not registered',
    arguments: [],
    options: [{ flags: '--all', summary: 'Include archived plans' }],
    examples: ['cadre plan list', 'cadre plan list --all --json'],
    load: () => import('../commands/plan-files/plan-list.ts'),
  },
  {
    name: 'plan show',
    summary: 'Show the phases, tasks, files and steps of a plan',
    arguments: [PLAN_FILE],
    options: [],
    examples: ['cadre plan show', 'cadre plan show docs/plans/search.md --json'],
    load: () => import('../commands/plan-files/plan-show.ts'),
  },
  {
    name: 'plan lint',
    summary: 'Check a plan for problems; exit with 1 if there are any',
    arguments: [PLAN_FILE],
    options: [],
    examples: ['cadre plan lint search', 'cadre plan lint draft.md --json'],
    load: () => import('../commands/plan-files/plan-lint.ts'),
  },
  {
    name: 'plan diff',
    summary: 'Show what changed in a plan since its tasks were launched, or from one file to another',
    arguments: [
      {
        name: 'file',
        required: false,
        summary: 'The plan (default: the active plan); with a second file, the older one',
      },
      { name: 'other', required: false, summary: 'The file to compare it with' },
    ],
    options: [],
    examples: ['cadre plan diff search', 'cadre plan diff old.md new.md'],
    load: () => import('../commands/plan-files/plan-diff.ts'),
  },
  {
    name: 'plan import',
    summary: 'Make a plan out of the task file of another tool',
    arguments: [
      { name: 'file', required: true, summary: 'tasks.md or tasks.json of another tool, or a list of checkboxes' },
    ],
    options: [
      {
        flags: '--to <plan>',
        summary: 'Name of the plan to create in docs/plans (default: after the file or its folder)',
      },
      { flags: '--format <format>', summary: `${FORMATS} (default: auto)`, values: DIALECT_NAMES },
      { flags: '--tag <tag>', summary: 'Which list of a tasks.json with several (default: master)' },
      { flags: '--all', summary: 'Also import tasks that are done, cancelled or deferred' },
      { flags: '--dry-run', summary: 'Print the plan; write nothing' },
    ],
    examples: [
      'cadre plan import specs/001-search/tasks.md',
      'cadre plan import .taskmaster/tasks/tasks.json --to search',
      'cadre plan import TODO.md --dry-run',
    ],
    more: [
      'Creates docs/plans/<plan>.md and changes nothing else. A plan that exists is',
      'never replaced. What was left out or changed is printed.',
    ],
    load: () => import('../commands/plan-files/plan-import.ts'),
  },
  {
    name: 'plan export',
    summary: 'Print a plan in the format of another tool, with done tasks checked off',
    arguments: [PLAN_FILE],
    options: [
      { flags: '--to <format>', summary: FORMATS, values: DIALECT_NAMES },
      { flags: '--output <file>', summary: 'Write it to a file that does not exist yet' },
    ],
    examples: [
      'cadre plan export search --to openspec',
      'cadre plan export search --to task-master --output tasks.json',
    ],
    load: () => import('../commands/plan-files/plan-export.ts'),
  },
  {
    name: 'plan use',
    summary: 'Choose the active plan',
    arguments: [
      { name: 'plan', required: false, summary: 'A plan in docs/plans; it is registered if it is not already' },
    ],
    options: [{ flags: '--newest', summary: 'Return to the default: the plan whose file changed last' }],
    examples: ['cadre plan use search', 'cadre plan use --newest'],
    load: () => import('../commands/plan-files/plan-use.ts'),
  },
];
