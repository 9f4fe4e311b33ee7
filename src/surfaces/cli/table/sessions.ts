// Sessions: agents in terminals of their own.
import type { ArgumentSpec, CommandSpec } from './spec.ts';

const SESSION: ArgumentSpec = {
  name: 'session',
  required: true,
  summary: 'the session: its name, or the beginning of its title',
};

export const SESSIONS: readonly CommandSpec[] = [
  {
    name: 'session new',
    summary: 'begin an agent in a worktree, a branch and a terminal of its own',
    arguments: [{ name: 'prompt', required: false, summary: 'what the agent is told first' }],
    options: [
      { flags: '-p, --program <program>', summary: 'the program, with its flags in one string (default: claude)' },
      { flags: '--title <title>', summary: 'what the session is called (default: the beginning of the prompt)' },
      {
        flags: '--env <names>',
        summary: 'environment variables that the program may see besides the usual ones, with commas',
      },
      { flags: '--prompt-file <file>', summary: 'the prompt from a file, or from standard input with "-"' },
    ],
    examples: ['cadre session new "Fix the flaky test"', 'cadre session new -p "aider --model gpt-5" --title docs'],
    load: () => import('../commands/sessions/session-new.ts'),
  },
  {
    name: 'session list',
    summary: 'show every session and how it is now',
    arguments: [],
    options: [
      { flags: '--all', summary: 'also those that were followed by another in their place' },
      { flags: '--paths', summary: 'the worktree of each, in place of a sentence about it' },
    ],
    examples: ['cadre session list', 'cadre session list --paths', 'cadre session list --json'],
    load: () => import('../commands/sessions/session-list.ts'),
  },
  {
    name: 'session attach',
    summary: 'see the terminal of a session in this one',
    arguments: [SESSION],
    options: [],
    examples: ['cadre session attach s7'],
    load: () => import('../commands/sessions/session-attach.ts'),
  },
  {
    name: 'session send',
    summary: 'say something to the agent, as one paste and one Enter',
    arguments: [SESSION, { name: 'text', required: false, summary: 'what is said' }],
    options: [{ flags: '--file <file>', summary: 'the text from a file, or from standard input with "-"' }],
    examples: ['cadre session send s7 "Go on with the tests"'],
    load: () => import('../commands/sessions/session-send.ts'),
  },
  {
    name: 'session switch',
    summary: 'put another program or role into the place of a session; uncommitted work stays as it is',
    arguments: [SESSION, { name: 'prompt', required: false, summary: 'what the next agent is told first' }],
    options: [
      { flags: '-p, --program <program>', summary: 'the program, with its flags in one string (default: the same)' },
      { flags: '--role <role>', summary: 'the role (default: the same)' },
      { flags: '--prompt-file <file>', summary: 'the prompt from a file, or from standard input with "-"' },
    ],
    examples: ['cadre session switch s7 -p codex "Review what is here"'],
    load: () => import('../commands/sessions/session-switch.ts'),
  },
  {
    name: 'session stop',
    summary: 'stop the program of a session and everything it started; its worktree and branch stay',
    arguments: [SESSION],
    options: [],
    examples: ['cadre session stop s7'],
    load: () => import('../commands/sessions/session-stop.ts'),
  },
  {
    name: 'session pause',
    summary: 'stop a session, commit what it left, and give its worktree back',
    arguments: [SESSION],
    options: [],
    examples: ['cadre session pause s7'],
    load: () => import('../commands/sessions/session-pause.ts'),
  },
  {
    name: 'session resume',
    summary: 'start the program of a session again, where it was',
    arguments: [SESSION, { name: 'prompt', required: false, summary: 'what the agent is told' }],
    options: [{ flags: '--prompt-file <file>', summary: 'the prompt from a file, or from standard input with "-"' }],
    examples: ['cadre session resume s7'],
    load: () => import('../commands/sessions/session-resume.ts'),
  },
  {
    name: 'session screen',
    summary: 'print what the terminal of a session shows',
    arguments: [SESSION],
    options: [],
    examples: ['cadre session screen s7'],
    load: () => import('../commands/sessions/session-screen.ts'),
  },
  {
    name: 'session log',
    summary: 'show what happened to a session',
    arguments: [SESSION],
    options: [],
    examples: ['cadre session log s7'],
    load: () => import('../commands/sessions/session-log.ts'),
  },
];
