// cadre plan import: makes a plan out of the task file of another tool.
import type { ImportInput, PlanImport } from '../../../../app/actions/action.ts';
import { suggest } from '../../../../core/model/suggestion.ts';
import { DIALECTS } from '../../../../plan/foreign/dialects.ts';
import { slugOf } from '../../../../plan/name.ts';
import { counted } from '../../../../text/counted.ts';
import { showText } from '../../../../text/show.ts';
import { performAnd } from '../../action-command.ts';
import { answer, answerRefused, EXIT, forOutput, type Given, type Run, textOption } from '../../context.ts';
import { formatIn } from '../../format-option.ts';
import { commandFor, tryLines } from '../../text/suggestions.ts';

export const run: Run = async (context, given) => {
  const [path = ''] = given.arguments;
  const input = inputIn(given);
  if (given.options.dryRun === true) {
    const preview = await context.app().importPreview(path, input);
    if (preview.kind === 'refused') return answerRefused(context, preview);
    for (const remark of preview.remarks) context.say(showText(remark));
    answer(context, { ...shownImport(preview), written: false, text: preview.text }, [
      forOutput(context, preview.text),
    ]);
    return EXIT.ok;
  }
  return performAnd(context, { do: 'plan-import', on: path, input }, ({ imported }) => {
    if (imported === undefined) throw new Error('The file was imported and no plan was made.');
    answer(context, { ...shownImport(imported), written: true }, importLines(imported));
    return EXIT.ok;
  });
};

function inputIn(given: Given): ImportInput {
  const [to, tag] = [textOption(given, 'to'), textOption(given, 'tag')];
  const typed = textOption(given, 'format');
  const format = typed === undefined || typed === 'auto' ? undefined : formatIn('--format', typed);
  return {
    ...(to === undefined ? {} : { to }),
    ...(tag === undefined ? {} : { tag }),
    ...(format === undefined ? {} : { format }),
    all: given.options.all === true,
  };
}

function shownImport({ plan, from, dialect, title, phases, tasks, leftOut, otherTags, remarks }: PlanImport): object {
  return { plan: `docs/plans/${plan}`, from, format: dialect, title, phases, tasks, leftOut, otherTags, remarks };
}

function importLines({ plan, from, dialect, phases, tasks, otherTags, remarks }: PlanImport): readonly string[] {
  const count = `${counted(tasks, 'task')}${phases > 1 ? ` in ${counted(phases, 'phase')}` : ''}`;
  const tags = otherTags.filter((tag) => /^[\w.-]+$/.test(tag)).slice(0, 3);
  return [
    `docs/plans/${plan}: ${count}, from ${showText(from)} (${DIALECTS[dialect].title})`,
    ...remarks.map((remark) => `  ${showText(remark)}`),
    ...tryLines([
      commandFor(suggest('plan-lint', slugOf(plan))),
      commandFor(suggest('run', slugOf(plan))),
      ...tags.map((tag) => commandFor(suggest('plan-import', from, `tag ${tag} --to ${tag}`))),
    ]),
  ];
}
