// cadre plan show: a plan as cadre reads it.
import { isForeign } from '../../../../app/foreign-file.ts';
import { suggest } from '../../../../core/model/suggestion.ts';
import { parse } from '../../../../plan/parse.ts';
import type { FileReference, Phase, Plan, Problem, Task, TaskStep } from '../../../../plan/plan.ts';
import { counted } from '../../../../text/counted.ts';
import { showText } from '../../../../text/show.ts';
import { answer, EXIT, type Run, refuse } from '../../context.ts';
import { planTextOf } from '../../plan-text.ts';
import { countProblems } from '../../text/problem-lines.ts';
import { commandFor, tryLines } from '../../text/suggestions.ts';

export const run: Run = async (context, given) => {
  const { path, shown, text } = await planTextOf(context, given.arguments[0]);
  const { plan, problems } = parse(text, path);
  const other = problems.find(({ code }) => code === 'not-markdown');
  const instead = isForeign(text) ? [suggest('plan-import', shown)] : [];
  if (other !== undefined) return refuse(context, 'unusable-file', `${showText(shown)}: ${other.message}`, instead);
  const remark =
    problems.length === 0 ? [] : ['', `${countProblems(problems)}. "cadre plan lint ${showText(shown)}" lists them.`];
  const foreign = problems.flatMap(({ code, message }) => (code === 'foreign-tasks' ? [showText(message)] : []));
  const header = [...headerLines(plan, problems), ...foreign, ...tryLines(instead.map(commandFor))];
  answer(context, { plan, problems }, [...header, ...plan.phases.flatMap(phaseLines), ...remark]);
  return EXIT.ok;
};

function headerLines(plan: Plan, problems: readonly Problem[]): readonly string[] {
  const tasks = plan.phases.flatMap((phase) => phase.tasks);
  const isOneTask = problems.some(({ code }) => code === 'no-tasks');
  const count = isOneTask
    ? 'the whole file is one task'
    : `${counted(plan.phases.length, 'phase')}, ${counted(tasks.length, 'task')}`;
  return [
    `${showText(plan.title ?? plan.filePath)}: ${count}`,
    ...field('Goal', plan.goal),
    ...field('Architecture', plan.architecture),
    ...field('Tech stack', plan.techStack),
    ...(plan.constraints === null
      ? []
      : ['Global constraints:', ...plan.constraints.split('\n').map((line) => `  ${showText(line)}`)]),
  ];
}

function field(name: string, value: string | null): readonly string[] {
  return value === null ? [] : [`${name}: ${showText(value)}`];
}

function phaseLines(phase: Phase): readonly string[] {
  const named = phase.name === '' ? '' : `: ${showText(phase.name)}`;
  const title = phase.number === 0 && phase.name === '' ? 'Tasks' : `Phase ${phase.number}${named}`;
  const marks = phase.parallel ? ' (in parallel)' : '';
  const tasks = phase.tasks.length === 0 ? ['  no tasks'] : phase.tasks.flatMap(taskLines);
  return ['', `${title}${marks}`, ...tasks];
}

function taskLines(task: Task): readonly string[] {
  return [
    `  Task ${task.address}: ${showText(task.name)}  (line ${task.line})`,
    ...(task.dependsOn === null ? [] : [`    depends on ${task.dependsOn.join(', ') || 'nothing'}`]),
    ...(task.profile === null ? [] : [`    profile ${showText(task.profile)}`]),
    ...(task.testFirst ? ['    test first'] : []),
    ...task.files.map(fileLine),
    ...(task.interfaces?.consumes ?? []).map((entry) => `    consumes  ${showText(entry)}`),
    ...(task.interfaces?.produces ?? []).map((entry) => `    produces  ${showText(entry)}`),
    ...task.steps.flatMap(stepLines),
    ...(task.commitMessage === null ? [] : [`    commit: ${firstLineOf(task.commitMessage)}`]),
  ];
}

function fileLine({ action, path, lines }: FileReference): string {
  return `    ${action.padEnd(9)} ${showText(path)}${lines === null ? '' : `:${lines}`}`;
}

function stepLines(step: TaskStep): readonly string[] {
  return [
    `    ${step.number}. ${showText(step.description)}`,
    ...(step.command === null ? [] : [`       $ ${firstLineOf(step.command)}`]),
    ...(step.expected === null ? [] : [`       expected: ${firstLineOf(step.expected)}`]),
  ];
}

/** The other lines are in the file, and in --json. */
function firstLineOf(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  return rest.length === 0 ? showText(first) : `${showText(first)}  (+${rest.length} lines)`;
}
