// cadre config show: the settings in force, and the file each comes from.
import { suggest } from '../../../../core/model/suggestion.ts';
import { showText } from '../../../../text/show.ts';
import { answer, EXIT, type Run, refuse } from '../../context.ts';

export const run: Run = async (context, given) => {
  const { settings, from, problems, warnings } = await context.config().read();
  const [key] = given.arguments;
  const all = Object.entries(settings).filter(([name]) => key === undefined || name === key);
  if (key !== undefined && all.length === 0)
    return refuse(context, 'not-set', `"${showText(key)}" is not a setting, or is not set.`, [suggest('config-show')]);
  for (const sentence of [...problems, ...warnings]) context.say(sentence);
  if (problems.length > 0) context.say('Until this is fixed the files are ignored. These are the defaults:');
  const width = Math.max(...all.map(([name]) => name.length));
  const lines = all.map(([name, value]) => {
    const source = from[name] === undefined ? '' : `  (${from[name]})`;
    return `${showText(name).padEnd(width)}  ${showText(JSON.stringify(value))}${source}`;
  });
  answer(context, { settings: Object.fromEntries(all), from, problems, warnings }, lines);
  return problems.length === 0 ? EXIT.ok : EXIT.failed;
};
