// cadre status: the state of every plan, what it waits for, and what else a person should know.
import type { FullStatus, Status } from '../../../../app/reads/status.ts';
import type { SessionShown } from '../../../../app/sessions.ts';
import { needsAnswer } from '../../../../core/model/activity.ts';
import type { FileView, PlanRow } from '../../../../core/views/plan.ts';
import type { PlanFile } from '../../../../plan/name.ts';
import { shortened } from '../../../../text/shorten.ts';
import { showText } from '../../../../text/show.ts';
import { EXIT, jsonLine, type Run } from '../../context.ts';
import { columns } from '../../text/columns.ts';
import { FROZEN, noEngineLine, PAUSED } from '../../text/engine-lines.ts';
import { needJson, needLines } from '../../text/needs-lines.ts';
import { problemLines } from '../../text/problem-lines.ts';
import { shortTime } from '../../text/record-line.ts';
import { sessionJson, stateWord } from '../../text/session-lines.ts';
import { commandFor, tryLines } from '../../text/suggestions.ts';
import { taskLines } from '../../text/task-lines.ts';

export const run: Run = async (context, given) => {
  const request = { plan: given.arguments[0], all: given.options.all === true };
  const app = context.app();
  context.print(
    context.json
      ? jsonLine(statusJson(await app.fullStatus(request)))
      : statusLines(await app.status(request), given.options.explain === true).join('\n'),
  );
  return EXIT.ok;
};

export type PlanList = Pick<Status, 'active' | 'unregistered'> & { readonly plans: readonly PlanRow[] };

function statusJson(status: FullStatus): object {
  return { ...status, needsYou: status.needsYou.map(needJson), sessions: status.sessions.map(sessionJson) };
}

function statusLines(status: Status, explain: boolean): readonly string[] {
  const { shown } = status;
  return [
    ...planLines(status),
    ...(shown === null ? [] : ['', `${shown.plan}:`, ...taskLines(shown, shown.file)]),
    ...apart([
      ...status.plans.filter(({ plan }) => plan !== shown?.plan).flatMap((view) => fileLines(view.plan, view.file)),
      ...status.plans.flatMap(differenceLines),
    ]),
    ...(status.needsYou.length === 0 ? [] : ['', 'Needs you:', ...needLines(status.needsYou)]),
    ...sessionLines(status, explain),
    ...remarks(status),
  ];
}

function sessionLines({ sessions, needsYou }: Status, explain: boolean): readonly string[] {
  if (sessions.length === 0) return [];
  const rows = sessions.map((view) => [
    view.session,
    stateWord(view),
    view.program,
    shortened(view.title),
    ...(explain ? [`${view.sentence} (source: ${view.source})`] : []),
  ]);
  const attached = new Set(needsYou.filter(({ kind }) => kind === 'permission').map(({ actions }) => actions[0]?.on));
  // Those of plans are among the needs.
  const asking = sessions.filter(
    ({ session, activity }) => activity !== null && needsAnswer(activity) && !attached.has(session),
  );
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

export function planLines({ plans, active, unregistered }: PlanList): readonly string[] {
  const [first] = unregistered;
  if (plans.length === 0 && first !== undefined)
    return [`No plan is being built yet. "cadre run ${first.replace(/\.md$/, '')}" builds one.`];
  if (plans.length === 0) return ['No plans yet. Write one in docs/plans, then build it with "cadre run <plan>".'];
  const rows = plans.map((view) => [
    view.plan === active ? '*' : ' ',
    view.plan,
    statusOf(view),
    shortTime(view.since),
    doneOf(view),
    view.owner ?? '-',
    view.owner === null ? '' : showText(view.sentence.split('\n', 1)[0] ?? ''),
  ]);
  return columns([[' ', 'plan', 'status', 'since', 'tasks', 'waits for', ''], ...rows]);
}

/** Of a plan that is being planned, how far its workshop is. */
function statusOf({ status, planning, paused, archived }: PlanRow): string {
  if (archived !== null) return `${status} (archived)`;
  const where = planning === null ? status : `${planning.state}, round ${planning.round}`;
  return paused ? `${where} (paused)` : where;
}

function doneOf({ progress }: PlanRow): string {
  return progress.of === 0 ? '-' : `${progress.done}/${progress.of}`;
}

/** Problems in the file of a plan whose tasks are not shown. */
function fileLines(plan: PlanFile, file: FileView): readonly string[] {
  if (file.state === 'missing') return [`docs/plans/${plan} is missing; the plan and its tasks are kept as they were.`];
  const [first] = file.state === 'unusable' ? file.problems.filter((problem) => problem.severity === 'error') : [];
  return first === undefined ? [] : problemLines(`docs/plans/${plan}`, [first]);
}

function differenceLines({ plan, difference }: PlanRow): readonly string[] {
  if (difference === null) return [];
  const { status, at } = difference;
  return [`${plan}: plan-state.json says ${status} (${shortTime(at)}). "cadre adopt ${plan}" follows the file.`];
}

function remarks({
  problems,
  unregistered,
  quarantined,
  sandbox,
  archived,
  paused,
  frozen,
  engine,
  waitingSignals,
}: Status): readonly string[] {
  return [
    '',
    ...problems,
    ...unregisteredLines(unregistered),
    ...(archived === 0 ? [] : [`Archived: ${archived}. "cadre status --all" shows them.`]),
    ...(quarantined === 0 ? [] : [`In quarantine: ${quarantined}. "cadre quarantine" shows why.`]),
    ...(sandbox === null ? [] : [`Sandbox: ${showText(sandbox)}${sandbox.endsWith('.') ? '' : '.'}`]),
    ...(paused ? [PAUSED] : []),
    ...(frozen ? [FROZEN] : []),
    engine === null ? noEngineLine(waitingSignals) : `Engine: "${engine.command}" (pid ${engine.pid}).`,
  ];
}

export function unregisteredLines(plans: readonly string[]): readonly string[] {
  if (plans.length === 0) return [];
  return [`Not registered: ${plans.join(', ')}. "cadre run <plan>" builds one, "cadre register <plan>" only adds it.`];
}
