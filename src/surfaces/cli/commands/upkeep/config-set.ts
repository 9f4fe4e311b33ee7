// cadre config set: changes one setting.
import { showText } from '../../../../text/show.ts';
import { answer, answerRefused, EXIT, type Run, refuse } from '../../context.ts';

/** Not through the table of actions: it works outside a repository as well. */
export const run: Run = async (context, given) => {
  const [key = '', value = ''] = given.arguments;
  const config = context.config();
  // The settings choose which programs run, and what they may do unasked.
  if (config.by.who !== 'user')
    return refuse(context, 'user-only', 'Only a person may change the settings, and this is the session of an agent.');
  const outcome = await config.set(given.options.project === true ? 'project' : 'global', key, value);
  if (outcome.kind === 'refused') return answerRefused(context, { ...outcome, message: outcome.why, notes: [] });
  const { path } = outcome;
  const sentence = `${showText(key)} is ${showText(JSON.stringify(outcome.value))} in ${showText(path)}.`;
  answer(context, { key, value: outcome.value, file: path }, [sentence]);
  return EXIT.ok;
};
