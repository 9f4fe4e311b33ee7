// cadre engine status: whether one runs, and how much it has before it.
import { answer, EXIT, type Run } from '../../context.ts';

export const run: Run = async (context) => {
  const app = context.app();
  const world = await app.gateway.look();
  const engine = app.engine() ?? null;
  const toDo = world.outbox.size;
  answer(context, { engine, toDo, frozen: world.frozen, log: app.engineLog }, [
    engine === null
      ? 'No engine runs here. "cadre engine start" starts one.'
      : `"${engine.command}" (pid ${engine.pid}).`,
    ...(engine === null ? [] : [`What an engine in the background says is in ${app.engineLog}.`]),
    ...(toDo === 0 ? [] : [`To be done, or being done: ${toDo}.`]),
    ...(world.frozen ? ['cadre is frozen: nothing new is begun. "cadre thaw" lets it go on.'] : []),
  ]);
  return EXIT.ok;
};
