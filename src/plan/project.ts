// Writes a plan as markdown from which `parse` reads the same tasks in the same order.
import { lastCommitMessage } from './commit-message.ts';
import type { FileReference, Interfaces, Phase, Plan, Task, TaskStep } from './plan.ts';

/** Text between the parts of a plan, each piece a block of markdown that `parse` reads nothing from. */
export interface Prose {
  readonly header: readonly string[];
  /** By the index of the phase. */
  readonly phases: readonly (readonly string[])[];
  /** By the address of the task. */
  readonly tasks: ReadonlyMap<
    string,
    { readonly text: readonly string[]; readonly steps: readonly (readonly string[])[] }
  >;
}

const NO_PROSE: Prose = { header: [], phases: [], tasks: new Map() };

export function project(plan: Plan, prose: Prose = NO_PROSE): string {
  const header = [
    ...(plan.title === null ? [] : [`# ${headingSafe(plan.title)}`]),
    ...field('Goal', plan.goal),
    ...field('Architecture', plan.architecture),
    ...field('Tech Stack', plan.techStack),
    ...(plan.constraints === null ? [] : [`## Global Constraints\n\n${plan.constraints}`]),
    ...prose.header,
  ];
  const phases = plan.phases.flatMap((phase, index) => phaseBlocks(phase, index, prose));
  return `${[...header, ...phases].join('\n\n')}\n`;
}

function field(name: string, value: string | null): readonly string[] {
  return value === null ? [] : [`**${name}:** ${value}`];
}

function phaseBlocks(phase: Phase, index: number, prose: Prose): readonly string[] {
  const isUnnamed = index === 0 && phase.number === 0 && phase.name === '' && !phase.parallel && phase.tasks.length > 0;
  const marks = phase.parallel ? ' (parallel)' : '';
  const heading = `## ${headingSafe(`Phase ${phase.number}${named(phase.name)}${marks}`)}`;
  return [
    ...(isUnnamed ? [] : [heading]),
    ...(prose.phases[index] ?? []),
    ...phase.tasks.flatMap((task) => taskBlocks(task, prose)),
  ];
}

function taskBlocks(task: Task, prose: Prose): readonly string[] {
  const { text = [], steps = [] } = prose.tasks.get(task.address) ?? {};
  return [
    `### ${headingSafe(`Task ${task.written}${named(task.name)}`)}`,
    ...(task.dependsOn === null ? [] : [`**Depends on:** ${task.dependsOn.join(', ') || 'none'}`]),
    ...(task.files.length === 0 ? [] : [['**Files:**', '', ...task.files.map(fileEntry)].join('\n')]),
    ...(task.profile === null ? [] : [`**Profile:** ${task.profile}`]),
    ...(task.testFirst ? ['**Test first:** yes'] : []),
    ...interfaceBlocks(task.interfaces),
    ...text,
    ...task.steps.flatMap((step, index) => [...stepBlocks(step), ...(steps[index] ?? [])]),
    ...commitBlocks(task),
  ];
}

function interfaceBlocks(interfaces: Interfaces | null): readonly string[] {
  if (interfaces === null) return [];
  const { consumes, produces } = interfaces;
  const entries = [...consumes.map((entry) => `- Consumes: ${entry}`), ...produces.map((one) => `- Produces: ${one}`)];
  return [['**Interfaces:**', '', ...(entries.length === 0 ? ['- Consumes: none'] : entries)].join('\n')];
}

function named(name: string): string {
  return name === '' ? '' : `: ${name}`;
}

/** A name that ends in "#" would lose it, so such a heading gets a closing "#". */
function headingSafe(text: string): string {
  const line = text.replace(/[\r\n]+/g, ' ');
  return line.endsWith('#') ? `${line} #` : line;
}

function fileEntry({ action, path, lines }: FileReference): string {
  const word = action.charAt(0).toUpperCase() + action.slice(1);
  return `- ${word}: \`${path}${lines === null ? '' : `:${lines}`}\``;
}

function stepBlocks(step: TaskStep): readonly string[] {
  const description = step.description === '' ? '' : ` ${step.description}`;
  return [
    `**Step ${step.number}:**${description}`,
    ...(step.command === null ? [] : [fencedCode(step.command)]),
    ...(step.expected === null ? [] : [expectation(step.expected)]),
  ];
}

function expectation(expected: string): string {
  const isPlain = expected !== '' && expected === expected.trim() && !expected.includes('\n');
  return isPlain ? `Expected: ${expected}` : `Expected:\n\n${fencedCode(expected)}`;
}

/** The commit, unless a step already makes it. The fence has its own language, so that it is not read as a step's command. */
function commitBlocks({ commitMessage, steps }: Task): readonly string[] {
  const made = lastCommitMessage(steps.map((step) => step.command ?? '').join('\n'));
  if (commitMessage === null || commitMessage === made) return [];
  return [`Commit:\n\n${fencedCode(`git commit -m "${commitMessage.replace(/["\\$`]/g, '\\$&')}"`, 'commit')}`];
}

/** A fence longer than any in the text. */
export function fencedCode(text: string, language = 'sh'): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
