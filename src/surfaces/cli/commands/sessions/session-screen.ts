// cadre session screen: what the agent's terminal shows, as plain text.
import { answer, EXIT, type Run } from '../../context.ts';

export const run: Run = async (context, given) => {
  const { session, screen } = await context.app().screen(given.arguments[0] ?? '');
  answer(context, { session, screen }, [screen]);
  return EXIT.ok;
};
