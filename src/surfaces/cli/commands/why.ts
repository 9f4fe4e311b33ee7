// cadre why: how a plan or a task got where it is, whose turn it is, and the ways out.
import { type JournalRecord, planOf } from '../../../core/record.ts';
import { findTask, unknownTask } from '../../../core/tasks.ts';
import { fileProblem, taskTurn, viewPlan, viewTasks } from '../../../core/view.ts';
import { planMachine } from '../../../machines/plan.ts';
import { type PlanFile, showLines, showText } from '../../../plan/name.ts';
import { answer, type Context, EXIT, type ExitCode, type Run, refuse } from '../context.ts';
import { planNamed } from '../find.ts';
import { quarantineJson } from '../quarantine-json.ts';
import { recordJson } from '../record-json.ts';
import { recordLine, shortTime } from '../record-line.ts';

const HISTORY = 8;

export const run: Run = async (context, given) => {
  const [reference = ''] = given.arguments;
  const hash = reference.lastIndexOf('#');
  if (hash !== -1) return whyTask(context, reference.slice(0, hash), reference.slice(hash + 1));
  const app = context.app();
  const { world, readings } = app.look();
  const entry = planNamed(world, reference);
  const problem = fileProblem(entry.plan, readings.get(entry.plan) ?? { kind: 'missing' });
  const view = viewPlan(entry);
  const history = [...app.records()].filter((record) => planOf(record) === entry.plan).slice(-HISTORY);
  const refused = [...world.refused.values()].filter((one) => one.plan === entry.plan);
  const engine = app.engine() ?? null;
  const waitingSignals = app.waitingSignals();
  const owner = view.waitingFor?.who ?? null;
  answer(
    context,
    {
      plan: view,
      owner,
      // Only waits for agents of cadre's own have deadlines; a person is reminded, never moved.
      deadline: null,
      waysOut: view.next,
      history: history.map(recordJson),
      engine,
      waitingSignals,
      refused: refused.map(quarantineJson),
    },
    [
      `${entry.plan} is ${entry.status} since ${shortTime(entry.since)}.`,
      owner === null
        ? 'Nobody owes it anything.'
        : `It waits until ${view.waitingFor?.sentence} (owner: ${owner}, no deadline).`,
      ...(view.feedback === null ? [] : [`The last review asked for: ${showLines(view.feedback.trimEnd())}`]),
      ...(problem === undefined ? [] : [`It cannot be built from as its file is: ${problem}`]),
      `You can send: ${view.next.map((event) => `${event}${planMachine.userOnly.includes(event) ? ' (people only)' : ''}`).join(', ')}.`,
      ...(engine === null && waitingSignals > 0
        ? [`No engine is running, and ${waitingSignals} signal(s) wait for one: start "cadre watch".`]
        : []),
      ...refused.map((one) => `Refused (${one.id}): ${one.why}`),
      '',
      ...history.map(recordLine),
    ],
  );
  return EXIT.ok;
};

async function whyTask(context: Context, planReference: string, taskReference: string): Promise<ExitCode> {
  const app = context.app();
  const { world } = app.look();
  const plan = planNamed(world, planReference);
  const task = findTask(plan, taskReference);
  if (taskReference === '') return refuse(context, 'no-task', `Which task? ${unknownTask(plan, '')}`);
  if (task === undefined) return refuse(context, 'unknown-task', unknownTask(plan, taskReference));
  const view = viewTasks(plan).find((one) => one.task === task.address);
  const { sentence, next, owner } = taskTurn(plan, task);
  const history = [...app.records()].filter((record) => concerns(record, plan.plan, task.id)).slice(-HISTORY);
  answer(
    context,
    { plan: plan.plan, task: view, owner, deadline: null, sentence, waysOut: next, history: history.map(recordJson) },
    [
      `${plan.plan}#${task.address} (${showText(task.name)}) is ${task.state} since ${shortTime(task.since)}.`,
      `${sentence} (owner: ${owner ?? 'nobody'}, no deadline)`,
      ...(view?.changed ? [`Its text is not the one it was launched with: "cadre plan diff ${plan.plan}".`] : []),
      ...(next.length === 0 ? [] : [`From here it can go by: ${next.join(', ')}.`]),
      '',
      ...history.map(recordLine),
    ],
  );
  return EXIT.ok;
}

/** Moves of the task, and the readings of the file that brought, changed or lost it. */
function concerns(record: JournalRecord, plan: PlanFile, id: string): boolean {
  if (record.event === 'plan_read')
    return record.plan === plan && (Object.hasOwn(record.texts, id) || record.stale.some((task) => task.id === id));
  return record.moves.some((move) => move.machine === 'task' && move.plan === plan && move.task === id);
}
