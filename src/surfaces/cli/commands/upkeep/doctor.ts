// cadre doctor: checks this machine, this repository and its journal.
import { performAnd } from '../../action-command.ts';
import { answer, type Context, EXIT, type ExitCode, type Run } from '../../context.ts';
import { commandFor, tryLines } from '../../text/suggestions.ts';

export const run: Run = (context, given) => {
  if (given.options.useJournal !== true) return checkUp(context);
  return performAnd(context, { do: 'use-journal', input: {}, as: 'doctor --use-journal' }, ({ kept }) => {
    context.say(
      `plan-state.json was rebuilt from the journal.${kept === undefined ? '' : ` The old one is kept as ${kept}.`}`,
    );
    return checkUp(context);
  });
};

const MARKS = { ok: 'ok  ', note: 'note', bad: 'BAD ' } as const;

async function checkUp(context: Context): Promise<ExitCode> {
  const checks = await context.app().checkUp();
  answer(
    context,
    { checks: checks.map(({ try: _try, ...check }) => check) },
    checks.flatMap(({ result, name, sentence, try: suggestions = [] }) => [
      `${MARKS[result]}  ${name}: ${sentence}`,
      ...tryLines(suggestions.map(commandFor)).map((line) => `    ${line}`),
    ]),
  );
  return checks.some((check) => check.result === 'bad') ? EXIT.failed : EXIT.ok;
}
