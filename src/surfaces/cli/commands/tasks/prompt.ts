// cadre prompt: what the agent of a task or of a plan would be told now.
import { answer, EXIT, forOutput, type Run, refuse, textOption } from '../../context.ts';
import { referenceIn } from '../../reference.ts';

export const run: Run = async (context, given) => {
  const request = { role: textOption(given, 'role'), turn: textOption(given, 'turn') };
  const shown = await context.app().prompt(referenceIn(given), request);
  if (shown.kind === 'refused') return refuse(context, shown.code, shown.message, shown.try);
  const { kind: _kind, ...fields } = shown;
  if (context.json) answer(context, fields, []);
  else context.print(forOutput(context, shown.text));
  for (const sentence of shown.ignored) context.say(sentence);
  return EXIT.ok;
};
