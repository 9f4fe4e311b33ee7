// A diff, as text, as JSON, or in the person's pager.
import type { Refused } from '../../app/actions/action.ts';
import type { CodeDiff, DiffForm } from '../../app/reads/code-diff.ts';
import { showName } from '../../text/show.ts';
import { answer, answerRefused, type Context, EXIT, type ExitCode } from './context.ts';

export async function showDiff(context: Context, diff: CodeDiff | Refused, form: DiffForm): Promise<ExitCode> {
  if (diff.kind === 'refused') return answerRefused(context, diff);
  if (context.json) {
    const patch = form === 'stat' ? {} : { patch: await diff.text('patch') };
    answer(context, { of: diff.of, ...diff.span, files: await diff.files(), rewrites: diff.rewrites, ...patch }, []);
    return EXIT.ok;
  }
  if (diff.rewrites.length > 0)
    context.warn(`This changes what the verify command runs: ${diff.rewrites.map(showName).join(', ')}.`);
  if (diff.hasUncommitted) context.say('Uncommitted changes in the worktree are not shown.');
  // Nobody can quit a pager in the terminal of an agent.
  const isShown = context.isTerminal() || context.colour === 'always';
  if (isShown && context.app().by.who === 'user') return page(context, await diff.command(form));
  const text = await diff.text(form);
  if (text === '') context.say(`${diff.of} has changed nothing.`);
  else context.print(text.replace(/\n$/, ''));
  return EXIT.ok;
}

/** Leaving the pager early is not a failure. */
async function page(context: Context, { argv, env }: Awaited<ReturnType<CodeDiff['command']>>): Promise<ExitCode> {
  const code = await context.runHere(argv, env);
  return code === 0 || code === 141 ? EXIT.ok : EXIT.failed;
}
