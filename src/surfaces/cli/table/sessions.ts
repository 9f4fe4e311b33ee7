// Commands on sessions: agents in their own terminals.
import { type ArgumentSpec, type CommandSpec, PROGRAMS, PROMPT_FILE, SESSION_ROLES, YES } from './spec.ts';

const SESSION: ArgumentSpec = {
  name: 'session',
  required: true,
  summary: 'Id of the session, or the beginning of its title',
};

export const SESSIONS: readonly CommandSpec[] = [
  {
    name: 'session new',
    summary: 'Start an agent in its own worktree, branch and terminal',
    arguments: [{ name: 'prompt', required: false, summary: 'First prompt for the agent' }],
    options: [
      {
        flags: '-p, --program <program>',
        summary: 'Program and its flags, as one string (default: the default_program setting)',
        values: PROGRAMS,
      },
      { flags: '--title <title>', summary: 'Title of the session (default: the first words of the prompt)' },
      {
        flags: '--role <role>',
        summary: 'What the agent may signal: a planner that a plan is written, for example',
        values: SESSION_ROLES,
      },
      { flags: '--plan <plan>', summary: 'With --role planner: the plan to write; the prompt says what is wanted' },
      { flags: '--env <names>', summary: 'More environment variables that the program may see, separated by commas' },
      PROMPT_FILE,
    ],
    examples: [
      'cadre session new "Fix the flaky test"',
      'cadre session new -p "aider --model gpt-5" --title docs',
      'cadre session new --role planner --plan search "Notes can be searched by word"',
    ],
    load: () => import('../commands/sessions/session-new.ts'),
  },
  {
    name: 'session list',
    summary: 'List sessions and what each one is doing',
    arguments: [],
    options: [
      { flags: '--all', summary: 'Include sessions that are over, or that another one has replaced' },
      { flags: '--paths', summary: 'Show the worktree of each session instead of a description' },
    ],
    examples: ['cadre session list', 'cadre session list --paths', 'cadre session list --json'],
    load: () => import('../commands/sessions/session-list.ts'),
  },
  {
    name: 'session attach',
    summary: 'Attach this terminal to the one of a session',
    arguments: [SESSION],
    options: [],
    examples: ['cadre session attach s7', 'cadre session attach "Fix the"'],
    load: () => import('../commands/sessions/session-attach.ts'),
  },
  {
    name: 'session send',
    summary: 'Send text to an agent, as one paste and one Enter',
    arguments: [SESSION, { name: 'text', required: false, summary: 'The text to send' }],
    options: [{ flags: '--file <file>', summary: 'Read the text from a file ("-": standard input)' }],
    examples: ['cadre session send s7 "Run the tests again"', 'cadre session send s7 --file notes.md'],
    load: () => import('../commands/sessions/session-send.ts'),
  },
  {
    name: 'session switch',
    summary: 'Replace the program or role of a session; uncommitted work stays',
    arguments: [SESSION, { name: 'prompt', required: false, summary: 'First prompt for the new agent' }],
    options: [
      {
        flags: '-p, --program <program>',
        summary: 'Program and its flags, as one string (default: the same)',
        values: PROGRAMS,
      },
      { flags: '--role <role>', summary: 'Role of the new agent (default: the same)', values: SESSION_ROLES },
      PROMPT_FILE,
    ],
    examples: [
      'cadre session switch s7 -p codex "Review this branch"',
      'cadre session switch s7 --prompt-file next.md',
    ],
    load: () => import('../commands/sessions/session-switch.ts'),
  },
  {
    name: 'session stop',
    summary: 'Stop a session and everything it started; worktree and branch stay',
    arguments: [SESSION],
    options: [YES],
    examples: ['cadre session stop s7', 'cadre session stop s7 --yes'],
    load: () => import('../commands/sessions/session-stop.ts'),
  },
  {
    name: 'session pause',
    summary: 'Stop a session, commit its work and remove its worktree',
    arguments: [SESSION],
    options: [YES],
    examples: ['cadre session pause s7', 'cadre session pause s7 --yes'],
    load: () => import('../commands/sessions/session-pause.ts'),
  },
  {
    name: 'session resume',
    summary: 'Start the program of a session again, where it left off',
    arguments: [SESSION, { name: 'prompt', required: false, summary: 'Prompt for the agent' }],
    options: [PROMPT_FILE],
    examples: ['cadre session resume s7', 'cadre session resume s7 "Now run the tests"'],
    load: () => import('../commands/sessions/session-resume.ts'),
  },
  {
    name: 'session screen',
    summary: 'Print what the terminal of a session shows',
    arguments: [SESSION],
    options: [],
    examples: ['cadre session screen s7', 'cadre session screen s7 --json'],
    load: () => import('../commands/sessions/session-screen.ts'),
  },
  {
    name: 'session log',
    summary: 'Show the history of a session',
    arguments: [SESSION],
    options: [],
    examples: ['cadre session log s7', 'cadre session log s7 --json'],
    load: () => import('../commands/sessions/session-log.ts'),
  },
];
