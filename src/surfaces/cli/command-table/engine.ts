// The engine.
import type { CommandSpec } from './spec.ts';

export const ENGINE: readonly CommandSpec[] = [
  {
    name: 'watch',
    summary: 'be the engine: take signals and do what follows, until Ctrl-C',
    arguments: [],
    options: [],
    examples: ['cadre watch', 'cadre watch --json'],
    json: 'one object a line: {"version":1,"engine":"ready"}, records as in log, {"version":1,"tell":".."}, {"version":1,"warning":".."}',
    load: () => import('../commands/watch.ts'),
  },
];
