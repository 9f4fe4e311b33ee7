// cadre status: where every plan stands, what it waits for, and what else a person should know.

import type { LockHolder } from '../../../core/ports.ts';
import { type PlanView, viewPlans } from '../../../core/view.ts';
import type { App } from '../app.ts';
import { answer, EXIT, type Run } from '../context.ts';
import { shortTime } from '../record-line.ts';
import { columns } from '../table.ts';

export const run: Run = async (context) => {
  const app = context.app();
  const world = app.gateway.look();
  const status = {
    repo: app.root,
    engine: app.engine() ?? null,
    waitingSignals: app.waitingSignals(),
    plans: viewPlans(world),
    quarantined: world.refused.size,
    unregistered: app.unregistered(new Set(world.plans.keys())),
    problems: problemsOf(app),
  };
  answer(context, status, [...planLines(status.plans), ...status.plans.flatMap(differenceLines), ...remarks(status)]);
  return EXIT.ok;
};

function problemsOf(app: App): readonly string[] {
  const problem = app.planStateProblem();
  return problem === undefined ? [] : [problem];
}

function planLines(plans: readonly PlanView[]): readonly string[] {
  if (plans.length === 0) return ['No plans yet. Write one to docs/plans, then "cadre register <plan>".'];
  const rows = plans.map((view) => [view.plan, view.status, shortTime(view.since), waiting(view)]);
  return columns([['plan', 'status', 'since', 'waits until'], ...rows]);
}

function waiting(view: PlanView): string {
  return view.waitingFor?.sentence ?? '-';
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
  readonly quarantined: number;
  readonly unregistered: readonly string[];
  readonly problems: readonly string[];
}): readonly string[] {
  const lines: string[] = [...status.problems];
  if (status.unregistered.length > 0)
    lines.push(`Not registered: ${status.unregistered.join(', ')}. "cadre register <plan>" makes them known.`);
  if (status.quarantined > 0)
    lines.push(`In quarantine: ${status.quarantined}. "cadre quarantine" shows what was refused and why.`);
  if (status.engine !== null) lines.push(`Engine: "${status.engine.command}" (pid ${status.engine.pid}).`);
  else if (status.waitingSignals > 0)
    lines.push(`No engine is running, and ${status.waitingSignals} signal(s) wait for one: start "cadre watch".`);
  else lines.push('No engine is running; "cadre watch" starts one.');
  return ['', ...lines];
}
