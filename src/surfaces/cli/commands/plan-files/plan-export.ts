// cadre plan export: a plan in the format of another tool.
import { Failure } from '../../../../core/model/failure.ts';
import { DIALECT_NAMES } from '../../../../plan/foreign/dialect.ts';
import { DIALECTS } from '../../../../plan/foreign/dialects.ts';
import { exportPlan } from '../../../../plan/foreign/list-of-plan.ts';
import { isUsable, parse } from '../../../../plan/parse.ts';
import { counted } from '../../../../text/counted.ts';
import { showName, showText } from '../../../../text/show.ts';
import { answer, type Context, EXIT, forOutput, type Run, refuse, textOption } from '../../context.ts';
import { formatIn } from '../../format-option.ts';
import { planTextOf } from '../../plan-text.ts';

export const run: Run = async (context, given) => {
  const to = textOption(given, 'to');
  if (to === undefined) return refuse(context, 'usage', `Name a format: --to ${DIALECT_NAMES.join('|')}.`);
  const format = formatIn('--to', to);
  const { path, shown, text } = await planTextOf(context, given.arguments[0]);
  const { plan, problems } = parse(text, path);
  const error = problems.find(({ severity }) => severity === 'error');
  if (!isUsable(problems))
    return refuse(
      context,
      'unusable-file',
      `${showText(shown)}:${error?.line ?? 1}: ${showText(error?.message ?? '')}`,
    );
  if (plan.phases.every(({ tasks }) => tasks.length === 0))
    return refuse(context, 'no-tasks', `${showText(shown)} has no task headings, so there is nothing to export.`);
  const exported = exportPlan({ plan, done: await doneTasks(context, path) }, DIALECTS[format]);
  const output = textOption(given, 'output') ?? null;
  if (output !== null && !context.createFile(output, exported.text))
    return refuse(context, 'file-exists', `"${showName(output)}" already exists, and an export never replaces a file.`);
  const { tasks, done, remarks } = exported;
  for (const remark of remarks) context.say(showText(remark));
  answer(
    context,
    { file: path, format, tasks, done, remarks, output, ...(output === null ? { text: exported.text } : {}) },
    [
      output === null
        ? forOutput(context, exported.text)
        : `${showText(output)}: ${counted(tasks, 'task')}, ${done} done`,
    ],
  );
  return EXIT.ok;
};

/** Outside a repository nothing is known about a plan. */
async function doneTasks(context: Context, path: string): Promise<ReadonlySet<string>> {
  try {
    return await context.app().doneTasks(path);
  } catch (error) {
    if (error instanceof Failure && error.code === 'no-repo') return new Set();
    throw error;
  }
}
