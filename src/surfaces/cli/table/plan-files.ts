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
    json: '{"version":1,"plan":{"filePath":"..","title":"..","goal":"..","architecture":null,"techStack":null,"phases":[{"number":1,"name":"..","parallel":false,"line":9,"tasks":[{"number":1,"name":"..","address":"1","dependsOn":null,"files":[{"action":"create","path":"..","lines":null,"line":13}],"steps":[{"number":1,"description":"..","command":"..","expected":"..","line":16}],"commitMessage":"..","rawText":"..","line":11,"start":210}]}]},"problems":[..as in plan lint..]}',
    load: () => import('../commands/plan-files/plan-show.ts'),
  },
  {
    name: 'plan lint',
    summary: 'look for mistakes in a plan; exit 1 when there are any',
    arguments: [PLAN_FILE],
    options: [],
    examples: ['cadre plan lint search', 'cadre plan lint draft.md --json'],
    json: '{"version":1,"file":"..","usable":true,"problems":[{"line":3,"column":1,"severity":"error"|"warning"|"advice","code":"..","message":".."}]}',
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
    json: '{"version":1,"file":"..","changes":[{"kinds":["renumbered","changed"],"before":{"task":"2","name":".."}|null,"after":{"task":"3","name":".."}|null,"state":"planned","means":[".."],"text":{"line":4,"removed":[".."],"added":[".."]}|null}],"problems":[..errors that keep the file from being used..]}',
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
    json: '{"version":1,"active":"x.md"|null,"chosen":true}',
    load: () => import('../commands/plan-files/plan-use.ts'),
  },
];
