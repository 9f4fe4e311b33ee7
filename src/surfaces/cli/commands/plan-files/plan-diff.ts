// cadre plan diff: what changed in the tasks since they were launched, or from one file to another.
import { diffPlanTexts, type ShownTaskChange } from '../../../../app/reads/plan-diff.ts';
import { showLines, showText } from '../../../../text/show.ts';
import { answer, EXIT, type Run } from '../../context.ts';
import { planTextOf } from '../../plan-text.ts';
import { problemLines } from '../../text/problem-lines.ts';

export const run: Run = async (context, given) => {
  const [one, other] = given.arguments;
  const after = await planTextOf(context, other ?? one);
  const { file, changes, errors } =
    other === undefined ? await context.app().planDiff(after) : diffPlanTexts(await planTextOf(context, one), after);
  const problems = errors.flatMap((each) => each.problems);
  answer(context, { file, changes, problems }, [
    ...errors.flatMap((each) => problemLines(each.shown, each.problems)),
    ...(problems.length > 0
      ? ['A file with errors cannot be compared; all tasks keep their state.']
      : changes.length === 0
        ? ['No task differs.']
        : changes.flatMap((change, index) => [...(index === 0 ? [] : ['']), ...changeLines(change)])),
  ]);
  return EXIT.ok;
};

function changeLines({ kinds, before, after, state, means, text }: ShownTaskChange): readonly string[] {
  const [old, now] = [before ?? after, after ?? before];
  const address = old?.task === now?.task ? `${now?.task}` : `${old?.task} -> ${now?.task}`;
  const name = old?.name === now?.name ? `${now?.name}` : `${old?.name} -> ${now?.name}`;
  return [
    `Task ${address}: ${showText(name)}  ${kinds.join(', ')}; ${state}`,
    ...means.map((meaning) => `  ${meaning}`),
    ...(text === null ? [] : [`  @ line ${text.line} below the heading`]),
    ...(text?.removed ?? []).map((line) => `  - ${showLines(line)}`),
    ...(text?.added ?? []).map((line) => `  + ${showLines(line)}`),
  ];
}
