// cadre engine start: starts the engine in the background.
import { performAnd } from '../../action-command.ts';
import { answer, EXIT, type Run } from '../../context.ts';

export const run: Run = (context) =>
  performAnd(context, { do: 'engine-start', input: {} }, ({ changed, engine }) => {
    const { log } = context.app().engine;
    const sentence = `${changed ? 'Engine started' : 'The engine is already running'} (pid ${engine?.pid}).`;
    answer(context, { engine, log }, [`${sentence} Its log is ${log}.`]);
    return EXIT.ok;
  });
