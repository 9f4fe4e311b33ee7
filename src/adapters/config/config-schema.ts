// The shape of the configuration, in zod. Only this file uses zod; it is loaded when there is a file to validate.
import * as z from 'zod';
import { canBeAllowed, PERMISSIONS } from '../../agents/permissions.ts';
import { type Config, PHASES } from '../../agents/profiles.ts';
import { NOTIFICATION_KINDS, NOTIFY, type NotificationKind } from '../../core/settings/notify.ts';
import { SANDBOX } from '../../core/settings/sandbox.ts';
import {
  ARCHITECT,
  DEFAULTS,
  isGlobalOnly,
  isProjectOnly,
  LIMITS,
  type LimitName,
  MINUTES,
  type MinutesName,
} from '../../core/settings/settings.ts';
import { splitCommand } from '../../text/command-line.ts';

const A_STRING = 'must be a non-empty string';
const STRINGS = 'must be a list of strings';
const YES_OR_NO = 'must be true or false';

const text = z.string({ error: A_STRING }).regex(/\S/, { error: A_STRING });
const texts = z.array(z.string({ error: 'must be a string' }), { error: STRINGS });
const yesOrNo = z.boolean({ error: YES_OR_NO });

function whole(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

function oneOf<const Word extends string>(...words: readonly Word[]) {
  return z.enum(words, { error: `must be one of ${words.map((word) => `"${word}"`).join(', ')}` });
}

function named<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.looseObject(shape, { error: 'must be an object: { "name": value }' });
}

function each<Value extends z.ZodType>(value: Value) {
  return z.record(z.string(), value, { error: 'must be an object: { "name": value }' });
}

const A_TIME = 'must be a number of minutes, more than 0 and at most 10080 (a week)';
const time = z.number({ error: A_TIME }).gt(0, { error: A_TIME }).max(10_080, { error: A_TIME });

const decider = oneOf('human', 'agent', 'auto');

const A_RULE = 'must be one command without shell characters or patterns; only the end may be " *"';

const profile = named({
  program: text
    .optional()
    .describe('The program as you would type it, with flags if needed; missing: default_program.'),
  flags: texts.optional().meta({ description: 'More flags, one string each.', default: [] }),
  env: texts.optional().meta({
    description:
      'Names of environment variables that the program sees in addition to PATH, HOME, LANG, LC_*, TERM, USER, SHELL and TMPDIR.',
    default: [],
  }),
  permissions: oneOf(...PERMISSIONS)
    .optional()
    .meta({
      description:
        'What it may do without asking: "ask" nothing, "edits" edit its worktree, commit and verify, "all" everything. [Permissions](#permissions) has what that is for each program.',
      default: 'edits',
    }),
  allow: z
    .array(z.string({ error: A_RULE }).refine(canBeAllowed, { error: A_RULE }), { error: STRINGS })
    .optional()
    .meta({
      description:
        'More commands that it runs without asking, as typed: "make lint". One that ends in " *" may have any arguments: "node *".',
      default: [],
    }),
  sandbox: oneOf('off', 'auto', 'required').optional().meta({
    description:
      'Run it behind a wall, instead of what `sandbox.agents` says. Only in your own config.json: in cadre.json it has no effect.',
  }),
});

const verify = z.union([text, texts.min(1), named({ prompt: text })], {
  error: 'must be a command line, a list of words, "none", or { "prompt": string }',
});

const setup = z.union([text, texts], { error: 'must be a command line, a list of words, or "none"' });

const A_COMMAND = 'must be a command line with every quote closed, or a list of words';
const command = z.union(
  [
    z.string().refine(isCommand, { error: A_COMMAND }),
    texts.refine(([program = '', ...words]) => program !== '' && ![program, ...words].some(hasNul), {
      error: A_COMMAND,
    }),
  ],
  { error: A_COMMAND },
);

function isCommand(line: string): boolean {
  return splitCommand(line) !== undefined && !hasNul(line);
}

/** No argument of a program can contain one. */
function hasNul(text: string): boolean {
  return text.includes('\0');
}

const KINDS = Object.keys(NOTIFICATION_KINDS) as NotificationKind[];

const notify = named({
  bell: yesOrNo
    .optional()
    .meta({ description: 'Ring the bell of the terminal that shows a build.', default: NOTIFY.bell }),
  osc9: oneOf('auto', 'on', 'off').optional().meta({
    description:
      'Let that terminal show the notification, with the escape sequence OSC 9; "auto" is for terminals that are known to do so.',
    default: NOTIFY.osc9,
  }),
  desktop: oneOf('auto', 'on', 'off').optional().meta({
    description:
      'Show notifications on the desktop with terminal-notifier, osascript or notify-send; "auto" does so if one of them is installed and there is a desktop.',
    default: NOTIFY.desktop,
  }),
  command: command.optional().meta({
    description:
      'A command that gets each notification as JSON on its standard input: a command line or its words, started without a shell. While a plan is being built, a change of the file does not apply until a person accepts it.',
  }),
  for: z
    .array(oneOf(...KINDS), { error: STRINGS })
    .optional()
    .meta({
      description: `What to notify you of: ${KINDS.map((kind) => `"${kind}" (${NOTIFICATION_KINDS[kind]})`).join(', ')}.`,
      default: NOTIFY.for,
    }),
});

const A_PATH = 'must be an absolute path, or one that starts with "~/"';
const paths = z.array(z.string({ error: A_PATH }).regex(/^(?:\/|~\/)[^\0]*$/, { error: A_PATH }), { error: STRINGS });
const A_VARIABLE = 'must be the name of an environment variable, and not one of cadre or tmux';
const variables = z.array(
  z.string({ error: A_VARIABLE }).regex(/^(?!CADRE_|TMUX)[A-Za-z_][A-Za-z0-9_]*$/, { error: A_VARIABLE }),
  { error: STRINGS },
);

const sandbox = named({
  commands: oneOf('off', 'auto', 'required').optional().meta({
    description:
      'Run the setup and verify commands behind a wall of bubblewrap. "auto": if this machine can; "required": or not at all.',
    default: SANDBOX.commands,
  }),
  agents: oneOf('off', 'auto', 'required').optional().meta({
    description:
      'Run the programs of agents behind a wall, each with its own git folder and its own socket to cadre. "auto": if this machine can; "required": or not at all.',
    default: SANDBOX.agents,
  }),
  network: oneOf('all', 'none').optional().meta({
    description:
      'What of the network they reach; with "none" they have only their own loopback device. An agent needs the network to reach its model.',
    default: SANDBOX.network,
  }),
  read: paths.optional().meta({ description: 'More files and folders that they can read.', default: SANDBOX.read }),
  write: paths.optional().meta({ description: 'More files and folders that they can write.', default: SANDBOX.write }),
  env: variables.optional().meta({
    description: 'Names of more environment variables that are passed on to them.',
    default: SANDBOX.env,
  }),
});

const LIMIT_PURPOSES: Readonly<Record<LimitName, string>> = {
  coding_iterations:
    'Turns in which the implementer of a task codes, reminders included. Then comes a check-in: cadre asks whether to continue.',
  fixing_iterations: 'Turns in which it fixes what the tests or a reviewer found, until the next check-in.',
  checkins: 'Check-ins of a task. When the turns are used up after the last one, its run ends in ERROR.',
  relaunches: 'Restarts of agents that died, in one run. Then the run halts until you retry it.',
  merge_attempts: 'Attempts to merge a task, for example after conflicts. Then its run ends in ERROR.',
  max_review_cycles: 'Reviews of the whole plan that request changes. Then you decide.',
  review_rounds:
    'How often each review of a task may send it back. Then the findings that are still open are decided about one by one.',
  escalate_after:
    'After so many rounds of review another agent gets the work, with the profile of "escalation"; 0: never. Must be below review_rounds.',
};

const MINUTES_PURPOSES: Readonly<Record<MinutesName, string>> = {
  setup: 'The setup command.',
  verify: 'The verify command.',
  turn: 'One turn of an agent.',
  run: 'All work on one run of a task.',
};

/** The only description of every key: docs/config.md and docs/config.schema.json are generated from it. */
const settings = {
  $schema: z.string({ error: A_STRING }).optional().describe('Where editors find the schema of this file.'),
  default_program: described(text, 'default_program', 'The program of every session whose profile names none.'),
  profiles: described(each(profile), 'profiles', 'Which program to use for a role, by the name of the role.'),
  phase_roles: described(
    named(optionals(PHASES, () => text)),
    'phase_roles',
    'The profile that each phase uses. It does not change which signals a session may send.',
  ),
  auto_verify: described(
    yesOrNo,
    'auto_verify',
    'Verify, review and merge automatically. If false, a person starts each of these steps.',
  ),
  trust_worktrees: described(
    yesOrNo,
    'trust_worktrees',
    'Tell programs that you trust the worktrees, so that they do not ask. Claude Code has no such setting: answer it once in the main checkout.',
  ),
  host: described(oneOf('auto', 'tmux', 'process'), 'host', 'Where programs run; "auto" is tmux if it is installed.'),
  verify: described(
    verify,
    'verify',
    'How work is verified: a command line or its words, "none", or a prompt for the agent to do it. While a plan is being built, a change of the file does not apply until a person accepts it.',
  ),
  setup: described(
    setup,
    'setup',
    'The command that prepares a new worktree, for example by installing dependencies: a command line or its words, or "none". Without it, cadre finds one from the files of the project. While a plan is being built, a change of the file does not apply until a person accepts it.',
  ),
  escalation: described(
    text,
    'escalation',
    'The profile of the agent that gets a task after limits.escalate_after rounds of review; without it, a new session of the same one.',
  ),
  base_branch: described(text, 'base_branch', 'The branch that plans start from and land on.'),
  max_parallel: described(whole(1, 64), 'max_parallel', 'How many sessions may run at once.'),
  max_rounds: described(whole(1, 100), 'max_rounds', 'How many rounds a workshop may take.'),
  limits: described(
    named(optionals(LIMITS, () => whole(0, 1000), LIMIT_PURPOSES)),
    'limits',
    'How often each of these may happen.',
  ),
  minutes: described(
    named(optionals(MINUTES, () => time, MINUTES_PURPOSES)),
    'minutes',
    'How many minutes each of these may take.',
  ),
  require_report: described(
    yesOrNo,
    'require_report',
    'Implementers have to report what they did when they finish. If false, a report is asked for and may be missing.',
  ),
  sync_base: described(yesOrNo, 'sync_base', 'Bring the base branch up to date before a plan starts.'),
  land: described(
    oneOf('manual', 'local', 'pr'),
    'land',
    'How a finished plan lands: by hand, by a local merge, or by a pull request through gh.',
  ),
  task_merge: described(
    oneOf('local', 'pr'),
    'task_merge',
    "How a task's branch gets into the plan branch: by a local merge, or by a pull request through gh.",
  ),
  architect: described(
    named({
      ...optionals(ARCHITECT, () => decider),
      workshop: oneOf('human', 'agent').optional().meta({
        description: 'Who reviews the plan of a workshop. Only a person can have it planned again.',
        default: ARCHITECT.workshop,
      }),
    }),
    'architect',
    'Who decides: a person, the architect agent, or cadre, in favour of continuing.',
  ),
  sandbox: described(
    sandbox,
    'sandbox',
    'What runs behind a wall, and what it reaches there: see [safety](safety.md#walls).',
  ),
  notify: described(notify, 'notify', 'How you are notified of what waits for you, and of what is done.'),
} satisfies { readonly [Key in keyof Required<Config>]: TypeOf<Config[Key]> } & { readonly $schema: z.ZodType };

const config = named(settings);

/** What contains other values is loose, so that unknown names in it can be reported. */
type TypeOf<Value> = [Extract<Value, object>] extends [never] ? z.ZodType<Value> : z.ZodType;

function described<Type extends z.ZodType>(type: Type, key: string, purpose: string): z.ZodOptional<Type> {
  const standard: unknown = Object.entries(DEFAULTS).find(([name]) => name === key)?.[1];
  const description = `${purpose}${placeWords(key)}`;
  return type.optional().meta({ description, ...(standard === undefined ? {} : { default: standard }) });
}

function placeWords(key: string): string {
  if (isProjectOnly(key)) return " Only in a project's cadre.json.";
  return isGlobalOnly(key) ? ' Only in your own config.json.' : '';
}

function optionals<Name extends string, Type extends z.ZodType>(
  names: Readonly<Record<Name, unknown>>,
  type: () => Type,
  purposes?: Readonly<Record<Name, string>>,
) {
  const purposeOf = new Map<string, string>(Object.entries(purposes ?? {}));
  const entries = Object.entries(names).map(([name, standard]) => {
    const description = purposeOf.get(name);
    return [
      name,
      type()
        .optional()
        .meta({ default: standard, ...(description === undefined ? {} : { description }) }),
    ];
  });
  return Object.fromEntries(entries) as Record<Name, z.ZodOptional<Type>>;
}

export interface Invalid {
  readonly path: readonly PropertyKey[];
  readonly why: string;
}

export interface Validation {
  readonly problems: readonly Invalid[];
  /** The paths of unknown settings. */
  readonly unknown: readonly (readonly string[])[];
}

export function validate(value: unknown): Validation {
  const { error } = config.safeParse(value);
  return {
    problems: (error?.issues ?? []).map(({ path, message }) => ({ path, why: message })),
    unknown: unknownIn(config, value, []),
  };
}

function unknownIn(type: unknown, value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  const inner = type instanceof z.ZodOptional ? type.unwrap() : type;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const typeOf = (key: string): unknown =>
    inner instanceof z.ZodRecord
      ? inner.valueType
      : inner instanceof z.ZodObject && Object.hasOwn(inner.shape, key)
        ? inner.shape[key]
        : undefined;
  if (!(inner instanceof z.ZodRecord || inner instanceof z.ZodObject)) return [];
  return Object.entries(value).flatMap(([key, below]) => {
    const typeBelow = typeOf(key);
    return typeBelow === undefined ? [[...path, key]] : unknownIn(typeBelow, below, [...path, key]);
  });
}

export function jsonSchema(): object {
  return z.toJSONSchema(config, { io: 'input' });
}

/** The names of the settings, or of the parts of one. */
export function names(path: readonly string[]): readonly string[] {
  let type: unknown = config;
  for (const key of path) type = partOf(type, key);
  const inner = type instanceof z.ZodOptional ? type.unwrap() : type;
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

/** Every setting with a fixed name, and the words that it can be. */
export function everySetting(
  path: readonly string[] = [],
): readonly { readonly key: string; readonly values: readonly string[] }[] {
  return names(path).flatMap((name) => {
    const own = [...path, name];
    return [{ key: own.join('.'), values: wordsOf(own) }, ...everySetting(own)];
  });
}

function wordsOf(path: readonly string[]): readonly string[] {
  let type: unknown = config;
  for (const key of path) type = partOf(type, key);
  const inner = type instanceof z.ZodOptional ? type.unwrap() : type;
  if (inner instanceof z.ZodEnum) return inner.options.map(String);
  return inner instanceof z.ZodBoolean ? ['true', 'false'] : [];
}

function partOf(type: unknown, key: string): unknown {
  const inner = type instanceof z.ZodOptional ? type.unwrap() : type;
  return inner instanceof z.ZodObject ? inner.shape[key] : undefined;
}
