// Commands on the settings and on cadre itself.
import type { CommandSpec } from './spec.ts';

export const UPKEEP: readonly CommandSpec[] = [
  {
    name: 'config show',
    summary: 'Show the settings, and which file each one comes from',
    arguments: [{ name: 'key', required: false, summary: 'Show only this setting' }],
    options: [],
    examples: ['cadre config show', 'cadre config show max_parallel', 'cadre config show --json'],
    load: () => import('../commands/upkeep/config-show.ts'),
  },
  {
    name: 'config set',
    summary: 'Change a setting, for all projects or for this one',
    arguments: [
      { name: 'key', required: true, summary: 'The setting, such as max_parallel or limits.relaunches' },
      { name: 'value', required: true, summary: 'The value; JSON unless the setting is text' },
    ],
    options: [{ flags: '--project', summary: "Write to the project's cadre.json, in the main checkout" }],
    examples: [
      'cadre config set default_program codex',
      'cadre config set profiles.reviewer.program "claude --model opus"',
      'cadre config set --project verify \'["npm","test"]\'',
    ],
    load: () => import('../commands/upkeep/config-set.ts'),
  },
  {
    name: 'config check',
    summary: 'Check the settings; exit with 1 if there are problems',
    arguments: [],
    options: [],
    examples: ['cadre config check'],
    load: () => import('../commands/upkeep/config-check.ts'),
  },
  {
    name: 'config path',
    summary: 'Print the paths of the settings files, whether they exist or not',
    arguments: [],
    options: [],
    examples: ['cadre config path', 'cadre config path --json'],
    load: () => import('../commands/upkeep/config-path.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check this machine, this repository and its journal',
    arguments: [],
    options: [
      {
        flags: '--use-journal',
        summary: 'Rebuild plan-state.json from the journal; an unreadable one is kept beside it',
      },
    ],
    examples: ['cadre doctor', 'cadre doctor --use-journal'],
    load: () => import('../commands/upkeep/doctor.ts'),
  },
  {
    name: 'machines',
    summary: 'Print the state machines',
    arguments: [{ name: 'machine', required: false, summary: 'plan, task, workshop or coder (default: all)' }],
    options: [{ flags: '--mermaid', summary: 'Print Mermaid diagrams' }],
    examples: ['cadre machines plan', 'cadre machines --mermaid', 'cadre machines --json'],
    load: () => import('../commands/views/machines.ts'),
  },
  {
    name: 'demo',
    summary: 'Watch scripted agents build a small plan in a temporary repository',
    arguments: [],
    options: [
      { flags: '--host <host>', summary: 'Where agents run: tmux or process (default: tmux if it is installed)' },
      { flags: '--keep', summary: 'Keep the repository and everything that belongs to it' },
    ],
    examples: ['cadre demo', 'cadre demo --host process --keep'],
    more: ['Needs git, but no model, no key and no network. Exits with 0 only if everything', 'happened as promised.'],
    load: () => import('../commands/upkeep/demo.ts'),
  },
];
