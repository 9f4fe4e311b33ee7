// Commands that agents use, and the quarantine for what they may not say.
import { SIGNAL_WORDS } from '../text/words.ts';
import { type CommandSpec, YES } from './spec.ts';

export const AGENTS: readonly CommandSpec[] = [
  {
    name: 'signal',
    summary: 'Send a signal, as the agent of this session',
    arguments: [{ name: 'name', required: true, summary: 'The signal' }],
    options: [
      { flags: '--plan <plan>', summary: 'The plan it is about (default: the plan of the session)' },
      { flags: '--task <n>', summary: 'The task it is about (default: the task of the session)' },
      { flags: '--body-file <file>', summary: 'Read the body from a file ("-": standard input)' },
    ],
    examples: [
      'cadre signal implement-finished',
      'echo "the tests are missing" | cadre signal review-changes --plan search --body-file -',
    ],
    more: SIGNAL_WORDS,
    load: () => import('../commands/agents/signal.ts'),
  },
  {
    name: 'hook',
    summary: 'Report what an agent program is doing; the programs call this',
    arguments: [
      { name: 'session', required: true, summary: 'The session whose program reports' },
      {
        name: 'report',
        required: false,
        summary: "The report, in the program's own format (default: standard input)",
      },
    ],
    options: [],
    examples: ['cadre hook s7 < report.json', `cadre hook s7 '{"type":"agent-turn-complete"}'`],
    more: ['Prints nothing and never exits with 2, so that a failure here does not stop', 'the program.'],
    load: () => import('../commands/agents/hook.ts'),
  },
  {
    name: 'mcp',
    summary: 'Serve tools to an agent over MCP, on standard input and output',
    arguments: [],
    options: [],
    examples: ['cadre mcp', 'cadre mcp < requests.jsonl'],
    more: [
      'In a session of cadre the tools are those of its role: "finished", "review",',
      '"ask" and so on; each sends the signal that the agent may send. Anywhere else',
      'they are for your own chat agent: it can look at plans, build them and pass on',
      'your answers. No tool approves anything: that is for you, in a terminal.',
      'With Claude Code: "claude mcp add cadre -- cadre mcp".',
    ],
    load: () => import('../commands/agents/mcp.ts'),
  },
  {
    name: 'quarantine',
    summary: 'List, show, retry or drop refused signals',
    arguments: [
      { name: 'action', required: false, summary: 'list, show, retry or drop (default: list)' },
      { name: 'id', required: false, summary: 'Id of the refused signal, as "list" shows it' },
    ],
    options: [{ flags: '--all', summary: 'With drop: every refused signal' }, YES],
    examples: [
      'cadre quarantine',
      'cadre quarantine show q12',
      'cadre quarantine retry q12',
      'cadre quarantine drop q12',
      'cadre quarantine drop --all',
    ],
    load: () => import('../commands/upkeep/quarantine.ts'),
  },
];
