// cadre engine status: whether an engine is running, and how much it has to do.
import { answer, EXIT, type Run } from '../../context.ts';
import { FROZEN, PAUSED } from '../../text/engine-lines.ts';

export const run: Run = async (context) => {
  const app = context.app();
  const { outbox, frozen, paused } = await app.world();
  const { log } = app.engine;
  const engine = app.engine.holder() ?? null;
  const toDo = outbox.size;
  answer(context, { engine, toDo, frozen, paused, log }, [
    engine === null
      ? 'No engine is running here. "cadre engine start" starts one.'
      : `"${engine.command}" (pid ${engine.pid}).`,
    ...(engine === null ? [] : [`A background engine logs to ${log}.`]),
    ...(toDo === 0 ? [] : [`Pending effects: ${toDo}.`]),
    ...(paused ? [PAUSED] : []),
    ...(frozen ? [FROZEN] : []),
  ]);
  return EXIT.ok;
};
