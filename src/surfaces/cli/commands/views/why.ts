// cadre why: how a plan or a task got where it is, whose turn it is, and what can be done.
import type { WhyPlan, WhyTask } from '../../../../app/reads/why.ts';
import { viewRecord } from '../../../../core/views/record.ts';
import { type Quarantined, viewRefused } from '../../../../core/views/refused-signal.ts';
import { showLines, showText } from '../../../../text/show.ts';
import { answer, type Context, EXIT, type ExitCode, type Run } from '../../context.ts';
import { referenceIn } from '../../reference.ts';
import { noEngineLine } from '../../text/engine-lines.ts';
import { recordLine, shortTime } from '../../text/record-line.ts';
import { runLines, waitLines } from '../../text/status-text.ts';
import { commandFor } from '../../text/suggestions.ts';

export const run: Run = async (context, given) => {
  const why = await context.app().why(referenceIn(given));
  return why.of === 'plan' ? whyPlan(context, why) : whyTask(context, why);
};

function whyPlan(context: Context, why: WhyPlan): ExitCode {
  const { view, fileProblem, hasLanded, waysOut, history, refused, engine, waitingSignals } = why;
  const { owner, sentence, deadline } = view;
  const commands = why.actions.map(commandFor);
  answer(
    context,
    {
      plan: view,
      owner,
      sentence,
      deadline,
      waysOut,
      commands,
      history: history.map(viewRecord),
      engine,
      waitingSignals,
      refused: refused.map(viewRefused),
    },
    [
      `${view.plan} is ${view.status} since ${shortTime(view.since)}.`,
      ...(view.feedback === null ? [] : [`The last review asked for: ${showLines(view.feedback.trimEnd())}`]),
      ...(hasLanded ? [showText(view.landed?.text ?? '')] : []),
      ...(fileProblem === undefined ? [] : [`The plan file cannot be built: ${fileProblem}`]),
      ...waitLines(view, commands),
      ...(engine === null && waitingSignals > 0 ? [noEngineLine(waitingSignals)] : []),
      ...refused.map(refusedLine),
      '',
      ...history.map(recordLine),
    ],
  );
  return EXIT.ok;
}

function whyTask(context: Context, { plan, view, waysOut, actions, history, refused }: WhyTask): ExitCode {
  const { owner, sentence, deadline } = view;
  const commands = actions.map(commandFor);
  answer(
    context,
    {
      plan,
      task: view,
      owner,
      deadline,
      sentence,
      waysOut,
      commands,
      history: history.map(viewRecord),
      refused: refused.map(viewRefused),
    },
    [
      `${plan}#${view.task} (${showText(view.name)}) is ${view.state} since ${shortTime(view.since)}.`,
      ...runLines(view),
      ...(view.changed ? [`Its text has changed since it was launched: "cadre plan diff ${plan}".`] : []),
      ...waitLines(view, commands),
      ...refused.map(refusedLine),
      '',
      ...history.map(recordLine),
    ],
  );
  return EXIT.ok;
}

function refusedLine({ id, why }: Quarantined): string {
  return `Refused (${id}): ${why}`;
}
