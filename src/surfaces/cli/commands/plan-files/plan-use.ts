// cadre plan use: chooses the active plan.
import { performAnd } from '../../action-command.ts';
import { answer, EXIT, type Run } from '../../context.ts';

export const run: Run = (context, given) => {
  const call = { do: 'use', on: given.arguments[0], input: { newest: given.options.newest === true } } as const;
  return performAnd(context, call, ({ world, active = null }) => {
    const chosen = world.chosen !== undefined;
    answer(context, { active, chosen }, [
      active === null
        ? 'There is no plan yet.'
        : `${active} is the active plan${chosen ? '' : ', because its file changed last'}.`,
    ]);
    return EXIT.ok;
  });
};
