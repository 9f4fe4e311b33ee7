// The engine.
import type { CommandSpec } from './spec.ts';

export const ENGINE: readonly CommandSpec[] = [
  {
    name: 'engine start',
    summary: 'start the engine of this repository in the background',
    arguments: [],
    options: [],
    examples: ['cadre engine start'],
    load: () => import('../commands/engine/engine-start.ts'),
  },
  {
    name: 'engine stop',
    summary: 'stop the engine of this repository; agents live on, and signals wait',
    arguments: [],
    options: [],
    examples: ['cadre engine stop'],
    load: () => import('../commands/engine/engine-stop.ts'),
  },
  {
    name: 'engine status',
    summary: 'tell whether an engine runs here, and what it is about',
    arguments: [],
    options: [],
    examples: ['cadre engine status'],
    load: () => import('../commands/engine/engine-status.ts'),
  },
  {
    name: 'watch',
    summary: 'be the engine: take signals and do what follows, until Ctrl-C',
    arguments: [],
    options: [],
    examples: ['cadre watch', 'cadre watch --json'],
    load: () => import('../commands/engine/watch.ts'),
  },
];
