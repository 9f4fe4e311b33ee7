// cadre why: how a plan or a task got where it is, whose turn it is, and the ways out.
import { type JournalRecord, planOf } from '../../../../core/model/record.ts';
import { fileProblem, taskBehind, viewPlan, viewTasks } from '../../../../core/views/plan.ts';
import { hasNotLanded } from '../../../../core/views/why.ts';
import { acceptedIn } from '../../../../machines/machine.ts';
import { planMachine } from '../../../../machines/plan.ts';
import type { PlanFile } from '../../../../plan/name.ts';
import { showLines, showText } from '../../../../text/show.ts';
import type { App } from '../../app.ts';
import { planCommands, taskCommands } from '../../available-actions.ts';
import { answer, type Context, EXIT, type ExitCode, type Run } from '../../context.ts';
import { subjectMeant, type TaskTarget } from '../../find-task.ts';
import { type Quarantined, quarantineJson } from '../../json/quarantine-json.ts';
import { recordJson } from '../../json/record-json.ts';
import { recordLine, shortTime } from '../../text/record-line.ts';
import { runLines, standingLines } from '../../text/status-text.ts';

const HISTORY = 8;

export const run: Run = async (context, given) => {
  const app = context.app();
  const { world, entry, task } = subjectMeant(app, given);
  return task === undefined ? whyPlan(context, app, { world, entry }) : whyTask(context, app, { world, entry, task });
};

function whyPlan(context: Context, app: App, { world, entry }: Omit<TaskTarget, 'task'>): ExitCode {
  const problem = fileProblem(entry.plan, app.planFiles.read(entry.plan));
  const view = viewPlan(world, entry);
  const { plan } = entry;
  const history = app.lastRecords({ plan, isWanted: (record) => planOf(record) === plan, count: HISTORY });
  const refused = [...world.refused.values()].filter((one) => one.plan === entry.plan);
  const engine = app.engine() ?? null;
  const waitingSignals = app.waitingSignals();
  const { owner, sentence, deadline } = view;
  const waysOut = acceptedIn(planMachine, entry.status).filter(
    (event) => event === 'cancel' || view.waysOut.includes(event),
  );
  const commands = planCommands(entry, waysOut);
  answer(
    context,
    {
      plan: view,
      owner,
      sentence,
      deadline,
      waysOut,
      commands,
      history: history.map(recordJson),
      engine,
      waitingSignals,
      refused: refused.map(quarantineJson),
    },
    [
      `${entry.plan} is ${entry.status} since ${shortTime(entry.since)}.`,
      ...(view.feedback === null ? [] : [`The last review asked for: ${showLines(view.feedback.trimEnd())}`]),
      ...(view.landed === null || hasNotLanded(entry) ? [] : [showText(view.landed.text)]),
      ...(problem === undefined ? [] : [`It cannot be built from as its file is: ${problem}`]),
      ...standingLines(view, commands),
      ...(engine === null && waitingSignals > 0
        ? [`No engine is running, and ${waitingSignals} signal(s) wait for one: "cadre engine start" starts one.`]
        : []),
      ...refused.map(refusedLine),
      '',
      ...history.map(recordLine),
    ],
  );
  return EXIT.ok;
}

function whyTask(context: Context, app: App, { world, entry, task }: TaskTarget): ExitCode {
  const view = viewTasks(world, entry).find((one) => one.task === task.address);
  if (view === undefined) throw new Error(`${entry.plan}#${task.address} cannot be viewed.`);
  const { owner, sentence, deadline, waysOut } = view;
  const commands = taskCommands(entry, task, waysOut);
  const { plan } = entry;
  const history = app.lastRecords({ plan, isWanted: (record) => concerns(record, plan, task.id), count: HISTORY });
  const refused = [...world.refused.values()].filter(
    (one) => one.plan === entry.plan && taskBehind(world, one) === task.id,
  );
  answer(
    context,
    {
      plan: entry.plan,
      task: view,
      owner,
      deadline,
      sentence,
      waysOut,
      commands,
      history: history.map(recordJson),
      refused: refused.map(quarantineJson),
    },
    [
      `${entry.plan}#${task.address} (${showText(task.name)}) is ${task.state} since ${shortTime(task.since)}.`,
      ...runLines(view),
      ...(view.changed ? [`Its text is not the one it was launched with: "cadre plan diff ${entry.plan}".`] : []),
      ...standingLines(view, commands),
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

/** What moves the task or its run, what else happens to them, and the readings of the file that brought, changed or lost it. */
function concerns(record: JournalRecord, plan: PlanFile, id: string): boolean {
  if (planOf(record) !== plan) return false;
  if (record.event === 'plan_read')
    return Object.hasOwn(record.texts, id) || record.stale.some((task) => task.id === id);
  if (record.event === 'session_begun') return record.begun.task === id;
  return 'task' in record && record.task === id;
}
