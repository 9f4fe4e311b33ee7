// cadre session attach: the agent's terminal, live, in this one.
import { EXIT, type Run, refuse } from '../../context.ts';
import { sessionNamed, viewSessions } from '../../session.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const entry = sessionNamed(app.gateway.look(), given.arguments[0] ?? '');
  const sessions = await app.sessions();
  try {
    const [view] = await viewSessions(app, [entry]);
    if (view?.state !== 'running' && view?.state !== 'ended')
      return refuse(
        context,
        'no-terminal',
        `${entry.id} is ${view?.state}, so there is no terminal. ${view?.sentence}`,
        view?.try,
      );
    const argv = sessions.attach(entry.id);
    if (argv === undefined)
      return refuse(
        context,
        'no-terminal',
        `${entry.id} has no terminal. "cadre session screen ${entry.id}" shows its output.`,
      );
    if (context.json) context.print(JSON.stringify({ version: 1, session: entry.id, attach: argv }));
    return context.json || (await app.runHere(argv)) === 0 ? EXIT.ok : EXIT.failed;
  } finally {
    sessions.close();
  }
};
