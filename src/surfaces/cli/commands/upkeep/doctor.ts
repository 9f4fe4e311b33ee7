// cadre doctor: every check there is, with the sentences that the errors use.
import { answer, EXIT, type Run, refuse } from '../../context.ts';

const MARKS = { ok: 'ok  ', note: 'note', bad: 'BAD ' } as const;

export const run: Run = async (context, given) => {
  const app = context.app();
  if (given.options.useJournal === true) {
    if (app.by.who !== 'user')
      return refuse(context, 'source', 'To take the side of the journal is a person’s decision; an agent cannot.');
    const aside = await app.gateway.rebuildPlanState();
    context.say(
      `plan-state.json was made anew from the journal.${aside === undefined ? '' : ` The old one is ${aside}.`}`,
    );
  }
  const checks = await app.checkUp();
  answer(
    context,
    { checks },
    checks.map((check) => `${MARKS[check.result]}  ${check.name}: ${check.sentence}`),
  );
  return checks.some((check) => check.result === 'bad') ? EXIT.failed : EXIT.ok;
};
