// cadre plan lint: problems in a plan file, and advice.
import { Failure } from '../../../../core/model/failure.ts';
import { advise } from '../../../../plan/lint.ts';
import { isUsable, parse } from '../../../../plan/parse.ts';
import type { Problem } from '../../../../plan/plan.ts';
import { showText } from '../../../../text/show.ts';
import { answer, type Context, EXIT, type Run } from '../../context.ts';
import { planTextOf } from '../../plan-text.ts';
import { countProblems, problemLines } from '../../text/problem-lines.ts';

export const run: Run = async (context, given) => {
  const { path, shown, found, advice } = await lint(context, given.arguments[0]);
  const problems = [...found, ...advice].sort((one, other) => one.line - other.line);
  answer(context, { file: path, usable: isUsable(found), problems }, [
    ...problemLines(shown, problems),
    problems.length === 0 ? `${showText(shown)}: no problems found.` : `${countProblems(problems)}.`,
  ]);
  return found.length === 0 ? EXIT.ok : EXIT.failed;
};

interface Linted {
  readonly path: string;
  readonly shown: string;
  readonly found: readonly Problem[];
  readonly advice: readonly Problem[];
}

/** A file that is not text is one more problem. */
async function lint(context: Context, reference: string | undefined): Promise<Linted> {
  try {
    const { path, shown, text } = await planTextOf(context, reference);
    const { plan, problems } = parse(text, path);
    return { path, shown, found: problems, advice: advise(plan) };
  } catch (error) {
    if (!(error instanceof Failure) || !['not-utf8', 'unreadable'].includes(error.code)) throw error;
    const problem: Problem = { line: 1, column: 1, severity: 'error', code: 'unreadable', message: error.message };
    const path = reference ?? 'the active plan';
    return { path, shown: path, found: [problem], advice: [] };
  }
}
