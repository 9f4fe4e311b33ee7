// cadre output: what the last verification of a task printed.
import { answer, EXIT, forOutput, type Run, refuse } from '../../context.ts';
import { referenceIn } from '../../reference.ts';

export const run: Run = async (context, given) => {
  const kind = given.options.setup === true ? 'setup' : 'verification';
  const output = await context.app().output(referenceIn(given), kind);
  if (output.kind === 'refused') return refuse(context, output.code, output.message, output.try);
  const { path, at, text, of } = output;
  if (context.json) answer(context, { of, path, at, output: text }, []);
  else if (given.options.path === true) context.print(path);
  else context.print(forOutput(context, text));
  return EXIT.ok;
};
