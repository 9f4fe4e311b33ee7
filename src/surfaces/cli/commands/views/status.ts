// cadre status: where every plan stands, what it waits for, and what else a person should know.

import { needsAnswer } from '../../../../core/model/activity.ts';
import type { SessionEntry } from '../../../../core/model/session.ts';
import type { World } from '../../../../core/model/world.ts';
import type { LockHolder } from '../../../../core/ports/locks.ts';
import { activePlan, type FileView, type PlanView, viewFile, viewPlans } from '../../../../core/views/plan.ts';
import { taskMachine } from '../../../../machines/task.ts';
import type { PlanFile } from '../../../../plan/name.ts';
import { showText } from '../../../../text/show.ts';
import type { App } from '../../app.ts';
import { answer, EXIT, type Run } from '../../context.ts';
import { planNamed } from '../../find.ts';
import { type Need, needLines, needsIn } from '../../needs-you.ts';
import { type SessionShown, sessionJson, sessionSentence, stateWord, viewSessions } from '../../session.ts';
import { columns, shortened } from '../../text/columns.ts';
import { problemLines } from '../../text/problem-lines.ts';
import { shortTime } from '../../text/record-line.ts';
import { taskLines } from '../../text/task-lines.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const { world, readings } = app.look();
  const [reference] = given.arguments;
  const only = reference === undefined ? undefined : planNamed(world, reference).plan;
  const active = activePlan(world, app.planFiles.list()) ?? null;
  const status = {
    repo: app.root,
    engine: app.engine() ?? null,
    waitingSignals: app.waitingSignals(),
    active,
    plans: viewPlans(world)
      .filter((view) => only === undefined || view.plan === only)
      .map((view) => ({ ...view, file: viewFile(readings.get(view.plan) ?? { kind: 'missing' }) })),
    needsYou: needs(world, only),
    frozen: world.frozen,
    sessions: await viewSessions(app, inPlace(world)),
    quarantined: world.refused.size,
    unregistered: app.unregistered(new Set(world.plans.keys())),
    problems: problemsOf(app),
  };
  const shown = status.plans.find((view) => view.plan === (only ?? active));
  answer(context, { ...status, sessions: status.sessions.map(sessionJson) }, [
    ...planLines(status.plans, active),
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

function needs(world: World, only: PlanFile | undefined): readonly Need[] {
  const plans = [...world.plans.values()].filter(({ plan }) => only === undefined || plan === only);
  return plans.flatMap((entry) => needsIn(world, entry));
}

/** Sessions that no other has followed in their place, and of those that cadre began the ones at work; the others are history. */
function inPlace(world: World): readonly SessionEntry[] {
  return [...world.sessions.values()].filter(
    ({ followedBy, plan, wanted }) => followedBy === undefined && (plan === undefined || wanted === 'running'),
  );
}

function sessionLines(sessions: readonly SessionShown[], explain: boolean): readonly string[] {
  if (sessions.length === 0) return [];
  const rows = sessions.map((view) => [
    view.session,
    stateWord(view),
    view.program,
    shortened(view.title),
    ...(explain ? [`${sessionSentence(view)} (known from the ${view.source})`] : []),
  ]);
  const asking = sessions.filter((view) => view.activity !== null && needsAnswer(view.activity));
  return [
    '',
    ...columns([['session', 'state', 'program', 'title', ...(explain ? ['why'] : [])], ...rows]),
    ...apart(explain ? [] : asking.map((view) => `${view.session}: ${sessionSentence(view)}`)),
  ];
}

function apart(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

function problemsOf(app: App): readonly string[] {
  const problem = app.planStateProblem();
  return problem === undefined ? [] : [problem];
}

function planLines(plans: readonly PlanView[], active: string | null): readonly string[] {
  if (plans.length === 0) return ['No plans yet. Write one to docs/plans, then "cadre register <plan>".'];
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

function doneOf({ tasks }: PlanView): string {
  const present = tasks.filter((task) => !task.stale);
  const done = present.filter((task) => taskMachine.final.includes(task.state));
  return present.length === 0 ? '-' : `${done.length}/${present.length}`;
}

/** What is wrong with the file of a plan whose tasks are not shown. */
function fileLines(plan: PlanFile, file: FileView): readonly string[] {
  if (file.state === 'missing') return [`docs/plans/${plan} is gone; the plan and its tasks are kept as they were.`];
  const [first] = file.state === 'unusable' ? file.problems.filter((problem) => problem.severity === 'error') : [];
  return first === undefined ? [] : problemLines(`docs/plans/${plan}`, [first]);
}

function differenceLines(view: PlanView): readonly string[] {
  if (view.difference === null) return [];
  return [
    `${view.plan}: plan-state.json said ${view.difference.status} at ${shortTime(view.difference.at)}. "cadre adopt ${view.plan}" takes its side.`,
  ];
}

function remarks(status: {
  readonly engine: LockHolder | null;
  readonly waitingSignals: number;
  readonly frozen: boolean;
  readonly quarantined: number;
  readonly unregistered: readonly string[];
  readonly problems: readonly string[];
}): readonly string[] {
  const lines: string[] = [...status.problems];
  if (status.unregistered.length > 0)
    lines.push(`Not registered: ${status.unregistered.join(', ')}. "cadre register <plan>" makes them known.`);
  if (status.quarantined > 0)
    lines.push(`In quarantine: ${status.quarantined}. "cadre quarantine" shows what was refused and why.`);
  if (status.frozen) lines.push('cadre is frozen: nothing new is begun. "cadre thaw" lets it go on.');
  if (status.engine !== null) lines.push(`Engine: "${status.engine.command}" (pid ${status.engine.pid}).`);
  else if (status.waitingSignals > 0)
    lines.push(
      `No engine is running, and ${status.waitingSignals} signal(s) wait for one: "cadre engine start" starts one.`,
    );
  else lines.push('No engine is running; "cadre engine start" starts one.');
  return ['', ...lines];
}
