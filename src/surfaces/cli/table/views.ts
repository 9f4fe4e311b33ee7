// Where everything stands, and how it got there.
import { type CommandSpec, PLAN } from './spec.ts';

export const VIEWS: readonly CommandSpec[] = [
  {
    name: 'status',
    summary: 'show where every plan stands, the tasks of the active one, and what needs you',
    arguments: [{ name: 'plan', required: false, summary: 'show only this plan, with its tasks' }],
    options: [{ flags: '--explain', summary: 'say for each session where its state is known from' }],
    examples: ['cadre status', 'cadre status search', 'cadre status --json'],
    load: () => import('../commands/views/status.ts'),
  },
  {
    name: 'why',
    summary: 'tell why a plan or a task stands where it stands, who has the next step, and the ways out',
    arguments: [
      {
        ...PLAN,
        required: false,
        summary: `${PLAN.summary}; with #<task>, that task of it (default: the active plan)`,
      },
      { name: 'task', required: false, summary: 'the task, where the first word names the plan alone' },
    ],
    options: [],
    examples: ['cadre why search', 'cadre why search#2', "cadre why '#2'"],
    load: () => import('../commands/views/why.ts'),
  },
  {
    name: 'log',
    summary: 'show the journal, oldest first',
    arguments: [{ name: 'plan', required: false, summary: 'only what concerns this plan' }],
    options: [
      { flags: '-f, --follow', summary: 'go on with what is written from now on, until Ctrl-C' },
      { flags: '-n, --limit <n>', summary: 'only the last n records' },
    ],
    examples: ['cadre log', 'cadre log search --follow', 'cadre log --json --limit 20'],
    load: () => import('../commands/views/log.ts'),
  },
];
