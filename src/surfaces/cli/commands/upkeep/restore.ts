// cadre restore: lists the work that cadre kept, shows what is in it, and brings it back.
import { performAnd } from '../../action-command.ts';
import { answer, type Context, EXIT, type ExitCode, type Run, refuse, textOption } from '../../context.ts';
import { referenceIn } from '../../reference.ts';
import { showDiff } from '../../show-diff.ts';
import { keptLines, restoredLines } from '../../text/kept-lines.ts';

export const run: Run = async (context, given) => {
  const on = referenceIn(given);
  const branch = textOption(given, 'branch');
  const folder = textOption(given, 'to');
  const isShown = given.options.show === true;
  const isPlaced = branch !== undefined || folder !== undefined;
  if (on === undefined)
    return isShown || isPlaced
      ? refuse(context, 'no-id', 'Which one? Name it by its id.', [{ do: 'kept' }])
      : list(context, given.options.all === true);
  if (given.options.all === true) return refuse(context, 'usage', '--all is for the list, without an id.');
  if (isShown && isPlaced)
    return refuse(context, 'usage', '--show only shows it, so it takes no branch and no folder.');
  if (isShown)
    return showDiff(context, await context.app().keptDiff(on), given.options.stat === true ? 'stat' : 'patch');
  const input = {
    ...(branch === undefined ? {} : { branch }),
    ...(folder === undefined ? {} : { folder }),
  };
  return performAnd(context, { do: 'restore', on, input }, ({ restored }) => {
    if (restored === undefined) throw new Error('The action restored nothing.');
    answer(context, { restored }, restoredLines(restored));
    return EXIT.ok;
  });
};

async function list(context: Context, isAll: boolean): Promise<ExitCode> {
  const kept = await context.app().kept();
  const shown = isAll ? kept : kept.filter(({ merged }) => !merged);
  answer(context, { kept: shown, hidden: kept.length - shown.length }, keptLines(shown, kept.length - shown.length));
  return EXIT.ok;
}
