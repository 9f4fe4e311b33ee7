// cadre config set: a person changes one setting.

import { showText } from '../../../../text/show.ts';
import { answer, EXIT, type Run, refuse } from '../../context.ts';

export const run: Run = async (context, given) => {
  const [key = '', value = ''] = given.arguments;
  const config = context.config();
  // By the settings it is chosen which programs run, and what they may do unasked.
  if (config.by.who !== 'user')
    return refuse(context, 'user-only', "The settings are a person's to change, and this is an agent's session.");
  const outcome = await config.set(given.options.project === true ? 'project' : 'global', key, value);
  if (outcome.kind === 'refused') return refuse(context, outcome.code, outcome.why, outcome.try);
  const told = `${showText(key)} is ${showText(JSON.stringify(outcome.value))} in ${showText(outcome.path)}.`;
  answer(context, { key, value: outcome.value, file: outcome.path }, [told]);
  return EXIT.ok;
};
