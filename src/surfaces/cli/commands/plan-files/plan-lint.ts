// cadre plan lint: what is wrong with a plan, and what could be better.
import { Failure } from '../../../../core/model/failure.ts';
import { advise } from '../../../../plan/lint.ts';
import { isUsable, parse } from '../../../../plan/parse.ts';
import type { Problem } from '../../../../plan/plan.ts';
import { showText } from '../../../../text/show.ts';
import { answer, type Context, EXIT, type Run } from '../../context.ts';
import { planText } from '../../text/plan-text.ts';
import { countProblems, problemLines } from '../../text/problem-lines.ts';

export const run: Run = async (context, given) => {
  const { path, shown, found, advice } = await lint(context, given.arguments[0]);
  const problems = [...found, ...advice].sort((one, other) => one.line - other.line);
  answer(context, { file: path, usable: isUsable(found), problems }, [
    ...problemLines(shown, problems),
    problems.length === 0 ? `${showText(shown)}: nothing to say against it.` : `${countProblems(problems)}.`,
  ]);
  return found.length === 0 ? EXIT.ok : EXIT.failed;
};

interface Linted {
  readonly path: string;
  readonly shown: string;
  readonly found: readonly Problem[];
  readonly advice: readonly Problem[];
}

/** That a file is no text is one more thing that is wrong with it. */
async function lint(context: Context, reference: string | undefined): Promise<Linted> {
  try {
    const { path, shown, text } = await planText(context, reference);
    const { plan, problems } = parse(text, path);
    return { path, shown, found: problems, advice: advise(plan) };
  } catch (error) {
    if (!(error instanceof Failure) || !['not-utf8', 'unreadable'].includes(error.code)) throw error;
    const problem: Problem = { line: 1, column: 1, severity: 'error', code: 'unreadable', message: error.message };
    const path = reference ?? 'the active plan';
    return { path, shown: path, found: [problem], advice: [] };
  }
}
