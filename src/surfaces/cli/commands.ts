// The table of commands. The program, its help and docs/cli.md are made from it.
import { AGENTS } from './command-table/agents.ts';
import { ENGINE } from './command-table/engine.ts';
import { PLAN_FILES } from './command-table/plan-files.ts';
import { PLANS } from './command-table/plans.ts';
import { SESSIONS } from './command-table/sessions.ts';
import type { CommandSpec } from './command-table/spec.ts';
import { TASKS } from './command-table/tasks.ts';
import { UPKEEP } from './command-table/upkeep.ts';
import { VIEWS } from './command-table/views.ts';

/** What the commands of two words have in common. */
export const GROUPS: { readonly [name: string]: string } = {
  plan: 'look into the files of plans',
  config: 'see and change the settings',
  engine: 'the process that builds',
  session: 'agents in terminals and worktrees of their own',
};

export const COMMANDS: readonly CommandSpec[] = [
  ...PLANS,
  ...PLAN_FILES,
  ...TASKS,
  ...VIEWS,
  ...ENGINE,
  ...SESSIONS,
  ...AGENTS,
  ...UPKEEP,
];
