// The table of commands. The program, its help and docs/cli.md are made from it.
import { AGENTS } from './agents.ts';
import { ENGINE } from './engine.ts';
import { PLAN_FILES } from './plan-files.ts';
import { PLANS } from './plans.ts';
import { SESSIONS } from './sessions.ts';
import type { CommandSpec } from './spec.ts';
import { TASKS } from './tasks.ts';
import { UPKEEP } from './upkeep.ts';
import { VIEWS } from './views.ts';

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
