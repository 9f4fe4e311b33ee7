// Where everything stands, and how it got there.
import { type CommandSpec, PLAN } from './spec.ts';

export const VIEWS: readonly CommandSpec[] = [
  {
    name: 'status',
    summary: 'show where every plan stands, what it waits for, and the tasks of the active one',
    arguments: [{ name: 'plan', required: false, summary: 'show only this plan, with its tasks' }],
    options: [{ flags: '--explain', summary: 'say for each session where its state is known from' }],
    examples: ['cadre status', 'cadre status search', 'cadre status --json'],
    json: '{"version":1,"repo":"/path","engine":{"pid":1,"command":".."}|null,"waitingSignals":0,"active":"x.md"|null,"plans":[{"plan":"x.md","status":"planning","since":"..","waitingFor":{"who":"planner","for":["planner_finished"],"sentence":".."}|null,"next":["planner_finished","cancel"],"description":"","branch":"plan/x","topic":"","feedback":null,"difference":null,"phases":[{"number":1,"name":"..","parallel":false}],"tasks":[{"task":"1","name":"..","phase":1,"state":"planned","since":"..","blockedBy":[],"mayStart":true,"stale":false,"held":false,"changed":false}],"file":{"state":"read"|"unusable"|"missing","problems":[..as in plan lint..]}}],"sessions":[{..as in session new..}],"quarantined":0,"unregistered":["y.md"],"problems":[]}',
    load: () => import('../commands/status.ts'),
  },
  {
    name: 'why',
    summary: 'tell why a plan or a task stands where it stands, who has the next step, and the ways out',
    arguments: [{ ...PLAN, summary: `${PLAN.summary}; with #<task>, that task of it` }],
    options: [],
    examples: ['cadre why search', 'cadre why search#2', 'cadre why search#2.1'],
    json: '{"version":1,"plan":{..as in status..},"owner":"planner"|"user"|..|null,"deadline":null,"waysOut":["cancel"],"history":[{..as in log..}],"engine":..,"waitingSignals":0,"refused":[..as in quarantine..]}',
    load: () => import('../commands/why.ts'),
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
    load: () => import('../commands/log.ts'),
  },
];
