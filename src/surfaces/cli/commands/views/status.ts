// cadre status: the state of every plan, what it waits for, and what else a person should know.
import type { Status } from '../../../../app/reads/status.ts';
import type { SessionShown } from '../../../../app/sessions.ts';
import { needsAnswer } from '../../../../core/model/activity.ts';
import type { FileView, PlanView } from '../../../../core/views/plan.ts';
import type { PlanFile } from '../../../../plan/name.ts';
import { shortened } from '../../../../text/shorten.ts';
import { showText } from '../../../../text/show.ts';
import { answer, EXIT, type Run } from '../../context.ts';
import { columns } from '../../text/columns.ts';
import { FROZEN, noEngineLine } from '../../text/engine-lines.ts';
import { needJson, needLines } from '../../text/needs-lines.ts';
import { problemLines } from '../../text/problem-lines.ts';
import { shortTime } from '../../text/record-line.ts';
import { sessionJson, stateWord } from '../../text/session-lines.ts';
import { commandFor, tryLines } from '../../text/suggestions.ts';
import { taskLines } from '../../text/task-lines.ts';

export const run: Run = async (context, given) => {
  const [only] = given.arguments;
  const status = await context.app().status(only);
  const shown = only === undefined ? status.plans.find((view) => view.plan === status.active) : status.plans[0];
  const json = { ...status, needsYou: status.needsYou.map(needJson), sessions: status.sessions.map(sessionJson) };
  answer(context, json, [
    ...planLines(status.plans, status.active),
    ...(shown === undefined ? [] : ['', `${shown.plan}:`, ...taskLines(shown, shown.file)]),
    ...apart([
      ...status.plans.filter((view) => view !== shown).flatMap((view) => fileLines(view.plan, view.file)),
      ...status.plans.flatMap(differenceLines),
    ]),
    ...(status.needsYou.length === 0 ? [] : ['', 'Needs you:', ...needLines(status.needsYou)]),
    ...sessionLines(status.sessions, given.options.explain === true),
    ...remarks(status),
  ]);
  return EXIT.ok;
};

function sessionLines(sessions: readonly SessionShown[], explain: boolean): readonly string[] {
  if (sessions.length === 0) return [];
  const rows = sessions.map((view) => [
    view.session,
    stateWord(view),
    view.program,
    shortened(view.title),
    ...(explain ? [`${view.sentence} (source: ${view.source})`] : []),
  ]);
  const asking = sessions.filter((view) => view.activity !== null && needsAnswer(view.activity));
  return [
    '',
    ...columns([['session', 'state', 'program', 'title', ...(explain ? ['why'] : [])], ...rows]),
    ...apart(explain ? [] : asking.flatMap(askingSessionLines)),
  ];
}

function askingSessionLines({ session, sentence, suggestions }: SessionShown): readonly string[] {
  return [`${session}: ${sentence}`, ...tryLines(suggestions.map(commandFor))];
}

function apart(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

function planLines(plans: readonly PlanView[], active: string | null): readonly string[] {
  if (plans.length === 0) return ['No plans yet. Write one in docs/plans, then build it with "cadre run <plan>".'];
  const rows = plans.map((view) => [
    view.plan === active ? '*' : ' ',
    view.plan,
    view.status,
    shortTime(view.since),
    doneOf(view),
    view.owner ?? '-',
    view.owner === null ? '' : showText(view.sentence),
  ]);
  return columns([[' ', 'plan', 'status', 'since', 'tasks', 'waits for', ''], ...rows]);
}

function doneOf({ progress }: PlanView): string {
  return progress.of === 0 ? '-' : `${progress.done}/${progress.of}`;
}

/** Problems in the file of a plan whose tasks are not shown. */
function fileLines(plan: PlanFile, file: FileView): readonly string[] {
  if (file.state === 'missing') return [`docs/plans/${plan} is missing; the plan and its tasks are kept as they were.`];
  const [first] = file.state === 'unusable' ? file.problems.filter((problem) => problem.severity === 'error') : [];
  return first === undefined ? [] : problemLines(`docs/plans/${plan}`, [first]);
}

function differenceLines({ plan, difference }: PlanView): readonly string[] {
  if (difference === null) return [];
  const { status, at } = difference;
  return [`${plan}: plan-state.json says ${status} (${shortTime(at)}). "cadre adopt ${plan}" follows the file.`];
}

function remarks({ problems, unregistered, quarantined, frozen, engine, waitingSignals }: Status): readonly string[] {
  return [
    '',
    ...problems,
    ...(unregistered.length === 0
      ? []
      : [`Not registered: ${unregistered.join(', ')}. "cadre register <plan>" adds one.`]),
    ...(quarantined === 0 ? [] : [`In quarantine: ${quarantined}. "cadre quarantine" shows why.`]),
    ...(frozen ? [FROZEN] : []),
    engine === null ? noEngineLine(waitingSignals) : `Engine: "${engine.command}" (pid ${engine.pid}).`,
  ];
}
