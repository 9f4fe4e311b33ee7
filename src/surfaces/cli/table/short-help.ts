// The short help of "cadre --help": the commands that most people need, by what they want to do. "cadre help --all" has all.

export interface HelpTopic {
  readonly title: string;
  /** How a command is typed, and what it does; one line each. */
  readonly commands: readonly (readonly [string, string])[];
}

export const TOPICS: readonly HelpTopic[] = [
  {
    title: 'Start',
    commands: [
      ['init', 'Set up this repository, with a first plan'],
      ['demo', 'Watch scripted agents build a small plan'],
      ['doctor', 'Check this machine and this repository'],
      ['config set', 'Change a setting, such as the agent program'],
    ],
  },
  {
    title: 'Plan',
    commands: [
      ['plan new "..."', 'Work out a plan from a brief, with a planner'],
      ['plan lint [file]', 'Check a plan file for problems'],
      ['rehearse [plan]', 'Try a plan without a model, in a temporary clone'],
    ],
  },
  {
    title: 'Build',
    commands: [
      ['run [plan]', 'Build a plan and follow its progress'],
      ['status [plan]', 'Show the plans, their tasks, and what needs you'],
      ['why [plan] [task]', 'Explain whose turn it is, and what you can do'],
      ['diff [plan] [task]', 'Show what was changed'],
      ['pause, resume', 'Stop the agents, and let them continue'],
    ],
  },
  {
    title: 'Decide',
    commands: [
      ['answer [task] "..."', 'Answer a question of an agent or planner'],
      ['approve, reject', 'Approve work, or send it back with feedback'],
      ['retry [task]', 'Relaunch a task that failed'],
    ],
  },
  {
    title: 'Finish',
    commands: [
      ['land <plan>', 'Merge a finished plan, or see how to'],
      ['cancel <plan>', 'Cancel a plan; what was built is kept'],
    ],
  },
];

/** With the prompt of a shell below it, it fits on a terminal of 80 columns and 24 lines. */
export function shortHelp(): string {
  const wide = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length)) + 2;
  const title = wide(TOPICS.map((topic) => topic.title));
  const typed = wide(TOPICS.flatMap(({ commands }) => commands.map(([words]) => words)));
  const lines = TOPICS.flatMap((topic) =>
    topic.commands.map(
      ([words, does], index) => `${(index === 0 ? topic.title : '').padEnd(title)}${words.padEnd(typed)}${does}`,
    ),
  );
  return [
    'Usage: cadre <command> [options]    Builds markdown plans with coding agents.',
    '',
    ...lines,
    '',
    'Without a command, on a terminal, it opens the interface; -p names its agent.',
    'All take --json, --color auto|always|never, -q (quiet) and -v (verbose).',
    '"cadre help --all" lists all commands, "cadre <command> --help" explains one.',
    '',
  ].join('\n');
}
