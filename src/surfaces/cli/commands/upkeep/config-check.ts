// cadre config check: problems in the settings.
import { answer, EXIT, type Run } from '../../context.ts';

export const run: Run = async (context) => {
  const { problems, warnings } = await context.config().read();
  const usable = problems.length === 0;
  const lines = [...problems, ...warnings];
  answer(context, { usable, problems, warnings }, lines.length === 0 ? ['The settings are valid.'] : lines);
  return usable ? EXIT.ok : EXIT.failed;
};
