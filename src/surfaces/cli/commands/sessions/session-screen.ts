// cadre session screen: what the agent's terminal shows, as plain text.

import { showLines } from '../../../../text/show.ts';
import { answer, EXIT, type Run } from '../../context.ts';
import { sessionNamed } from '../../session.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const { id } = sessionNamed(await app.gateway.look(), given.arguments[0] ?? '');
  const sessions = await app.sessions();
  try {
    const screen = showLines(await sessions.screen(id)).replace(/\n+$/, '');
    answer(context, { session: id, screen }, [screen]);
    return EXIT.ok;
  } finally {
    sessions.close();
  }
};
