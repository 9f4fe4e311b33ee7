// cadre quarantine: refused signals, and what a person does about them.
import { unknownQuarantine } from '../../../../core/model/refusals.ts';
import { suggest } from '../../../../core/model/suggestion.ts';
import { type Quarantined, viewRefused } from '../../../../core/views/refused-signal.ts';
import { showLines, showName, showText } from '../../../../text/show.ts';
import { performAnd } from '../../action-command.ts';
import { answer, type Context, EXIT, type ExitCode, type Run, refuse } from '../../context.ts';
import { quarantineLines } from '../../text/quarantine-lines.ts';

export const run: Run = async (context, given) => {
  const [word = 'list', id] = given.arguments;
  const world = await context.app().world();
  if (word === 'list') {
    answer(context, { quarantined: [...world.refused.values()].map(viewRefused) }, quarantineLines(world));
    return EXIT.ok;
  }
  if (!isAction(word))
    return refuse(context, 'unknown-action', `Unknown action "${showName(word)}". Use list, show, retry or drop.`);
  if (given.options.all === true)
    return word === 'drop' && id === undefined
      ? dropAll(context)
      : refuse(context, 'usage', '--all only goes with "cadre quarantine drop", in place of an id.');
  if (id === undefined)
    return refuse(context, 'no-id', 'Which refused signal? Name it by its id.', [suggest('quarantine')]);
  const found = world.refused.get(id);
  if (found !== undefined) return ACTIONS[word](context, found);
  const { why, try: suggestions } = unknownQuarantine(id);
  return refuse(context, 'unknown-quarantine', why, suggestions);
};

type Action = 'show' | 'retry' | 'drop';

const ACTIONS: { readonly [word in Action]: (context: Context, found: Quarantined) => Promise<ExitCode> } = {
  show,
  retry: (context, { id }) => settle(context, 'retry', id),
  drop: (context, { id }) => settle(context, 'drop', id),
};

function isAction(word: string): word is Action {
  return Object.hasOwn(ACTIONS, word);
}

async function show(context: Context, refused: Quarantined): Promise<ExitCode> {
  const bytes = context.app().original(refused);
  const original = bytes === undefined ? null : bytes.toString('utf8');
  answer(context, { quarantined: [viewRefused(refused)], original }, [
    `${refused.id}: ${refused.why}`,
    `Its file was ${showText(refused.file.path)}`,
    ...(original === null
      ? ['There is no content: it was not a file, or it has not been moved to quarantine yet.']
      : [
          `Content (${bytes?.length} bytes):`,
          ...showLines(original)
            .split('\n')
            .map((line) => `  ${line}`),
        ]),
  ]);
  return EXIT.ok;
}

function settle(context: Context, done: 'retry' | 'drop', id: string): Promise<ExitCode> {
  return performAnd(context, { do: `quarantine-${done}`, on: id, input: {} }, ({ engine }) => {
    const what = done === 'retry' ? `${id} will be put back and processed again` : `${id} will be deleted`;
    answer(context, { id, done }, [`${what}${when(engine !== null)}.`]);
    return EXIT.ok;
  });
}

function dropAll(context: Context): Promise<ExitCode> {
  return performAnd(context, { do: 'quarantine-drop-all', input: {} }, ({ ids = [], engine }) => {
    const what =
      ids.length === 0 ? 'The quarantine is empty.' : `${ids.join(', ')} will be deleted${when(engine !== null)}.`;
    answer(context, { ids, done: 'drop' }, [what]);
    return EXIT.ok;
  });
}

/** The engine does it. */
function when(hasEngine: boolean): string {
  return hasEngine ? '' : ' as soon as an engine is running ("cadre engine start")';
}
