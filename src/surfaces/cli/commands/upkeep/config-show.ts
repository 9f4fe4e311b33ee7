// cadre config show: the settings in force, and the file each comes from.
import { suggest } from '../../../../core/model/suggestion.ts';
import { showText } from '../../../../text/show.ts';
import { answer, EXIT, type Run, refuse } from '../../context.ts';

export const run: Run = async (context, given) => {
  const { settings, from, problems, warnings } = await context.config().read();
  const [key] = given.arguments;
  const all = key === undefined ? Object.entries(settings) : settingIn(settings, key);
  if (key !== undefined && all.length === 0)
    return refuse(context, 'not-set', `"${showText(key)}" is not a setting, or is not set.`, [suggest('config-show')]);
  for (const sentence of [...problems, ...warnings]) context.say(sentence);
  if (problems.length > 0) context.say('Until this is fixed the files are ignored. These are the defaults:');
  const width = Math.max(...all.map(([name]) => name.length));
  const lines = all.map(([name, value]) => {
    const place = from[name] ?? from[name.split('.')[0] ?? ''];
    const source = place === undefined ? '' : `  (${place})`;
    return `${showText(name).padEnd(width)}  ${showText(JSON.stringify(value))}${source}`;
  });
  answer(context, { settings: Object.fromEntries(all), from, problems, warnings }, lines);
  return problems.length === 0 ? EXIT.ok : EXIT.failed;
};

/** `limits.relaunches` is a part of `limits`. */
function settingIn(settings: object, key: string): readonly (readonly [string, unknown])[] {
  let value: unknown = settings;
  for (const name of key.split('.')) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value === undefined ? [] : [[key, value]];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
