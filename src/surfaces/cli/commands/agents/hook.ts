// cadre hook: an agent program reports what it is doing. The program calls it, not the model, and a failure here must not
// keep the program from continuing: some take exit code 2 for "do not stop".
import { Failure } from '../../../../core/model/failure.ts';
import { EXIT, fail, type Run } from '../../context.ts';

export const run: Run = async (context, given) => {
  const [session = '', word] = given.arguments;
  try {
    // Some programs pass the report as an argument, the others on standard input.
    await context.app().report(session, async () => word ?? (await context.readInput()));
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    fail(context, error.code, error.message, error.try);
    return EXIT.failed;
  }
};
