// cadre session attach: the agent's terminal, live, in this one.
import { answer, answerRefused, EXIT, type Run } from '../../context.ts';

export const run: Run = async (context, given) => {
  const attached = await context.app().attach(given.arguments[0] ?? '');
  if ('kind' in attached) return answerRefused(context, attached);
  const { session, argv } = attached;
  if (context.json) {
    answer(context, { session, attach: argv }, []);
    return EXIT.ok;
  }
  // The connection that found the session is not needed while the person is attached, which can be hours.
  await context.app().close();
  return (await context.runHere(argv)) === 0 ? EXIT.ok : EXIT.failed;
};
