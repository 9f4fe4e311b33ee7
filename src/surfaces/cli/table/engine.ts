// The engine.
import type { CommandSpec } from './spec.ts';

export const ENGINE: readonly CommandSpec[] = [
  {
    name: 'engine start',
    summary: 'start the engine of this repository in the background',
    arguments: [],
    options: [],
    examples: ['cadre engine start'],
    json: '{"version":1,"engine":{"pid":7,"command":".."},"log":"/path"}',
    load: () => import('../commands/engine/engine-start.ts'),
  },
  {
    name: 'engine stop',
    summary: 'stop the engine of this repository; agents live on, and signals wait',
    arguments: [],
    options: [],
    examples: ['cadre engine stop'],
    json: '{"version":1,"stopped":{"pid":7,"command":".."}|null}',
    load: () => import('../commands/engine/engine-stop.ts'),
  },
  {
    name: 'engine status',
    summary: 'tell whether an engine runs here, and what it is about',
    arguments: [],
    options: [],
    examples: ['cadre engine status'],
    json: '{"version":1,"engine":{"pid":7,"command":".."}|null,"toDo":3,"frozen":false,"log":"/path"}',
    load: () => import('../commands/engine/engine-status.ts'),
  },
  {
    name: 'watch',
    summary: 'be the engine: take signals and do what follows, until Ctrl-C',
    arguments: [],
    options: [],
    examples: ['cadre watch', 'cadre watch --json'],
    json: 'one object a line: {"version":1,"engine":"ready"}, records as in log, {"version":1,"tell":".."}, {"version":1,"warning":".."}',
    load: () => import('../commands/engine/watch.ts'),
  },
];
