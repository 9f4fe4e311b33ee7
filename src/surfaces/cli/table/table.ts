// The table of commands. The program, its help and docs/cli.md are generated from it.
import { AGENTS } from './agents.ts';
import { ENGINE } from './engine.ts';
import { FINDINGS } from './findings.ts';
import { PLAN_FILES } from './plan-files.ts';
import { PLANS } from './plans.ts';
import { SESSIONS } from './sessions.ts';
import type { CommandSpec } from './spec.ts';
import { START_COMMANDS } from './start.ts';
import { TASKS } from './tasks.ts';
import { UPKEEP } from './upkeep.ts';
import { VIEWS } from './views.ts';
import { WORKSHOP } from './workshop.ts';

/** The commands of two words, by the first word. */
export const GROUPS: { readonly [name: string]: string } = {
  plan: 'Work out plans with a planner, inspect plan files, choose the active plan',
  redo: 'Do a part of the work again',
  finding: 'Decide about what reviews found',
  config: 'Show and change the settings',
  notify: 'Try how you are notified',
  engine: 'Start, stop and check the engine',
  session: 'Run agents in their own worktrees and terminals',
};

/** The sections of "cadre --help". */
export const SECTIONS: readonly { readonly title: string; readonly commands: readonly CommandSpec[] }[] = [
  { title: 'Get started', commands: START_COMMANDS },
  { title: 'Plans', commands: [...PLANS, ...WORKSHOP, ...PLAN_FILES] },
  { title: 'Overview', commands: VIEWS },
  { title: 'Tasks', commands: [...TASKS, ...FINDINGS] },
  { title: 'Engine and sessions', commands: [...ENGINE, ...SESSIONS] },
  { title: 'Agents', commands: AGENTS },
  { title: 'Settings and diagnostics', commands: UPKEEP },
];

export const COMMANDS: readonly CommandSpec[] = SECTIONS.flatMap(({ commands }) => commands);
