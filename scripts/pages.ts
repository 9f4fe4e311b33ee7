// The reference pages of docs/, written from the tables that the program runs on and from what its tests found.
import { existsSync, readFileSync } from 'node:fs';
import { jsonSchema } from '../src/adapters/config/config-schema.ts';
import { markdownGrid, mermaid } from '../src/machines/diagram.ts';
import { type Machine, transitionsOf } from '../src/machines/machine.ts';
import { machines } from '../src/machines/machines.ts';
import { SIGNALS, type SignalDefinition } from '../src/signals/registry.ts';
import { encodeSentinel } from '../src/signals/sentinel.ts';
import { ANSWERS } from '../src/surfaces/cli/json/answers.ts';
import { everyCommand, makeProgram } from '../src/surfaces/cli/program.ts';
import type { CommandSpec } from '../src/surfaces/cli/table/spec.ts';
import { SECTIONS } from '../src/surfaces/cli/table/table.ts';
import { jsonPage, jsonSchemaOfAnswers } from './json-page.ts';
import { markdownTable } from './markdown-table.ts';
import { testsPage } from './tests-page.ts';

export interface Page {
  readonly path: string;
  readonly text: string;
}

export function pages(): readonly Page[] {
  return [
    { path: 'docs/machines.md', text: machinesPage() },
    { path: 'docs/cli.md', text: cliPage() },
    { path: 'docs/json.md', text: jsonPage(MADE) },
    { path: 'docs/json.schema.json', text: `${JSON.stringify(jsonSchemaOfAnswers(), null, 2)}\n` },
    { path: 'docs/signals.md', text: signalsPage() },
    { path: 'docs/config.md', text: configPage() },
    { path: 'docs/config.schema.json', text: `${JSON.stringify(jsonSchema(), null, 2)}\n` },
    { path: 'docs/tests.md', text: testsPage(MADE) },
    ...reliability(),
  ];
}

/** The figures come from a long run; where none has been recorded there is no page. */
function reliability(): readonly Page[] {
  if (!existsSync(FIGURES)) return [];
  return [{ path: 'docs/reliability.md', text: reliabilityPage(JSON.parse(readFileSync(FIGURES, 'utf8'))) }];
}

const FIGURES = 'docs/reliability.json';

const MADE = '<!-- Made by "npm run gen". Change the table it is made from, not this page. -->\n';

function machinesPage(): string {
  const intro = `# The machines

Everything that moves in cadre is in exactly one state of one of these machines. An edge that is not here is refused,
with a sentence that names what would be accepted. "(user)" marks events that only a person may cause.

The tables live in \`src/machines/\`; \`cadre machines --json\` prints them.
`;
  return [MADE, intro, ...machines.map(machineSection)].join('\n');
}

function machineSection(machine: Machine): string {
  const count = transitionsOf(machine).length;
  return `## ${machine.name}

Starts in \`${machine.initial}\`, rests in ${machine.final.map((state) => `\`${state}\``).join(' or ')}; ${count} transitions.

\`\`\`mermaid
${mermaid(machine)}\`\`\`

${markdownGrid(machine)}`;
}

function cliPage(): string {
  const intro = `# The command line

Every command takes \`--json\`; [JSON answers](json.md) has what each prints then. Name a plan by its file name, with or
without \`.md\`, or by the beginning of it, as long as no other plan starts with that. Name a task as \`<plan>#<task>\`.

| exit code | means |
| --- | --- |
| 0 | done |
| 1 | failed |
| 2 | wrong usage, or refused |
| 3 | waiting for a person |
| 4 | a limit is reached |
| 5 | something on this machine prevents it |
`;
  const sections = SECTIONS.flatMap(({ title, commands }) => [`## ${title}\n`, ...commands.map(commandSection)]);
  return [MADE, intro, ...sections].join('\n');
}

function commandSection(spec: CommandSpec): string {
  const command = everyCommand(makeProgram('', async () => undefined)).find(
    (one) => `${one.parent?.parent ? `${one.parent.name()} ` : ''}${one.name()}` === spec.name,
  );
  const options = [...spec.options, { flags: '--json', summary: 'Print JSON' }];
  const more = spec.more === undefined ? '' : `\`\`\`text\n${spec.more.join('\n')}\n\`\`\`\n\n`;
  return `### cadre ${spec.name}

${spec.summary}.

\`\`\`
cadre ${spec.name} ${command?.usage() ?? ''}
\`\`\`

${table(
  ['argument', 'meaning'],
  spec.arguments.map((argument) => [`\`${argument.name}\``, argument.summary]),
)}${table(
  ['option', 'meaning'],
  options.map((option) => [`\`${option.flags}\``, option.summary]),
)}${more}\`\`\`sh
${spec.examples.join('\n')}
\`\`\`
${jsonLink(spec.name)}`;
}

function jsonLink(name: string): string {
  if (ANSWERS[name]?.form === 'none') return '';
  return `\nWith \`--json\`: [what it prints](json.md#cadre-${name.replaceAll(' ', '-')}).\n`;
}

function signalsPage(): string {
  const intro = `# Signals

An agent never changes state; it says something, and cadre decides. There are two ways to say it.

1. \`cadre signal <name>\`, run inside the agent's session. It is checked at once, and durable when the command returns.
2. For the signals marked so, a file \`<name>-<plan file>\` in \`docs/plans/.signals/\` of the checkout or of a worktree,
   made with \`touch\` or \`echo >\`. One with a body is taken when it has not changed for 200 ms.

A signal that is not heard (wrong role, wrong state, unknown plan, not a plain file, ...) is moved to quarantine with its
reason; \`cadre quarantine\` shows it. Saying the same thing twice about one state of a plan counts once. \`outside\` is the
role of an agent that cadre did not start.

What \`cadre signal\` refuses is told to the agent at once, and dropped only where the agent had no right to say it. That,
and every command typed in an agent's session that is a person's, ends up in quarantine too, so that you see it.
`;
  const rows = SIGNALS.map((signal) => [
    `\`${signal.name}\``,
    effectOf(signal),
    signal.body === 'required' ? 'required' : 'none',
    signal.sentinel ? `\`${encodeSentinel(signal, 'x.md' as never)}\`` : 'no',
    signal.meaning,
  ]);
  return [MADE, intro, table(['signal', 'who says it, and what it causes', 'body', 'as a file', 'meaning'], rows)].join(
    '\n',
  );
}

function configPage(): string {
  const intro = `# Settings

Two optional files hold the settings: \`~/.cadre/config.json\` for all your projects, and \`cadre.json\` in the main checkout for one
project. The project's settings override yours; of \`profiles\`, \`phase_roles\`, \`limits\`, \`minutes\` and \`architect\` they
override only the entries that they name. A \`cadre.json\` in a worktree is ignored.

\`cadre config set\` changes a setting, \`cadre config show\` shows every setting and the file it comes from, and
\`cadre config check\` lists mistakes. While a value is invalid, cadre starts nothing. An unknown setting is kept and reported,
and has no effect. Editors can check the files with [config.schema.json](config.schema.json).
`;
  const rows = settingRows(jsonSchema(), '');
  return [MADE, intro, table(['setting', 'type', 'default', 'what it is for'], rows)].join('\n');
}

/** As much of JSON Schema as the schema of the settings uses. */
interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape;
}

function settingRows(shape: Shape, prefix: string): readonly (readonly string[])[] {
  const entries = shape.additionalProperties?.properties;
  const ofEach = entries === undefined ? [] : settingRows({ properties: entries }, `${prefix}<name>.`);
  const named = Object.entries(shape.properties ?? {}).flatMap(([key, below]) => {
    const rows = settingRows(below, `${prefix}${key}.`);
    const { description = '', default: standard } = below;
    // What has parts says its default in each of them.
    const shown = standard === undefined || rows.length > 0 ? '' : `\`${JSON.stringify(standard)}\``;
    return [[`\`${prefix}${key}\``, typeIn(below), shown, description], ...rows];
  });
  return [...named, ...ofEach];
}

function typeIn(shape: Shape): string {
  if (shape.anyOf !== undefined) return shape.anyOf.map(typeIn).join(' or ');
  if (shape.enum !== undefined) return shape.enum.map((word) => `\`"${word}"\``).join(', ');
  if (shape.type === 'integer') return `${shape.minimum} to ${shape.maximum}`;
  if (shape.type === 'array') return 'list of strings';
  return { string: 'string', boolean: '`true`, `false`', object: 'object' }[shape.type ?? ''] ?? '';
}

/** What `npm run test:long` writes to docs/reliability.json. */
interface Figures {
  readonly date: string;
  readonly node: string;
  readonly platform: string;
  readonly simulation: Readonly<
    Record<'runs' | 'kills' | 'powerFailures' | 'errors' | 'faults' | 'accepted' | 'violations', number>
  >;
  readonly kills: { readonly kills: number; readonly failpoints: number; readonly violations: number };
  readonly mutants: readonly { readonly mutant: string; readonly caughtBy: string | null; readonly shown: string }[];
  readonly recovery: {
    readonly limits: readonly { readonly of: string; readonly value: number; readonly most: number }[];
  };
}

function reliabilityPage(figures: Figures): string {
  const { simulation, kills, mutants, recovery } = figures;
  const caught = mutants.filter((mutant) => mutant.caughtBy !== null).length;
  const intro = `# Reliability

What is promised, against which faults, and how often it was put to the test. The figures are those of the long run of
${figures.date} (Node ${figures.node}, ${figures.platform}); \`npm run test:long\` makes them anew, and takes up where it was stopped.

## The promises

- A step that was confirmed stands, whatever is killed or loses power afterwards.
- A signal whose sender was told that it is durable is heard once, or kept with the reason why it was not.
- Every effect that was decided is performed and acknowledged; one that is performed twice does no harm.
- plan-state.json says what the journal says as soon as an engine or a command has run again.
- Sequence numbers have no gaps, and every move starts where the one before it ended.
- What an agent may not cause it does not cause.

They hold against: \`kill -9\` of any process at any moment; loss of power, in which every write and every change of a name
that was not synced is applied, lost, cut short or garbled; errors of the disk at any operation, once or for good
(${'EIO, ENOSPC, EACCES, EMFILE, EROFS, EINTR'}), also followed by loss of power; several processes at once. They do not hold against a
disk that confirms a sync and loses the bytes nevertheless, nor against someone who edits the journal and its checksums.

## The figures
`;
  const rows = [
    ['simulated runs', count(simulation.runs), '`npm run simulate -- --runs 500000`'],
    [
      'of these: kills / power failures / disk errors',
      [simulation.kills, simulation.powerFailures, simulation.errors].map(count).join(' / '),
      '',
    ],
    ['faults that struck, transitions accepted', [simulation.faults, simulation.accepted].map(count).join(', '), ''],
    ['broken promises in the simulation', count(simulation.violations), ''],
    ['processes killed for real', count(kills.kills), '`CADRE_KILLS=1000 npx vitest run test/crash`'],
    ['places in the code at which they were killed', count(kills.failpoints), ''],
    ['broken promises after real kills', count(kills.violations), ''],
    ['deliberate breakages noticed', `${caught} of ${mutants.length}`, '`npm run mutants`'],
    ...recovery.limits.map((limit) => [
      `recovery, ${limit.of}`,
      `${limit.value.toFixed(0)} ms (limit ${limit.most} ms)`,
      '`npm run bench -- recovery`',
    ]),
  ];
  const breakages = mutants.map((mutant) => [
    mutant.mutant,
    mutant.caughtBy === null ? 'NOT NOTICED' : `\`${mutant.caughtBy}\``,
    mutant.shown,
  ]);
  return [
    MADE,
    intro,
    table(['what', 'figure', 'how to repeat it'], rows),
    `## Breakages

Each is made in the source while the simulation is bundled, and must turn it red. A run that noticed it is repeated on the
broken program with \`npm run simulate -- --repeat <run>\`; on the sound program the same run finds nothing.
`,
    table(['breakage', 'noticed by', 'as'], breakages),
  ].join('\n');
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function effectOf(signal: SignalDefinition): string {
  return [
    signal.plan === undefined ? [] : [`plan: ${signal.plan.roles.join(', ')} → \`${signal.plan.event}\``],
    signal.run === undefined
      ? []
      : [`run: ${signal.run.roles.join(', ')} in ${signal.run.in.map((state) => `\`${state}\``).join(', ')}`],
    signal.workshop === undefined ? [] : [`workshop: ${signal.workshop.roles.join(', ')}`],
  ]
    .flat()
    .join('; ');
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `${markdownTable(header, rows)}\n`;
}
