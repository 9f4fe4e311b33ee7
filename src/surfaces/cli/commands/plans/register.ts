// cadre register: makes a plan file known.
import { performOnPlan } from '../../action-command.ts';
import { type Run, textOption } from '../../context.ts';

export const run: Run = async (context, given) => {
  const description = textOption(given, 'description');
  const topic = textOption(given, 'topic');
  const input = { ...(description === undefined ? {} : { description }), ...(topic === undefined ? {} : { topic }) };
  return performOnPlan(context, { do: 'register', on: given.arguments[0] ?? '', input });
};
