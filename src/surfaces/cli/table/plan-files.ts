// The files of plans.
import type { ArgumentSpec, CommandSpec } from './spec.ts';

const PLAN_FILE: ArgumentSpec = {
  name: 'file',
  required: false,
  summary: 'a path, or a plan in docs/plans by its name or the beginning of it (default: the active plan)',
};

export const PLAN_FILES: readonly CommandSpec[] = [
  {
    name: 'plan show',
    summary: 'show what cadre reads in a plan: phases, tasks, files, steps',
    arguments: [PLAN_FILE],
    options: [],
    examples: ['cadre plan show', 'cadre plan show docs/plans/search.md --json'],
    load: () => import('../commands/plan-files/plan-show.ts'),
  },
  {
    name: 'plan lint',
    summary: 'look for mistakes in a plan; exit 1 when there are any',
    arguments: [PLAN_FILE],
    options: [],
    examples: ['cadre plan lint search', 'cadre plan lint draft.md --json'],
    load: () => import('../commands/plan-files/plan-lint.ts'),
  },
  {
    name: 'plan diff',
    summary: 'show how a plan in docs/plans differs from what its tasks were launched with, or one file from another',
    arguments: [
      {
        name: 'file',
        required: false,
        summary: 'the plan (default: the active plan); with a second file, the older one',
      },
      { name: 'other', required: false, summary: 'the file to compare it with' },
    ],
    options: [],
    examples: ['cadre plan diff search', 'cadre plan diff old.md new.md'],
    load: () => import('../commands/plan-files/plan-diff.ts'),
  },
  {
    name: 'plan use',
    summary: 'choose the plan to work on; until then it is the one that was changed last',
    arguments: [
      { name: 'plan', required: false, summary: 'the plan in docs/plans; it is registered if it is not yet' },
    ],
    options: [{ flags: '--newest', summary: 'go back to the plan that was changed last' }],
    examples: ['cadre plan use search', 'cadre plan use --newest'],
    load: () => import('../commands/plan-files/plan-use.ts'),
  },
];
