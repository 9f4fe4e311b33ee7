// cadre why: how a plan got where it is, whose turn it is, and the ways out.
import { planOf } from '../../../core/record.ts';
import { viewPlan } from '../../../core/view.ts';
import { planMachine } from '../../../machines/plan.ts';
import { showLines } from '../../../plan/name.ts';
import { answer, EXIT, type Run } from '../context.ts';
import { planNamed } from '../find.ts';
import { quarantineJson } from '../quarantine-json.ts';
import { recordJson } from '../record-json.ts';
import { recordLine, shortTime } from '../record-line.ts';

const HISTORY = 8;

export const run: Run = async (context, given) => {
  const app = context.app();
  const world = app.gateway.look();
  const entry = planNamed(world, given.arguments[0] ?? '');
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
