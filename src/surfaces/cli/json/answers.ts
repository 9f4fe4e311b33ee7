// What each command prints with --json, as schemas. docs/json.md and docs/json.schema.json are generated from them, and the
// tests hold the built program to them.
import * as z from 'zod';
import { PROMPTED_ROLES } from '../../../agents/prompts/additions.ts';
import { findingView } from '../../../app/schemas/findings.ts';
import { diskUsage, garbage, keptWorkSchema, restored } from '../../../app/schemas/recovery.ts';
import {
  asking,
  check,
  deadline,
  delivery,
  engine,
  incidentFields,
  landed,
  need,
  notification,
  notificationFields,
  openQuestion,
  owner,
  planEvent,
  planListed,
  planView,
  planWithFile,
  problem,
  recordView,
  refusedSignal,
  sessionView,
  strings,
  taskAct,
  taskView,
  transcriptEntry,
} from '../../../app/schemas/views.ts';
import { machines } from '../../../machines/machines.ts';
import { DIALECT_NAMES } from '../../../plan/foreign/dialect.ts';

const version = z.literal(1);

function answer<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject({ version, ...shape });
}

/** What any command prints instead when it is refused or fails. */
export const ERROR = answer({ error: z.strictObject({ code: z.string(), message: z.string(), try: strings }) });

/** What the command of `notify.command` gets on its standard input. */
export const NOTIFICATION_INPUT = answer(notificationFields);

const planAnswer = answer({ plan: planView, record: recordView, notes: strings });
const taskAnswer = answer({ plan: planView, task: taskView, record: recordView, notes: strings, engine });
const subjectAnswer = z.union([taskAnswer, planAnswer]);
const sessionAnswer = answer({ session: sessionView });
const freezeAnswer = answer({ frozen: z.boolean(), engine });
const pauseAnswer = answer({ paused: z.boolean(), plan: z.string().nullable(), stopped: strings, engine });

const plan = z.strictObject({
  filePath: z.string(),
  title: z.string().nullable(),
  goal: z.string().nullable(),
  architecture: z.string().nullable(),
  techStack: z.string().nullable(),
  constraints: z.string().nullable(),
  phases: z.array(
    z.strictObject({
      number: z.number(),
      name: z.string(),
      parallel: z.boolean(),
      line: z.int(),
      tasks: z.array(
        z.strictObject({
          number: z.int().describe('The last part of a number with a dot.'),
          written: z.string().describe('The number as the heading has it.'),
          name: z.string(),
          address: z.string(),
          dependsOn: strings.nullable(),
          files: z.array(
            z.strictObject({
              action: z.enum(['create', 'modify', 'test', 'delete', 'reference']),
              path: z.string(),
              lines: z.string().nullable(),
              line: z.int(),
            }),
          ),
          steps: z.array(
            z.strictObject({
              number: z.int(),
              description: z.string(),
              command: z.string().nullable(),
              expected: z.string().nullable(),
              line: z.int(),
            }),
          ),
          commitMessage: z.string().nullable(),
          interfaces: z.strictObject({ consumes: strings, produces: strings }).nullable(),
          profile: z.string().nullable(),
          testFirst: z.boolean(),
          rawText: z.string(),
          line: z.int(),
          start: z.int(),
        }),
      ),
    }),
  ),
});

const side = z.strictObject({ task: z.string(), name: z.string() }).nullable();
const taskChange = z.strictObject({
  kinds: z.array(z.enum(['added', 'removed', 'renumbered', 'renamed', 'changed'])),
  before: side,
  after: side,
  state: z.string(),
  means: strings,
  text: z.strictObject({ line: z.int(), removed: strings, added: strings }).nullable(),
});

const refusedSignals = z.array(refusedSignal);
const machine = z.strictObject({
  initial: z.string(),
  states: strings,
  final: strings,
  transitions: z.array(z.strictObject({ from: z.string(), event: z.string(), to: z.string(), userOnly: z.boolean() })),
});

const warning = answer({ warning: z.string() });

const diff = answer({
  of: z.string(),
  from: z.string(),
  to: z.string(),
  merged: z.boolean(),
  files: z.array(z.strictObject({ path: z.string(), added: z.int().nullable(), removed: z.int().nullable() })),
  rewrites: strings.describe('files of the verify command itself among them'),
  patch: z.string().optional().describe('Not with --stat.'),
});

export interface AnswerSpec {
  /** `stream`: one object a line, each of them one of these. `none`: nothing is printed. */
  readonly form: 'answer' | 'stream' | 'none';
  readonly schema: z.ZodType;
}

function one(schema: z.ZodType): AnswerSpec {
  return { form: 'answer', schema };
}

function stream(...schemas: readonly [z.ZodType, ...z.ZodType[]]): AnswerSpec {
  return { form: 'stream', schema: z.union(schemas) };
}

/** What "cadre plan new" and "cadre plan open" print while they follow a workshop. */
const planningStream = stream(
  answer({ planning: z.string(), round: z.int() }),
  recordView,
  answer({ end: z.enum(['ready', 'done', 'cancelled', 'person', 'budget']), plan: z.string(), waiting: z.array(need) }),
  answer({ left: z.string() }),
);

const workshopAnswer = answer({ plan: planView, record: recordView, notes: strings });

/** By the name of the command. */
export const ANSWERS: Readonly<Record<string, AnswerSpec>> = {
  register: one(planAnswer),
  move: one(planAnswer),
  cancel: one(planAnswer),
  reopen: one(planAnswer),
  'start-over': one(planAnswer),
  adopt: one(planAnswer),
  land: one(answer({ plan: planView, landed, notes: strings })),
  incident: one(
    z.union([
      answer({
        incidents: z.array(
          z.strictObject({
            plan: z.string(),
            task: z.string().nullable(),
            ...incidentFields,
            missing: strings.describe('Done tasks whose work is not on the commit that was found.'),
            commands: strings,
          }),
        ),
      }),
      planAnswer.describe('With "restore" or "take".'),
    ]),
  ),
  run: {
    form: 'stream',
    schema: z.union([
      answer({ run: z.string(), engine }),
      recordView,
      warning,
      answer({ asks: asking }),
      answer({
        noEngine: z.string().describe('the plan; no engine is running, and the command ends unless one starts soon'),
      }),
      answer({ restarted: z.string().describe('the plan; the engine was killed, and this one continues'), engine }),
      answer({
        end: z.enum(['done', 'cancelled', 'person', 'budget']),
        plan: z.string(),
        sentence: z.string(),
        waiting: z.array(need),
      }),
      answer({ left: z.string() }),
      answer({
        plan: z.string(),
        order: z.array(strings),
        verify: z.string().nullable(),
        setup: z.string().nullable(),
        programs: z.record(z.string(), z.string()),
        warnings: strings,
        remarks: strings.describe('What the plan leaves open, or contradicts itself in.'),
        problem: z.string().nullable(),
      }).describe('With --dry-run, and then alone.'),
    ]),
  },
  freeze: one(z.union([freezeAnswer, pauseAnswer.describe('With --now.')])),
  thaw: one(freezeAnswer),
  pause: one(pauseAnswer),
  resume: one(pauseAnswer),
  'plan new': planningStream,
  'plan open': planningStream,
  'plan approve': one(planAnswer),
  'plan reject': one(workshopAnswer),
  'redo planning': one(workshopAnswer),
  'plan continue': one(workshopAnswer),
  'plan settle': one(workshopAnswer),
  'plan archive': one(planAnswer),
  'plan unarchive': one(planAnswer),
  'plan transcript': one(answer({ plan: z.string(), transcript: z.array(transcriptEntry) })),
  'plan list': one(
    answer({
      active: z.string().nullable(),
      plans: z.array(planListed),
      unregistered: strings,
      archived: z.int().describe('How many archived plans are not listed.'),
    }),
  ),
  'plan show': one(answer({ plan, problems: z.array(problem) })),
  'plan lint': one(
    answer({
      file: z.string(),
      usable: z.boolean(),
      problems: z.array(problem),
      try: strings.describe('The command that makes a plan of it, for a file of another tool.'),
    }),
  ),
  'plan import': one(
    answer({
      plan: z.string().describe('The plan that was created, or with --dry-run would be.'),
      from: z.string(),
      format: z.enum(DIALECT_NAMES),
      title: z.string(),
      phases: z.int(),
      tasks: z.int(),
      leftOut: z.strictObject({ done: z.int(), cancelled: z.int(), deferred: z.int() }),
      otherTags: strings.describe('Lists of the file that were not read.'),
      remarks: strings.describe('What was left out or changed, in words.'),
      written: z.boolean(),
      text: z.string().optional().describe('With --dry-run.'),
    }),
  ),
  'plan export': one(
    answer({
      file: z.string(),
      format: z.enum(DIALECT_NAMES),
      tasks: z.int(),
      done: z.int(),
      remarks: strings.describe('What the format cannot express, in words.'),
      output: z.string().nullable().describe('The file that was written.'),
      text: z.string().optional().describe('Without --output.'),
    }),
  ),
  'plan diff': one(answer({ file: z.string(), changes: z.array(taskChange), problems: z.array(problem) })),
  'plan use': one(answer({ active: z.string().nullable(), chosen: z.boolean() })),
  launch: one(taskAnswer),
  retry: one(taskAnswer),
  revert: one(taskAnswer),
  'mark-done': one(taskAnswer),
  next: one(taskAnswer),
  back: one(taskAnswer),
  approve: one(subjectAnswer),
  reject: one(subjectAnswer),
  abandon: one(taskAnswer),
  answer: one(taskAnswer),
  'merge-anyway': one(taskAnswer),
  findings: one(
    answer({ findings: z.array(findingView), hidden: z.int().describe('How many settled ones are left out.') }),
  ),
  'finding park': one(taskAnswer),
  'finding overrule': one(taskAnswer),
  'finding confirm': one(taskAnswer),
  'finding plan-holds': one(taskAnswer),
  'finding holds': one(taskAnswer),
  questions: one(answer({ questions: z.array(openQuestion), asks: z.array(asking) })),
  diff: one(diff),
  gc: one(
    z.union([
      answer({
        applied: z.literal(false),
        items: z.array(garbage),
        heldBack: z.array(garbage).describe('Old, but work that is nowhere else.'),
        bytesInGit: z.number(),
      }),
      answer({
        applied: z.literal(true),
        removed: z.array(garbage),
        stayed: z.array(z.strictObject({ id: z.string(), why: z.string() })),
      }),
      answer({ usage: z.array(diskUsage) }).describe('With --disk.'),
    ]),
  ),
  restore: one(
    z.union([
      answer({ kept: z.array(keptWorkSchema), hidden: z.int().describe('How many are merged and not listed.') }),
      diff.describe('With --show.'),
      answer({ restored }).describe('With an id.'),
    ]),
  ),
  status: one(
    answer({
      repo: z.string(),
      engine,
      waitingSignals: z.int(),
      active: z.string().nullable(),
      plans: z.array(planWithFile),
      needsYou: z.array(need),
      frozen: z.boolean(),
      paused: z.boolean(),
      sessions: z.array(sessionView),
      archived: z.int().describe('How many archived plans are not listed.'),
      sandbox: z
        .string()
        .nullable()
        .describe('How agents and the commands of the project run, where a wall around them is wanted.'),
      quarantined: z.int(),
      unregistered: strings,
      problems: strings,
    }),
  ),
  why: one(
    z.union([
      answer({
        plan: planView,
        owner,
        sentence: z.string(),
        deadline,
        asks: z.array(asking),
        waysOut: z.array(planEvent),
        commands: strings,
        needsYou: z.array(need),
        history: z.array(recordView),
        engine,
        engineLog: z.string().describe('Where a background engine logs.'),
        waitingSignals: z.int(),
        refused: refusedSignals,
      }),
      answer({
        plan: z.string(),
        paths: z.strictObject({
          worktree: z.string().nullable(),
          output: z.string().nullable(),
          setup: z.string().nullable(),
        }),
        wall: z.string().nullable().describe('Whether its last agent was started behind a wall, where one is wanted.'),
        task: taskView,
        owner,
        sentence: z.string(),
        deadline,
        asks: z.array(asking),
        waysOut: z.array(taskAct),
        commands: strings,
        history: z.array(recordView),
        refused: refusedSignals,
      }),
    ]),
  ),
  log: stream(recordView),
  repl: stream(z.looseObject({ version }).describe('what each command prints')),
  'engine start': one(answer({ engine, log: z.string() })),
  'engine stop': one(answer({ stopped: engine })),
  'engine status': one(answer({ engine, toDo: z.int(), frozen: z.boolean(), paused: z.boolean(), log: z.string() })),
  watch: stream(
    answer({ engine: z.literal('ready'), repo: z.string() }),
    recordView,
    answer({ tell: z.string() }),
    answer({ notification }),
    warning,
  ),
  'session new': one(sessionAnswer),
  'session list': one(
    answer({ sessions: z.array(sessionView), hidden: z.int().describe('How many are over and not listed.') }),
  ),
  'session attach': one(answer({ session: z.string(), attach: strings })),
  'session send': one(sessionAnswer),
  'session switch': one(sessionAnswer),
  'session stop': one(sessionAnswer),
  'session pause': one(sessionAnswer),
  'session resume': one(sessionAnswer),
  'session screen': one(answer({ session: z.string(), screen: z.string() })),
  'session log': stream(recordView),
  signal: one(
    answer({
      signal: z.string(),
      plan: z.string(),
      said: z.enum(['now', 'before']),
      willMove: z.strictObject({ from: z.string().nullable(), to: z.string() }).nullable(),
      engine,
    }),
  ),
  hook: { form: 'none', schema: z.never() },
  mcp: { form: 'none', schema: z.never() },
  quarantine: one(
    z.union([
      answer({ quarantined: refusedSignals }),
      answer({ quarantined: refusedSignals, original: z.string().nullable() }),
      answer({ id: z.string(), done: z.enum(['retry', 'drop']) }),
      answer({ ids: strings, done: z.literal('drop') }),
    ]),
  ),
  'config show': one(
    answer({
      settings: z.record(z.string(), z.unknown()),
      from: z.record(z.string(), z.enum(['global', 'project'])),
      problems: strings,
      warnings: strings,
    }),
  ),
  'config set': one(
    answer({
      key: z.string(),
      value: z.unknown(),
      file: z.string(),
      waits: z.boolean().describe('It applies to plans that are being built after "config accept".'),
    }),
  ),
  'config accept': one(answer({ accepted: z.string().describe('what changed, in words') })),
  'config check': one(answer({ usable: z.boolean(), problems: strings, warnings: strings })),
  'config path': one(answer({ global: z.string(), project: z.string().nullable() })),
  machines: one(
    answer({
      machines: z.strictObject(Object.fromEntries(machines.map(({ name }) => [name, machine.optional()]))),
    }),
  ),
  demo: one(
    answer({
      claims: z.array(z.strictObject({ claim: z.string(), holds: z.boolean() })),
      seconds: z.number(),
      folder: z.string().nullable(),
      kills: z.number().optional(),
      seed: z.number().optional(),
    }),
  ),
  'notify test': one(answer({ notification, deliveries: z.array(delivery) })),
  completion: one(
    z.union([answer({ shell: z.string(), script: z.string() }), answer({ words: strings }).describe('With --line.')]),
  ),
  rehearse: one(
    answer({
      plan: z.string(),
      done: z.boolean(),
      merged: strings,
      times: z.array(z.strictObject({ task: z.string(), setup: z.number().nullable(), verify: z.number().nullable() })),
      sharedFiles: z.array(z.strictObject({ path: z.string(), tasks: strings })),
      failed: z.array(z.strictObject({ task: z.string(), step: z.enum(['setup', 'tests']), output: z.string() })),
      stuck: strings,
      asked: strings,
    }),
  ),
  prompt: one(
    answer({
      of: z.string(),
      role: z.enum(PROMPTED_ROLES),
      turn: z.string().describe('Such as "build" or "review-spec"; the help of the command lists them.'),
      isExample: z.boolean().describe('The task is not in this turn, so parts of the prompt are examples.'),
      version: z.int().describe("The version of cadre's own prompts."),
      text: z.string(),
      additions: strings.describe('The files that add to the prompt.'),
      ignored: strings.describe('What these files ask for and this prompt cannot have.'),
    }),
  ),
  output: one(answer({ of: z.string(), path: z.string(), at: z.string(), output: z.string() })),
  init: one(
    answer({
      changes: z.array(
        z.strictObject({ path: z.string(), does: z.enum(['create', 'change', 'keep', 'remove']), why: z.string() }),
      ),
      program: z.string().optional(),
    }),
  ),
  doctor: one(
    answer({
      checks: z.array(check),
      /** With --fix, if there was something to repair. */
      repaired: z
        .strictObject({
          done: z.array(z.string()),
          stayed: z.array(z.strictObject({ repair: z.string(), why: z.string() })),
        })
        .optional(),
    }),
  ),
};
