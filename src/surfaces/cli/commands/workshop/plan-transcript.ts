// cadre plan transcript: what was said in the workshop of a plan.
import { answer, EXIT, type Run } from '../../context.ts';
import { transcriptLines } from '../../text/workshop-lines.ts';

export const run: Run = async (context, given) => {
  const { plan, transcript } = await context.app().transcript(given.arguments[0] ?? '');
  answer(context, { plan, transcript }, transcriptLines(transcript));
  return EXIT.ok;
};
