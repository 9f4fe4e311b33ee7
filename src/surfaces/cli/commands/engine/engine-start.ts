// cadre engine start: the engine in the background.
import { answer, EXIT, type Run, refuse } from '../../context.ts';

export const run: Run = async (context) => {
  const app = context.app();
  if (app.by.who === 'agent') return refuse(context, 'source', 'The engine is for a person to start and to stop.');
  const before = app.engine();
  const engine = await app.startEngine({ headless: false });
  const said =
    before === undefined ? `The engine runs (pid ${engine.pid}).` : `An engine runs already (pid ${engine.pid}).`;
  answer(context, { engine, log: app.engineLog }, [`${said} What it says is in ${app.engineLog}.`]);
  return EXIT.ok;
};
