// cadre engine stop: nothing is lost; agents keep running in their terminals, and their signals wait.
import { performAnd } from '../../action-command.ts';
import { answer, EXIT, type Run } from '../../context.ts';

export const run: Run = (context) =>
  performAnd(context, { do: 'engine-stop', input: {} }, ({ engine: stopped }) => {
    answer(context, { stopped }, [
      stopped === null
        ? 'No engine is running here.'
        : `Engine stopped (pid ${stopped.pid}). Agents keep running; their signals wait until an engine starts.`,
    ]);
    return EXIT.ok;
  });
