// Commands on the engine.
import type { CommandSpec } from './spec.ts';

export const ENGINE: readonly CommandSpec[] = [
  {
    name: 'engine start',
    summary: 'Start the engine in the background',
    arguments: [],
    options: [],
    examples: ['cadre engine start'],
    load: () => import('../commands/engine/engine-start.ts'),
  },
  {
    name: 'engine stop',
    summary: 'Stop the engine; agents keep running, and their signals wait',
    arguments: [],
    options: [],
    examples: ['cadre engine stop'],
    load: () => import('../commands/engine/engine-stop.ts'),
  },
  {
    name: 'engine status',
    summary: 'Show whether an engine is running, and what it still has to do',
    arguments: [],
    options: [],
    examples: ['cadre engine status'],
    load: () => import('../commands/engine/engine-status.ts'),
  },
  {
    name: 'watch',
    summary: 'Run the engine in the foreground until Ctrl-C',
    arguments: [],
    options: [],
    examples: ['cadre watch', 'cadre watch --json'],
    load: () => import('../commands/engine/watch.ts'),
  },
  {
    name: 'freeze',
    summary: 'Start nothing new in this repository; running work continues',
    arguments: [],
    options: [],
    examples: ['cadre freeze'],
    load: () => import('../commands/plans/freeze.ts'),
  },
  {
    name: 'thaw',
    summary: 'Continue after a freeze',
    arguments: [],
    options: [],
    examples: ['cadre thaw'],
    load: () => import('../commands/plans/thaw.ts'),
  },
];
