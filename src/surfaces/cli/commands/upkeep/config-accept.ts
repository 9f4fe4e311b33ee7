// cadre config accept: applies what changed in the settings while a plan was being built.
import { performAnd } from '../../action-command.ts';
import { answer, EXIT, type Run } from '../../context.ts';

export const run: Run = (context) =>
  performAnd(context, { do: 'config-accept', input: {} }, ({ accepted = '' }) => {
    answer(context, { accepted }, [`Accepted: ${accepted}. It applies from now on.`]);
    return EXIT.ok;
  });
