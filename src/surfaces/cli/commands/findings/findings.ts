// cadre findings: what reviews found, and what a person demanded.
import { type FindingView, isUnsettled } from '../../../../core/views/findings.ts';
import { authorWords } from '../../../../signals/author.ts';
import { showLines, showText } from '../../../../text/show.ts';
import { answer, EXIT, type Run } from '../../context.ts';
import { referenceIn } from '../../reference.ts';

export const run: Run = async (context, given) => {
  const found = await context.app().findings(referenceIn(given));
  const shown = given.options.all === true ? found : found.filter(isUnsettled);
  const hidden = found.length - shown.length;
  answer(context, { findings: shown, hidden }, [
    ...(shown.length === 0 ? ['No open findings.'] : shown.flatMap(findingLines).slice(1)),
    ...(hidden === 0
      ? []
      : ['', `${hidden} settled ${hidden === 1 ? 'finding is' : 'findings are'} not shown; --all shows them.`]),
  ]);
  return EXIT.ok;
};

function findingLines(finding: FindingView): readonly string[] {
  const { plan, task, id, place, problem, why, fix, contradicts, evidence, because, decidedBy } = finding;
  const subject = task === null ? plan : `${plan}#${task}`;
  return [
    '',
    `${subject} ${id}  ${flagsOf(finding).join(', ')}`,
    ...indented(`${place === null ? '' : `${showText(place)}: `}${problem}`),
    ...(why === null ? [] : indented(`Why: ${why}`)),
    ...(fix === null ? [] : indented(`Fix: ${fix}`)),
    ...(contradicts === null ? [] : indented(`The plan says: ${contradicts}`)),
    ...(evidence === null ? [] : indented(`Evidence: ${evidence}`)),
    ...(decidedBy === null
      ? []
      : indented(`Decided by ${authorWords(decidedBy)}${because === null ? '.' : `: ${because}`}`)),
    ...commandsFor(finding, subject).map((command) => `  > ${command}`),
  ];
}

function flagsOf({ severity, state, demand, undecided, foundBy }: FindingView): readonly string[] {
  return [
    demand ? 'demanded' : severity,
    undecided ? 'contradicts the plan' : state.replace('-', ' '),
    `found by ${authorWords(foundBy)}`,
  ];
}

/** Only for what waits for a person: a contradiction. What else can be decided is in "cadre why". */
function commandsFor({ undecided, id }: FindingView, subject: string): readonly string[] {
  return undecided ? [`cadre finding plan-holds ${subject} ${id}`, `cadre finding holds ${subject} ${id}`] : [];
}

function indented(text: string): readonly string[] {
  return showLines(text.trimEnd())
    .split('\n')
    .map((line) => `  ${line}`);
}
