// Commands on plan files.
import type { ArgumentSpec, CommandSpec } from './spec.ts';

const PLAN_FILE: ArgumentSpec = {
  name: 'file',
  required: false,
  summary: 'A path, or a plan in docs/plans by its name (default: the active plan)',
};

export const PLAN_FILES: readonly CommandSpec[] = [
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
