// cadre engine stop: nothing is lost by it; agents live on in their terminals, and what they say waits.
import { answer, EXIT, type Run, refuse } from '../../context.ts';

export const run: Run = async (context) => {
  const app = context.app();
  if (app.by.who === 'agent') return refuse(context, 'source', 'The engine is for a person to start and to stop.');
  const stopped = (await app.stopEngine()) ?? null;
  answer(context, { stopped }, [
    stopped === null
      ? 'No engine runs here.'
      : `The engine (pid ${stopped.pid}) has stopped. Agents live on, and what they say waits until the next one starts.`,
  ]);
  return EXIT.ok;
};
