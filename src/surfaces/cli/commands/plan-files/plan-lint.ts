// cadre plan lint: problems in a plan file, and advice.
import { isForeign } from '../../../../app/foreign-file.ts';
import { Failure } from '../../../../core/model/failure.ts';
import { suggest } from '../../../../core/model/suggestion.ts';
import { advise } from '../../../../plan/lint.ts';
import { isUsable, parse } from '../../../../plan/parse.ts';
import type { Problem } from '../../../../plan/plan.ts';
import { showText } from '../../../../text/show.ts';
import { answer, type Context, EXIT, type Run } from '../../context.ts';
import { planTextOf } from '../../plan-text.ts';
import { countProblems, problemLines } from '../../text/problem-lines.ts';
import { commandFor, tryLines } from '../../text/suggestions.ts';

export const run: Run = async (context, given) => {
  const { path, shown, found, advice, isForeign: foreign } = await lint(context, given.arguments[0]);
  const problems = [...found, ...advice].sort((one, other) => one.line - other.line);
  const instead = foreign ? [commandFor(suggest('plan-import', shown))] : [];
  answer(context, { file: path, usable: isUsable(found), problems, try: instead }, [
    ...problemLines(shown, problems),
    problems.length === 0 ? `${showText(shown)}: no problems found.` : `${countProblems(problems)}.`,
    ...tryLines(instead),
  ]);
  return found.length === 0 ? EXIT.ok : EXIT.failed;
};

interface Linted {
  readonly path: string;
  readonly shown: string;
  readonly found: readonly Problem[];
  readonly advice: readonly Problem[];
  /** It is a list of tasks of another tool. */
  readonly isForeign: boolean;
}

/** A file that is not text is one more problem. */
async function lint(context: Context, reference: string | undefined): Promise<Linted> {
  try {
    const { path, shown, text } = await planTextOf(context, reference);
    const { plan, problems } = parse(text, path);
    return { path, shown, found: problems, advice: advise(plan), isForeign: isForeign(text) };
  } catch (error) {
    if (!(error instanceof Failure) || !['not-utf8', 'unreadable'].includes(error.code)) throw error;
    const problem: Problem = { line: 1, column: 1, severity: 'error', code: 'unreadable', message: error.message };
    const path = reference ?? 'the active plan';
    return { path, shown: path, found: [problem], advice: [], isForeign: false };
  }
}
