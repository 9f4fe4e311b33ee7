// The first commands that somebody needs.
import { type CommandSpec, PLAN, PROGRAMS, YES } from './spec.ts';

export const START_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'Set up this repository: settings, a first plan, instructions for agents',
    arguments: [],
    options: [
      { flags: '--program <program>', summary: 'The agent to use by default, for all projects', values: PROGRAMS },
      { flags: '--remove', summary: 'Remove what cadre wrote, unless it was edited' },
      YES,
    ],
    examples: ['cadre init', 'cadre init --yes --program codex', 'cadre init --remove'],
    more: [
      'Looks at the repository and at the agents that are installed, shows what it would',
      'write, and asks. Writes cadre.json, docs/plans/first-plan.md where there is no plan,',
      'entries in .gitignore, and what agents have to know about plans: a section in',
      'AGENTS.md, and files for Claude Code and opencode. Run it again after an update: what',
      'you have edited stays as it is.',
    ],
    load: () => import('../commands/upkeep/init.ts'),
  },
  {
    name: 'rehearse',
    summary: 'Try a plan without a model: order, set-up, tests and conflicts',
    arguments: [{ ...PLAN, required: false, summary: `${PLAN.summary} (default: the active plan)` }],
    options: [{ flags: '--minutes <n>', summary: 'Give up after n minutes (default: 30)' }],
    examples: ['cadre rehearse first-plan', 'cadre rehearse search --json'],
    more: [
      'Builds the plan in a temporary clone of what is checked out, with the setup and test',
      'commands of the project. Scripted agents add a comment to the files that each task',
      'names. The repository is not touched, and no model is used.',
      '',
      'Exit codes: 0 all tasks would be merged; 1 one would not.',
    ],
    load: () => import('../commands/plans/rehearse.ts'),
  },
];
