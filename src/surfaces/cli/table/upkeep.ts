// The settings, the machines, and the state of it all.
import type { CommandSpec } from './spec.ts';

export const UPKEEP: readonly CommandSpec[] = [
  {
    name: 'config show',
    summary: 'show the settings, and which file each comes from',
    arguments: [{ name: 'key', required: false, summary: 'show only this setting' }],
    options: [],
    examples: ['cadre config show', 'cadre config show max_parallel', 'cadre config show --json'],
    load: () => import('../commands/upkeep/config-show.ts'),
  },
  {
    name: 'config set',
    summary: 'change a setting for all projects, or for this one',
    arguments: [
      { name: 'key', required: true, summary: 'the setting; parts of it after dots, as in limits.relaunches' },
      { name: 'value', required: true, summary: 'a text, or JSON where the setting is no text' },
    ],
    options: [{ flags: '--project', summary: "in the main checkout's cadre.json" }],
    examples: [
      'cadre config set default_program codex',
      'cadre config set profiles.reviewer.program "claude --model opus"',
      'cadre config set --project verify \'["npm","test"]\'',
    ],
    load: () => import('../commands/upkeep/config-set.ts'),
  },
  {
    name: 'config check',
    summary: 'look for mistakes in the settings; exit 1 when there are any',
    arguments: [],
    options: [],
    examples: ['cadre config check'],
    load: () => import('../commands/upkeep/config-check.ts'),
  },
  {
    name: 'config path',
    summary: 'print where the files with the settings are, whether they are there or not',
    arguments: [],
    options: [],
    examples: ['cadre config path', 'cadre config path --json'],
    load: () => import('../commands/upkeep/config-path.ts'),
  },
  {
    name: 'machines',
    summary: 'print the state machines',
    arguments: [{ name: 'machine', required: false, summary: 'plan, task, workshop or coder (default: all)' }],
    options: [{ flags: '--mermaid', summary: 'as Mermaid diagrams' }],
    examples: ['cadre machines plan', 'cadre machines --mermaid', 'cadre machines --json'],
    load: () => import('../commands/views/machines.ts'),
  },
  {
    name: 'demo',
    summary: 'see a small plan being built, in a temporary repository and with scripted agents',
    arguments: [],
    options: [
      {
        flags: '--host <host>',
        summary: 'where the agents live: tmux or process (default: tmux, where it is installed)',
      },
      { flags: '--keep', summary: 'leave the repository and all that belongs to it, to look at' },
    ],
    examples: ['cadre demo', 'cadre demo --host process --keep'],
    more: 'Needs git, and neither a model nor the network. Ends by itself, and with 0 only if everything happened that it shows.',
    load: () => import('../commands/upkeep/demo.ts'),
  },
  {
    name: 'doctor',
    summary: 'look for what is wrong with this machine, this repository and its journal',
    arguments: [],
    options: [
      {
        flags: '--use-journal',
        summary: 'make plan-state.json anew from the journal; an unreadable one is kept beside it',
      },
    ],
    examples: ['cadre doctor', 'cadre doctor --use-journal'],
    load: () => import('../commands/upkeep/doctor.ts'),
  },
];
