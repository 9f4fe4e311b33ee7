// cadre config set: changes one setting.
import { showText } from '../../../../text/show.ts';
import { performAnd } from '../../action-command.ts';
import { answer, answerRefused, type Context, EXIT, type ExitCode, type Run, refuse } from '../../context.ts';

/** Outside a repository there is no table of actions. */
export const run: Run = async (context, given) => {
  const [key = '', value = ''] = given.arguments;
  const config = context.config();
  // The settings choose which programs run, and what they may do unasked.
  if (config.by.who !== 'user')
    return refuse(context, 'user-only', 'Only a person may change the settings, and this is the session of an agent.');
  const place = given.options.project === true ? 'project' : 'global';
  // At a terminal somebody is typing, and what that person sets also applies to plans that are being built.
  const waits = !context.isTerminal();
  if (config.paths.project !== undefined)
    return performAnd(context, { do: 'config-set', input: { key, value, place, waits } }, ({ setting }) => {
      if (setting === undefined) throw new Error('The action set nothing.');
      return answerSet(context, key, setting);
    });
  const outcome = await config.set(place, key, value);
  if (outcome.kind === 'refused') return answerRefused(context, { ...outcome, message: outcome.why, notes: [] });
  return answerSet(context, key, { ...outcome, waits: false });
};

interface SetHere {
  readonly path: string;
  readonly value: unknown;
  readonly waits: boolean;
}

function answerSet(context: Context, key: string, { path, value, waits }: SetHere): ExitCode {
  const [name, set, file] = [showText(key), showText(JSON.stringify(value)), showText(path)];
  const sentence = waits
    ? `${file} now says ${name}: ${set}. A plan is being built, so it applies there only after "cadre config accept".`
    : `${name} is ${set} in ${file}.`;
  answer(context, { key, value, file: path, waits }, [sentence]);
  return EXIT.ok;
}
