// The reference pages of docs/, written from the tables that the program runs on.
import { markdownGrid, mermaid } from '../src/machines/diagram.ts';
import { type Machine, transitionsOf } from '../src/machines/machine.ts';
import { machines } from '../src/machines/machines.ts';
import { SIGNALS, type SignalDefinition } from '../src/signals/registry.ts';
import { encodeSentinel } from '../src/signals/sentinel.ts';
import { COMMANDS, type CommandSpec } from '../src/surfaces/cli/commands.ts';
import { makeProgram } from '../src/surfaces/cli/program.ts';

export interface Page {
  readonly path: string;
  readonly text: string;
}

export function pages(): readonly Page[] {
  return [
    { path: 'docs/machines.md', text: machinesPage() },
    { path: 'docs/cli.md', text: cliPage() },
    { path: 'docs/signals.md', text: signalsPage() },
  ];
}

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

Every command takes \`--json\` and then answers with one JSON object a line; \`"version":1\` stands in each and changes only
when a field changes its meaning or goes. A failure or refusal is \`{"version":1,"error":{"code":"..","message":".."}}\`.
Plans are named by their file name, with or without \`.md\`, or by any beginning that only one plan has.

| exit code | means |
| --- | --- |
| 0 | done |
| 1 | it failed |
| 2 | wrong usage, or refused |
| 3 | a person has to see to something first |
| 4 | a budget is used up |
| 5 | something on this machine is in the way |
`;
  return [MADE, intro, ...COMMANDS.map(commandSection)].join('\n');
}

function commandSection(spec: CommandSpec): string {
  const command = makeProgram('', async () => undefined).commands.find((one) => one.name() === spec.name);
  const options = [...spec.options, { flags: '--json', summary: 'answer in JSON' }];
  return `## cadre ${spec.name}

${capital(spec.summary)}.

\`\`\`
cadre ${spec.name} ${command?.usage() ?? ''}
\`\`\`

${table(
  ['argument', 'meaning'],
  spec.arguments.map((argument) => [`\`${argument.name}\``, argument.summary]),
)}${table(
  ['option', 'meaning'],
  options.map((option) => [`\`${option.flags}\``, option.summary]),
)}\`\`\`sh
${spec.examples.join('\n')}
\`\`\`

JSON: \`${spec.json}\`
`;
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

function effectOf(signal: SignalDefinition): string {
  return [
    signal.plan === undefined ? [] : [`plan: ${signal.plan.roles.join(', ')} → \`${signal.plan.event}\``],
    signal.run === undefined ? [] : [`run: ${signal.run.roles.join(', ')} → \`${signal.run.event}\``],
    signal.workshop === undefined ? [] : [`workshop: ${signal.workshop.roles.join(', ')}`],
  ]
    .flat()
    .join('; ');
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = [header, header.map(() => '---'), ...rows].map((row) => `| ${row.map(escapeCell).join(' | ')} |`);
  return `${lines.join('\n')}\n\n`;
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
