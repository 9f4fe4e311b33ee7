// cadre doctor: checks this machine, this repository and its journal, and repairs what it can.
import type { Repaired } from '../../../../app/actions/action.ts';
import { performAnd } from '../../action-command.ts';
import { answer, type Context, EXIT, type ExitCode, type Run } from '../../context.ts';
import { commandFor, tryLines } from '../../text/suggestions.ts';

export const run: Run = (context, given) => {
  if (given.options.fix === true) return repair(context);
  if (given.options.useJournal !== true) return checkUp(context);
  return performAnd(context, { do: 'use-journal', input: {}, as: 'doctor --use-journal' }, ({ kept }) => {
    context.say(
      `plan-state.json was rebuilt from the journal.${kept === undefined ? '' : ` The old one is kept as ${kept}.`}`,
    );
    return checkUp(context);
  });
};

/** Shows what would be done, asks, and looks again afterwards. */
async function repair(context: Context): Promise<ExitCode> {
  const repairs = await context.app().repairs();
  if (repairs.length === 0) {
    if (!context.json) context.say('Nothing to repair.');
    return checkUp(context);
  }
  if (!context.json)
    for (const { name, sentence, repair: does } of repairs) context.say(`${name}: ${sentence}\n  fix: ${does}`);
  return performAnd(context, { do: 'repair', input: {}, as: 'doctor --fix' }, async ({ repaired }) => {
    if (repaired === undefined) throw new Error('The action repaired nothing.');
    if (!context.json) for (const line of repairedLines(repaired)) context.say(line);
    return checkUp(context, repaired);
  });
}

function repairedLines({ done, stayed }: Repaired): readonly string[] {
  return [
    `Done: ${done.length} of ${done.length + stayed.length}.`,
    ...stayed.map(({ repair: does, why }) => `Not done: ${does} ${why}`),
  ];
}

const MARKS = { ok: 'ok  ', note: 'note', bad: 'BAD ' } as const;

async function checkUp(context: Context, repaired?: Repaired): Promise<ExitCode> {
  const checks = await context.app().checkUp();
  answer(
    context,
    { checks: checks.map(({ try: _try, ...check }) => check), ...(repaired === undefined ? {} : { repaired }) },
    checks.flatMap(({ result, name, sentence, try: suggestions = [] }) => [
      `${MARKS[result]}  ${name}: ${sentence}`,
      ...tryLines(suggestions.map(commandFor)).map((line) => `    ${line}`),
    ]),
  );
  return checks.some((check) => check.result === 'bad') ? EXIT.environment : EXIT.ok;
}
