// cadre quarantine: what was refused, and what a person does about it.

import { unknownQuarantine } from '../../../../core/model/refusals.ts';
import { showLines, showName, showText } from '../../../../text/show.ts';
import type { App } from '../../app.ts';
import { answer, type Context, EXIT, type ExitCode, type Run, refuse } from '../../context.ts';
import { type Quarantined, quarantineJson } from '../../json/quarantine-json.ts';
import { quarantineLines } from '../../text/quarantine-lines.ts';

type Action = (context: Context, refused: Quarantined) => Promise<ExitCode>;

export const run: Run = async (context, given) => {
  const [word = 'list', id] = given.arguments;
  const world = context.app().gateway.look();
  const { refused } = world;
  if (word === 'list') {
    answer(context, { quarantined: [...refused.values()].map(quarantineJson) }, quarantineLines(world));
    return EXIT.ok;
  }
  const action = ACTIONS.get(word);
  if (action === undefined)
    return refuse(context, 'unknown-action', `"${showName(word)}" is not an action: use list, show, retry or drop.`);
  if (given.options.all === true) return word === 'drop' && id === undefined ? dropAll(context) : onlyDropsAll(context);
  if (id === undefined)
    return refuse(
      context,
      'no-id',
      `Which one? "cadre quarantine list" shows the ids; then "cadre quarantine ${word} <id>".`,
    );
  const found = refused.get(id);
  if (found === undefined) {
    const { why, try: instead } = unknownQuarantine(id);
    return refuse(context, 'unknown-quarantine', why, instead);
  }
  return action(context, found);
};

const show: Action = async (context, refused) => {
  const bytes = context.app().quarantine.show(refused);
  const original = bytes === undefined ? null : bytes.toString('utf8');
  answer(context, { quarantined: [quarantineJson(refused)], original }, [
    `${refused.id}: ${refused.why}`,
    `It was ${showText(refused.file.path)}`,
    original === null ? 'What was there is not a file, or not moved aside yet.' : `It said (${bytes?.length} bytes):`,
    ...(original === null
      ? []
      : showLines(original)
          .split('\n')
          .map((line) => `  ${line}`)),
  ]);
  return EXIT.ok;
};

const retry: Action = (context, refused) => settle(context, 'quarantine-retry', refused);
const drop: Action = (context, refused) => settle(context, 'quarantine-drop', refused);

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['show', show],
  ['retry', retry],
  ['drop', drop],
]);

/** For when an agent has said the same thing a hundred times. */
async function dropAll(context: Context): Promise<ExitCode> {
  const app = context.app();
  const ids = [...app.gateway.look().refused.keys()];
  const { answers, notes } = await app.gateway.submit(ids.map((id) => ({ kind: 'quarantine-drop', id, by: app.by })));
  for (const note of notes) context.say(note);
  const no = answers.find((outcome) => outcome.kind === 'refused' && outcome.code !== 'unknown-quarantine');
  if (no?.kind === 'refused') return refuse(context, no.code, no.why, no.try);
  answer(context, { ids, done: 'drop' }, [
    ids.length === 0 ? 'Nothing is in quarantine.' : `${ids.join(', ')} will be deleted${whenDone(app)}.`,
  ]);
  return EXIT.ok;
}

function onlyDropsAll(context: Context): ExitCode {
  return refuse(context, 'usage', '--all is for "cadre quarantine drop", and stands in the place of an id.');
}

/** The engine does what follows, as it does with every effect. */
async function settle(
  context: Context,
  kind: 'quarantine-retry' | 'quarantine-drop',
  refused: Quarantined,
): Promise<ExitCode> {
  const app = context.app();
  const { answers, notes } = await app.gateway.submit([{ kind, id: refused.id, by: app.by }]);
  for (const note of notes) context.say(note);
  const [outcome] = answers;
  if (outcome?.kind === 'refused') return refuse(context, outcome.code, outcome.why, outcome.try);
  const done = kind === 'quarantine-retry' ? 'retry' : 'drop';
  const told = done === 'retry' ? `${refused.id} will be put back and heard again` : `${refused.id} will be deleted`;
  answer(context, { id: refused.id, done }, [`${told}${whenDone(app)}.`]);
  return EXIT.ok;
}

function whenDone(app: App): string {
  return app.engine() === undefined ? ' as soon as an engine runs ("cadre engine start")' : '';
}
