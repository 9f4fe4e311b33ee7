// cadre config check: problems in the settings, and whether plans can be built with them.
import { answer, type Context, EXIT, type Run } from '../../context.ts';

export const run: Run = async (context) => {
  const config = context.config();
  const { problems, warnings } = await config.read();
  const found = problems.length === 0 && config.paths.project !== undefined ? await unready(context) : NOTHING;
  const all = { problems: [...problems, ...found.bad], warnings: [...warnings, ...found.notes] };
  const lines = [...all.problems, ...all.warnings];
  const usable = problems.length === 0;
  answer(context, { usable, ...all }, lines.length === 0 ? ['The settings are valid.'] : lines);
  if (!usable) return EXIT.failed;
  return found.bad.length === 0 ? EXIT.ok : EXIT.environment;
};

interface Unready {
  readonly bad: readonly string[];
  readonly notes: readonly string[];
}

const NOTHING: Unready = { bad: [], notes: [] };

/** What no setting is to blame for, such as a missing commit, is left to the check-up. */
const ABOUT_SETTINGS: ReadonlySet<string> = new Set(['agents', 'verify', 'setup', 'pull requests']);

async function unready(context: Context): Promise<Unready> {
  const checks = (await context.app().readiness()).filter(({ name }) => ABOUT_SETTINGS.has(name));
  const of = (result: 'bad' | 'note') => checks.filter((one) => one.result === result).map(({ sentence }) => sentence);
  return { bad: of('bad'), notes: of('note') };
}
