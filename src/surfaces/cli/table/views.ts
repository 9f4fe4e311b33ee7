// Where everything stands, and how it got there.
import { type CommandSpec, PLAN } from './spec.ts';

export const VIEWS: readonly CommandSpec[] = [
  {
    name: 'status',
    summary: 'show where every plan stands, the tasks of the active one, and what needs you',
    arguments: [{ name: 'plan', required: false, summary: 'show only this plan, with its tasks' }],
    options: [{ flags: '--explain', summary: 'say for each session where its state is known from' }],
    examples: ['cadre status', 'cadre status search', 'cadre status --json'],
    json: '{"version":1,"repo":"/path","engine":{"pid":1,"command":".."}|null,"waitingSignals":0,"active":"x.md"|null,"plans":[{"plan":"x.md","status":"planning","since":"..","waitingFor":{"who":"planner","for":["planner_finished"],"sentence":".."}|null,"next":["planner_finished","cancel"],"description":"","branch":"plan/x","topic":"","feedback":null,"difference":null,"owner":"user"|"engine"|"implementer"|..|null,"sentence":"..","deadline":{"at":"..","leadsTo":"restart"|"fail"|"end"|"remind"}|null,"waysOut":["planner_finished"],"going":false,"landed":{"ok":true,"text":"..","byHand":true,"at":".."}|null,"phases":[{"number":1,"name":"..","parallel":false}],"progress":{"done":0,"of":1},"tasks":[{"task":"1","name":"..","phase":1,"state":"planned","since":"..","blockedBy":[],"mayStart":true,"stale":false,"held":false,"changed":false,"halted":false,"suspended":false,"merging":false,"markedDone":null,"owner":"..","sentence":"..","deadline":..,"waysOut":["launch"],"run":{"attempt":1,"state":"CODING","stage":"spec"|"quality"|null,"since":"..","branch":"..","commit":".."|null,"unverified":false,"doing":"worktree"|"verify"|"merge"|null,"session":{"id":"s7","role":"implementer"}|null,"question":{"origin":"CODING","kind":"ordinary"|"check-in","text":".."}|null,"feedback":{"reason":"test_failure"|null,"text":".."}|null,"counts":{"coding":{"used":1,"of":8},"fixing":{..},"checkins":{..},"turns":{..},"mergeAttempts":{..},"relaunches":{..}}}|null}],"file":{"state":"read"|"unusable"|"missing","problems":[..as in plan lint..]}}],"needsYou":[{"plan":"x.md","task":"2"|null,"sentence":"..","commands":["cadre answer .."]}],"frozen":false,"sessions":[{..as in session new..}],"quarantined":0,"unregistered":["y.md"],"problems":[]}',
    load: () => import('../commands/views/status.ts'),
  },
  {
    name: 'why',
    summary: 'tell why a plan or a task stands where it stands, who has the next step, and the ways out',
    arguments: [
      {
        ...PLAN,
        required: false,
        summary: `${PLAN.summary}; with #<task>, that task of it (default: the active plan)`,
      },
      { name: 'task', required: false, summary: 'the task, where the first word names the plan alone' },
    ],
    options: [],
    examples: ['cadre why search', 'cadre why search#2', "cadre why '#2'"],
    json: '{"version":1,"plan":{..as in status..},"owner":"planner"|"user"|..|null,"sentence":"..","deadline":{..as in status..}|null,"waysOut":["cancel"],"commands":["cadre cancel x"],"history":[{..as in log..}],"engine":..,"waitingSignals":0,"refused":[..as in quarantine..]}; for a task {"version":1,"plan":"x.md","task":{..as in status..},"owner":..,"sentence":..,"deadline":..,"waysOut":[..],"commands":[..],"history":[..],"refused":[..as in quarantine..]}',
    load: () => import('../commands/views/why.ts'),
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
    load: () => import('../commands/views/log.ts'),
  },
];
