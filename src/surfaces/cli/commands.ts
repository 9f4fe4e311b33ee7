// The table of commands. The program, its help and docs/cli.md are made from it.

import type { Run } from './context.ts';
import { EVENT_WORDS, SIGNAL_WORDS } from './words.ts';

export interface ArgumentSpec {
  readonly name: string;
  readonly required: boolean;
  readonly summary: string;
}

export interface OptionSpec {
  /** As commander writes it: `--limit <n>`. */
  readonly flags: string;
  readonly summary: string;
}

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** What `--json` prints. */
  readonly json: string;
  /** Said below the options in the command's help. */
  readonly more?: string;
  readonly load: () => Promise<{ readonly run: Run }>;
}

const PLAN: ArgumentSpec = {
  name: 'plan',
  required: true,
  summary: 'the plan: its file name, with or without ".md", or the beginning of it',
};

const STEP_JSON = '{"version":1,"plan":{..as in status..},"record":{..as in log..},"notes":[..]}';

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'register',
    summary: 'make a plan in docs/plans known to cadre',
    arguments: [{ name: 'plan', required: true, summary: 'the file in docs/plans, with or without ".md"' }],
    options: [
      { flags: '--description <text>', summary: 'what it is about (default: the first heading of the file)' },
      { flags: '--topic <topic>', summary: 'the topic it belongs to' },
    ],
    examples: ['cadre register 2026-11-search', 'cadre register docs/plans/search.md --topic search'],
    json: STEP_JSON,
    load: () => import('./commands/register.ts'),
  },
  {
    name: 'move',
    summary: 'send an event to a plan',
    arguments: [PLAN, { name: 'event', required: true, summary: `one of ${EVENT_WORDS}` }],
    options: [
      { flags: '--feedback <text>', summary: 'what has to change (with review_changes_requested)' },
      { flags: '--feedback-file <file>', summary: 'the same from a file, or from standard input with "-"' },
    ],
    examples: [
      'cadre move search plan_start',
      'cadre move search review_changes_requested --feedback "tests are missing"',
    ],
    json: STEP_JSON,
    load: () => import('./commands/move.ts'),
  },
  {
    name: 'cancel',
    summary: 'cancel a plan; its files and branches stay',
    arguments: [PLAN],
    options: [],
    examples: ['cadre cancel search'],
    json: STEP_JSON,
    load: () => import('./commands/cancel.ts'),
  },
  {
    name: 'reopen',
    summary: 'go back to planning with a cancelled plan',
    arguments: [PLAN],
    options: [],
    examples: ['cadre reopen search'],
    json: STEP_JSON,
    load: () => import('./commands/reopen.ts'),
  },
  {
    name: 'start-over',
    summary: 'go back to planning with a plan that is done',
    arguments: [PLAN],
    options: [],
    examples: ['cadre start-over search'],
    json: STEP_JSON,
    load: () => import('./commands/start-over.ts'),
  },
  {
    name: 'status',
    summary: 'show where every plan stands and what it waits for',
    arguments: [],
    options: [],
    examples: ['cadre status', 'cadre status --json'],
    json: '{"version":1,"repo":"/path","engine":{"pid":1,"command":".."}|null,"waitingSignals":0,"plans":[{"plan":"x.md","status":"planning","since":"..","waitingFor":{"who":"planner","for":["planner_finished"],"sentence":".."}|null,"next":["planner_finished","cancel"],"description":"","branch":"plan/x","topic":"","feedback":null,"difference":null}],"quarantined":0,"unregistered":["y.md"],"problems":[]}',
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'why',
    summary: 'tell why a plan stands where it stands, who has the next step, and the ways out',
    arguments: [PLAN],
    options: [],
    examples: ['cadre why search'],
    json: '{"version":1,"plan":{..as in status..},"owner":"planner"|"user"|..|null,"deadline":null,"waysOut":["cancel"],"history":[{..as in log..}],"engine":..,"waitingSignals":0,"refused":[..as in quarantine..]}',
    load: () => import('./commands/why.ts'),
  },
  {
    name: 'log',
    summary: 'show the journal, oldest first',
    arguments: [{ name: 'plan', required: false, summary: 'only what concerns this plan' }],
    options: [
      { flags: '-f, --follow', summary: 'go on with what is written from now on, until Ctrl-C' },
      { flags: '-n, --limit <n>', summary: 'only the last n records' },
    ],
    examples: ['cadre log', 'cadre log search --follow', 'cadre log --json --limit 20'],
    json: 'one record a line: {"version":1,"seq":7,"at":"..","by":"agent","session":null,"role":"planner","plan":"x.md","machine":"plan","event":"planner_finished","from":"planning","to":"ready","moves":[..],"signal":{..}|null,"effects":[..],"details":{..}}',
    load: () => import('./commands/log.ts'),
  },
  {
    name: 'signal',
    summary: 'say something as the agent of this session',
    arguments: [{ name: 'name', required: true, summary: 'the signal' }],
    options: [
      { flags: '--plan <plan>', summary: 'the plan it is about (default: the plan of the session)' },
      { flags: '--task <n>', summary: 'the task it is about (default: the task of the session)' },
      { flags: '--body-file <file>', summary: 'what is to be said besides: a file, or "-" for standard input' },
    ],
    examples: [
      'cadre signal implement-finished',
      'echo "the tests are missing" | cadre signal review-changes --plan search --body-file -',
    ],
    json: '{"version":1,"signal":"..","plan":"x.md","said":"now"|"before","willMove":{"from":"..","to":".."}|null,"engine":{..}|null}',
    more: SIGNAL_WORDS,
    load: () => import('./commands/signal.ts'),
  },
  {
    name: 'watch',
    summary: 'be the engine: take signals and do what follows, until Ctrl-C',
    arguments: [],
    options: [],
    examples: ['cadre watch', 'cadre watch --json'],
    json: 'one object a line: {"version":1,"engine":"ready"}, records as in log, {"version":1,"tell":".."}, {"version":1,"warning":".."}',
    load: () => import('./commands/watch.ts'),
  },
  {
    name: 'machines',
    summary: 'print the state machines',
    arguments: [{ name: 'machine', required: false, summary: 'plan, task, workshop or coder (default: all)' }],
    options: [{ flags: '--mermaid', summary: 'as Mermaid diagrams' }],
    examples: ['cadre machines plan', 'cadre machines --mermaid', 'cadre machines --json'],
    json: '{"version":1,"machines":{"plan":{"initial":"ready","states":[..],"final":[..],"transitions":[{"from","event","to","userOnly"}]},"task":{..},"workshop":{..},"coder":{..}}}',
    load: () => import('./commands/machines.ts'),
  },
  {
    name: 'adopt',
    summary: 'take the side of plan-state.json where it disagrees with the journal',
    arguments: [PLAN],
    options: [],
    examples: ['cadre adopt search'],
    json: STEP_JSON,
    load: () => import('./commands/adopt.ts'),
  },
  {
    name: 'quarantine',
    summary: 'see to signals that were refused',
    arguments: [
      { name: 'action', required: false, summary: 'list, show, retry or drop (default: list)' },
      { name: 'id', required: false, summary: 'which one, as "list" shows it' },
    ],
    options: [],
    examples: [
      'cadre quarantine',
      'cadre quarantine show q12',
      'cadre quarantine retry q12',
      'cadre quarantine drop q12',
    ],
    json: '{"version":1,"quarantined":[{"id":"q12","at":"..","code":"role","why":"..","name":"..","plan":"x.md","file":"/path"}]}; show adds "original" (the first bytes as text, or null); retry and drop answer {"version":1,"id":"q12","done":"retry"}',
    load: () => import('./commands/quarantine.ts'),
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
    json: '{"version":1,"checks":[{"name":"..","result":"ok"|"note"|"bad","sentence":".."}]}',
    load: () => import('./commands/doctor.ts'),
  },
];
