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

const SESSION_JSON =
  '{"version":1,"session":{"session":"s7","title":"..","role":"unknown","program":"claude","branch":"cadre/adhoc/..","worktree":"/path"|null,"state":"running","since":"..","sentence":"..","source":"journal"|"host"|"hook"|"screen"|"output","activity":{"doing":"works"|"waits"|"asks-permission"|"asks-trust"|"quota"|"crashed"|"unclear","about":".."|null,"source":".."}|null}}';

const STEP_JSON = '{"version":1,"plan":{..as in status..},"record":{..as in log..},"notes":[..]}';

/** What the commands of two words have in common. */
export const GROUPS: { readonly [name: string]: string } = {
  plan: 'look into the files of plans',
  config: 'see and change the settings',
  engine: 'the process that builds',
  session: 'agents in terminals and worktrees of their own',
};

const PLAN_FILE: ArgumentSpec = {
  name: 'file',
  required: false,
  summary: 'a path, or a plan in docs/plans by its name or the beginning of it (default: the active plan)',
};

const SESSION: ArgumentSpec = {
  name: 'session',
  required: true,
  summary: 'the session: its name, or the beginning of its title',
};

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
    name: 'run',
    summary: 'build a plan, and watch it being built',
    arguments: [{ ...PLAN, required: false, summary: `${PLAN.summary} (default: the active plan)` }],
    options: [
      { flags: '--headless', summary: 'agents without terminals, as plain processes' },
      { flags: '--max-parallel <n>', summary: 'how many tasks may be at work at once' },
      { flags: '--dry-run', summary: 'tell in which order and with which programs, and change nothing' },
    ],
    examples: ['cadre run docs/plans/search.md', 'cadre run search --dry-run', 'cadre run search --json'],
    json: 'a stream: {"version":1,"run":"x.md","engine":{..}}, then one record a line as in log, at last {"version":1,"end":"done"|"person"|"budget"|"cancelled","plan":"x.md","sentence":"..","waiting":[{"task":"2"|null,"sentence":".."}]}; the same where the output is no terminal',
    more: 'The engine runs in the background and goes on when this is left with Ctrl-C. Exit codes: 0 done, 1 cancelled, 3 waits for a person, 4 has used up its turns, 5 nothing to verify with or no program.',
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'engine start',
    summary: 'start the engine of this repository in the background',
    arguments: [],
    options: [],
    examples: ['cadre engine start'],
    json: '{"version":1,"engine":{"pid":7,"command":".."},"log":"/path"}',
    load: () => import('./commands/engine-start.ts'),
  },
  {
    name: 'engine stop',
    summary: 'stop the engine of this repository; agents live on, and signals wait',
    arguments: [],
    options: [],
    examples: ['cadre engine stop'],
    json: '{"version":1,"stopped":{"pid":7,"command":".."}|null}',
    load: () => import('./commands/engine-stop.ts'),
  },
  {
    name: 'engine status',
    summary: 'tell whether an engine runs here, and what it is about',
    arguments: [],
    options: [],
    examples: ['cadre engine status'],
    json: '{"version":1,"engine":{"pid":7,"command":".."}|null,"toDo":3,"frozen":false,"log":"/path"}',
    load: () => import('./commands/engine-status.ts'),
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
    name: 'plan show',
    summary: 'show what cadre reads in a plan: phases, tasks, files, steps',
    arguments: [PLAN_FILE],
    options: [],
    examples: ['cadre plan show', 'cadre plan show docs/plans/search.md --json'],
    json: '{"version":1,"plan":{"filePath":"..","title":"..","goal":"..","architecture":null,"techStack":null,"phases":[{"number":1,"name":"..","parallel":false,"line":9,"tasks":[{"number":1,"name":"..","address":"1","dependsOn":null,"files":[{"action":"create","path":"..","lines":null,"line":13}],"steps":[{"number":1,"description":"..","command":"..","expected":"..","line":16}],"commitMessage":"..","rawText":"..","line":11,"start":210}]}]},"problems":[..as in plan lint..]}',
    load: () => import('./commands/plan-show.ts'),
  },
  {
    name: 'plan lint',
    summary: 'look for mistakes in a plan; exit 1 when there are any',
    arguments: [PLAN_FILE],
    options: [],
    examples: ['cadre plan lint search', 'cadre plan lint draft.md --json'],
    json: '{"version":1,"file":"..","usable":true,"problems":[{"line":3,"column":1,"severity":"error"|"warning"|"advice","code":"..","message":".."}]}',
    load: () => import('./commands/plan-lint.ts'),
  },
  {
    name: 'plan diff',
    summary: 'show how a plan in docs/plans differs from what its tasks were launched with, or one file from another',
    arguments: [
      {
        name: 'file',
        required: false,
        summary: 'the plan (default: the active plan); with a second file, the older one',
      },
      { name: 'other', required: false, summary: 'the file to compare it with' },
    ],
    options: [],
    examples: ['cadre plan diff search', 'cadre plan diff old.md new.md'],
    json: '{"version":1,"file":"..","changes":[{"kinds":["renumbered","changed"],"before":{"task":"2","name":".."}|null,"after":{"task":"3","name":".."}|null,"state":"planned","means":[".."],"text":{"line":4,"removed":[".."],"added":[".."]}|null}],"problems":[..errors that keep the file from being used..]}',
    load: () => import('./commands/plan-diff.ts'),
  },
  {
    name: 'plan use',
    summary: 'choose the plan to work on; until then it is the one that was changed last',
    arguments: [
      { name: 'plan', required: false, summary: 'the plan in docs/plans; it is registered if it is not yet' },
    ],
    options: [{ flags: '--newest', summary: 'go back to the plan that was changed last' }],
    examples: ['cadre plan use search', 'cadre plan use --newest'],
    json: '{"version":1,"active":"x.md"|null,"chosen":true}',
    load: () => import('./commands/plan-use.ts'),
  },
  {
    name: 'status',
    summary: 'show where every plan stands, what it waits for, and the tasks of the active one',
    arguments: [{ name: 'plan', required: false, summary: 'show only this plan, with its tasks' }],
    options: [{ flags: '--explain', summary: 'say for each session where its state is known from' }],
    examples: ['cadre status', 'cadre status search', 'cadre status --json'],
    json: '{"version":1,"repo":"/path","engine":{"pid":1,"command":".."}|null,"waitingSignals":0,"active":"x.md"|null,"plans":[{"plan":"x.md","status":"planning","since":"..","waitingFor":{"who":"planner","for":["planner_finished"],"sentence":".."}|null,"next":["planner_finished","cancel"],"description":"","branch":"plan/x","topic":"","feedback":null,"difference":null,"phases":[{"number":1,"name":"..","parallel":false}],"tasks":[{"task":"1","name":"..","phase":1,"state":"planned","since":"..","blockedBy":[],"mayStart":true,"stale":false,"held":false,"changed":false}],"file":{"state":"read"|"unusable"|"missing","problems":[..as in plan lint..]}}],"sessions":[{..as in session new..}],"quarantined":0,"unregistered":["y.md"],"problems":[]}',
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'why',
    summary: 'tell why a plan or a task stands where it stands, who has the next step, and the ways out',
    arguments: [{ ...PLAN, summary: `${PLAN.summary}; with #<task>, that task of it` }],
    options: [],
    examples: ['cadre why search', 'cadre why search#2', 'cadre why search#2.1'],
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
    json: SESSION_JSON,
    load: () => import('./commands/session-new.ts'),
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
    json: '{"version":1,"sessions":[{..as in session new..}]}',
    load: () => import('./commands/session-list.ts'),
  },
  {
    name: 'session attach',
    summary: 'see the terminal of a session in this one',
    arguments: [SESSION],
    options: [],
    examples: ['cadre session attach s7'],
    json: '{"version":1,"session":"s7","attach":["tmux",".."]}',
    load: () => import('./commands/session-attach.ts'),
  },
  {
    name: 'session send',
    summary: 'say something to the agent, as one paste and one Enter',
    arguments: [SESSION, { name: 'text', required: false, summary: 'what is said' }],
    options: [{ flags: '--file <file>', summary: 'the text from a file, or from standard input with "-"' }],
    examples: ['cadre session send s7 "Go on with the tests"'],
    json: SESSION_JSON,
    load: () => import('./commands/session-send.ts'),
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
    json: SESSION_JSON,
    load: () => import('./commands/session-switch.ts'),
  },
  {
    name: 'session stop',
    summary: 'stop the program of a session and everything it started; its worktree and branch stay',
    arguments: [SESSION],
    options: [],
    examples: ['cadre session stop s7'],
    json: SESSION_JSON,
    load: () => import('./commands/session-stop.ts'),
  },
  {
    name: 'session pause',
    summary: 'stop a session, commit what it left, and give its worktree back',
    arguments: [SESSION],
    options: [],
    examples: ['cadre session pause s7'],
    json: SESSION_JSON,
    load: () => import('./commands/session-pause.ts'),
  },
  {
    name: 'session resume',
    summary: 'start the program of a session again, where it was',
    arguments: [SESSION, { name: 'prompt', required: false, summary: 'what the agent is told' }],
    options: [{ flags: '--prompt-file <file>', summary: 'the prompt from a file, or from standard input with "-"' }],
    examples: ['cadre session resume s7'],
    json: SESSION_JSON,
    load: () => import('./commands/session-resume.ts'),
  },
  {
    name: 'session screen',
    summary: 'print what the terminal of a session shows',
    arguments: [SESSION],
    options: [],
    examples: ['cadre session screen s7'],
    json: '{"version":1,"session":"s7","screen":".."}',
    load: () => import('./commands/session-screen.ts'),
  },
  {
    name: 'session log',
    summary: 'show what happened to a session',
    arguments: [SESSION],
    options: [],
    examples: ['cadre session log s7'],
    json: 'one record a line, as in log',
    load: () => import('./commands/session-log.ts'),
  },
  {
    name: 'hook',
    summary: 'report what a program is about; agent programs call it by themselves',
    arguments: [
      { name: 'session', required: true, summary: 'the session whose program reports' },
      { name: 'report', required: false, summary: 'what the program says, in its own form (default: standard input)' },
    ],
    options: [],
    examples: ['cadre hook s7 < report.json'],
    json: 'nothing, or {"version":1,"error":{..}} with exit code 1',
    more: 'Prints nothing, and never exits with 2: what goes wrong here does not keep the program from going on.',
    load: () => import('./commands/hook.ts'),
  },
  {
    name: 'config show',
    summary: 'show the settings, and which file each comes from',
    arguments: [{ name: 'key', required: false, summary: 'show only this setting' }],
    options: [],
    examples: ['cadre config show', 'cadre config show max_parallel', 'cadre config show --json'],
    json: '{"version":1,"settings":{"default_program":"claude",..},"from":{"default_program":"global"|"project"},"problems":[".."],"warnings":[".."]}',
    load: () => import('./commands/config-show.ts'),
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
    json: '{"version":1,"key":"..","value":..,"file":"/path"}',
    load: () => import('./commands/config-set.ts'),
  },
  {
    name: 'config check',
    summary: 'look for mistakes in the settings; exit 1 when there are any',
    arguments: [],
    options: [],
    examples: ['cadre config check'],
    json: '{"version":1,"usable":true,"problems":[".."],"warnings":[".."]}',
    load: () => import('./commands/config-check.ts'),
  },
  {
    name: 'config path',
    summary: 'print where the files with the settings are, whether they are there or not',
    arguments: [],
    options: [],
    examples: ['cadre config path', 'cadre config path --json'],
    json: '{"version":1,"global":"/path","project":"/path"|null}',
    load: () => import('./commands/config-path.ts'),
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
    json: '{"version":1,"claims":[{"claim":"..","holds":true}],"seconds":12.3,"folder":"/path"|null}',
    more: 'Needs git, and neither a model nor the network. Ends by itself, and with 0 only if everything happened that it shows.',
    load: () => import('./commands/demo.ts'),
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
