// cadre why: how a plan or a task got where it is, whose turn it is, and what can be done.
import type { WhyPlan, WhyTask } from '../../../../app/reads/why.ts';
import type { PlanView } from '../../../../core/views/plan.ts';
import { viewRecord } from '../../../../core/views/record.ts';
import { type Quarantined, viewRefused } from '../../../../core/views/refused-signal.ts';
import { authorWords } from '../../../../signals/author.ts';
import { showLines, showText } from '../../../../text/show.ts';
import { answer, type Context, EXIT, type ExitCode, type Run } from '../../context.ts';
import { referenceIn } from '../../reference.ts';
import { noEngineLine } from '../../text/engine-lines.ts';
import { needJson, needLines } from '../../text/needs-lines.ts';
import { recordLine, shortTime } from '../../text/record-line.ts';
import { askingJson, askingLines } from '../../text/session-lines.ts';
import { runLines, waitLines } from '../../text/status-text.ts';
import { commandFor } from '../../text/suggestions.ts';

export const run: Run = async (context, given) => {
  const why = await context.app().why(referenceIn(given));
  return why.of === 'plan' ? whyPlan(context, why) : whyTask(context, why);
};

function whyPlan(context: Context, why: WhyPlan): ExitCode {
  const {
    view,
    settings,
    fileProblem,
    hasLanded,
    asks,
    waysOut,
    needsYou,
    history,
    refused,
    engine,
    engineLog,
    waitingSignals,
    names,
  } = why;
  const { owner, sentence, deadline } = view;
  const commands = why.actions.map(commandFor);
  answer(
    context,
    {
      plan: view,
      owner,
      sentence,
      deadline,
      asks: asks.map(askingJson),
      waysOut,
      commands,
      needsYou: needsYou.map(needJson),
      history: history.map(viewRecord),
      engine,
      engineLog,
      waitingSignals,
      refused: refused.map(viewRefused),
    },
    [
      `${view.plan} is ${view.status} since ${shortTime(view.since)}.`,
      ...(view.feedback === null ? [] : [`${requester(view)} asked for: ${showLines(view.feedback.trimEnd())}`]),
      ...(hasLanded ? [showText(view.landed?.text ?? '')] : []),
      ...(fileProblem === undefined ? [] : [`The plan file cannot be built: ${fileProblem}`]),
      ...(settings === null ? [] : [`${settings.charAt(0).toUpperCase()}${settings.slice(1)}`]),
      ...waitLines(view, commands),
      ...(needsYou.length === 0 ? [] : ['Needs you:', ...needLines(needsYou)]),
      // What the plan itself waits for is in the line above.
      ...asks.filter(({ task }) => task !== null).flatMap(askingLines),
      ...(engine === null ? [] : [`Log of the engine: ${engineLog}`]),
      ...(engine === null && waitingSignals > 0 ? [noEngineLine(waitingSignals)] : []),
      ...refused.map(refusedLine),
      '',
      ...history.map((record) => recordLine(record, names)),
    ],
  );
  return EXIT.ok;
}

function whyTask(
  context: Context,
  { plan, view, paths, wall, asks, waysOut, actions, history, refused, names }: WhyTask,
): ExitCode {
  const { owner, sentence, deadline } = view;
  const commands = actions.map(commandFor);
  answer(
    context,
    {
      plan,
      task: view,
      paths,
      wall,
      owner,
      deadline,
      sentence,
      asks: asks.map(askingJson),
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
      ...(wall === null ? [] : [showText(wall)]),
      ...(paths.worktree === null ? [] : [`Worktree: ${paths.worktree}`]),
      ...(paths.output === null ? [] : [`Output of its last verification: ${paths.output}`]),
      ...(paths.setup === null ? [] : [`Output of its setup command: ${paths.setup}`]),
      ...refused.map(refusedLine),
      '',
      ...history.map((record) => recordLine(record, names)),
    ],
  );
  return EXIT.ok;
}

/** Who asked for the last changes of the plan. */
function requester({ feedbackBy }: PlanView): string {
  const words = feedbackBy === null ? 'the last review' : authorWords(feedbackBy);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function refusedLine({ id, why }: Quarantined): string {
  return `Refused (${id}): ${why}`;
}
