// cadre diff: what a run, or a whole plan, has changed.
import { answer, answerRefused, type Context, EXIT, type ExitCode, type Run } from '../../context.ts';
import { referenceIn } from '../../reference.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const diff = await app.codeDiff(referenceIn(given));
  if (diff.kind === 'refused') return answerRefused(context, diff);
  const form = given.options.stat === true ? 'stat' : 'patch';
  if (context.json) {
    const patch = form === 'stat' ? {} : { patch: await diff.text('patch') };
    answer(context, { of: diff.of, ...diff.span, files: await diff.files(), ...patch }, []);
    return EXIT.ok;
  }
  if (diff.hasUncommitted) context.say('Uncommitted changes in the worktree are not shown.');
  // Nobody can quit a pager in the terminal of an agent.
  if (context.isTerminal() && app.by.who === 'user') return page(context, diff.command(form));
  const text = await diff.text(form);
  if (text === '') context.say(`${diff.of} has changed nothing.`);
  else context.print(text.replace(/\n$/, ''));
  return EXIT.ok;
};

/** Leaving the pager early is not a failure. */
async function page(context: Context, argv: readonly string[]): Promise<ExitCode> {
  const code = await context.runHere(argv);
  return code === 0 || code === 141 ? EXIT.ok : EXIT.failed;
}
