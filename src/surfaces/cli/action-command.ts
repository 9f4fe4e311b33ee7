// Commands that perform one action: parse, call the app, render.
import type { Done } from '../../app/actions/action.ts';
import type { Call } from '../../app/perform.ts';
import type { ActionName } from '../../core/model/suggestion.ts';
import { viewPlan } from '../../core/views/plan.ts';
import { viewRecord } from '../../core/views/record.ts';
import { answer, answerRefused, type Context, EXIT, type ExitCode, type Run, refuse } from './context.ts';
import { referenceIn, referenceWithText } from './reference.ts';
import { NO_ENGINE } from './text/engine-lines.ts';
import { planOutcome, type TaskActionName, taskOutcome } from './text/outcomes.ts';
import { commandFor, tryLines } from './text/suggestions.ts';

export function planCommand(name: 'cancel' | 'reopen' | 'start-over' | 'adopt'): Run {
  return async (context, given) => performOnPlan(context, { do: name, on: given.arguments[0] ?? '', input: {} });
}

/** For actions that take nothing but their task. */
export function taskCommand(name: Exclude<TaskActionName, 'back' | 'reject' | 'answer' | RulingAction>): Run {
  return async (context, given) => performOnSubject(context, { do: name, on: referenceIn(given), input: {} });
}

type RulingAction = Extract<TaskActionName, `finding-${string}`>;

/** For rulings: the task, the ids of findings, and why. */
export function rulingCommand(name: RulingAction): Run {
  return async (context, given) => {
    const { on = '', text: ids } = referenceWithText(given);
    const why = given.options.why;
    const findings = ids?.split(/[\s,]+/).filter((id) => id !== '');
    return performOnSubject(context, {
      do: name,
      on,
      input: { ...(findings === undefined ? {} : { findings }), ...(typeof why === 'string' ? { why } : {}) },
    });
  };
}

/** Performs the action; `render` answers with the result. */
export async function performAnd<Name extends ActionName>(
  context: Context,
  call: Call<Name>,
  render: (done: Done) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  if (!(await isConfirmed(context, call.do))) return refuse(context, 'not-confirmed', 'Nothing was changed.');
  const performed = await context.app().perform({ as: context.command, ...call });
  if (performed.kind === 'refused') return answerRefused(context, performed);
  for (const note of performed.notes) context.warn(note);
  for (const line of tryLines((performed.try ?? []).map(commandFor))) context.say(line);
  return render(performed);
}

/** Where something is merged, stopped or lost, a person at a terminal is asked first; a script never is. */
async function isConfirmed(context: Context, action: ActionName): Promise<boolean> {
  const app = context.app();
  const question = app.confirmation(action);
  if (question === null || context.yes || context.json || app.by.who !== 'user') return true;
  return (await context.ask(question)) ?? true;
}

export function performOnPlan<Name extends ActionName>(context: Context, call: Call<Name>): Promise<ExitCode> {
  return performAnd(context, call, (done) => answerPlan(context, done));
}

function answerPlan(context: Context, { world, plan, record, notes }: Done): ExitCode {
  if (plan === undefined || record === null) throw new Error('The action moved no plan.');
  answer(context, { plan: viewPlan(world, plan), record: viewRecord(record), notes }, [planOutcome(record)]);
  return EXIT.ok;
}

/** On a task, or where the reference names none, on the plan. */
export function performOnSubject<Name extends TaskActionName>(context: Context, call: Call<Name>): Promise<ExitCode> {
  return performAnd(context, call, (done) => {
    const { world, plan, task, record, notes, engine } = done;
    if (task === undefined) return answerPlan(context, done);
    if (plan === undefined || record === null) throw new Error('The action moved no task.');
    const view = viewPlan(world, plan);
    answer(
      context,
      {
        plan: view,
        task: view.tasks.find((one) => one.task === task.after.address),
        record: viewRecord(record),
        notes,
        engine,
      },
      [
        `${plan.plan}#${task.after.address} ${taskOutcome(call.do, { record, plan, ...task })}`,
        ...(engine === null ? [NO_ENGINE] : []),
      ],
    );
    return EXIT.ok;
  });
}
