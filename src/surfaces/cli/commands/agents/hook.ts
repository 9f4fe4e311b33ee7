// cadre hook: an agent program reports what it is about. It is called by the program and not by the model, and whatever
// goes wrong here must not keep the program from going on: some take exit code 2 for "do not stop".
import { findAgent } from '../../../../agents/registry.ts';
import { Failure } from '../../../../core/model/failure.ts';
import { unknownFailure, unknownSession } from '../../../../core/model/refusals.ts';
import { showName } from '../../../../text/show.ts';
import { type Context, EXIT, fail, type Given, type Run } from '../../context.ts';

export const run: Run = async (context, given) => {
  try {
    await report(context, given);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    fail(context, error.code, error.message, error.try);
    return EXIT.failed;
  }
};

async function report(context: Context, given: Given): Promise<void> {
  const app = context.app();
  const [session = '', word] = given.arguments;
  const entry = [...app.gateway.look().sessions.values()].find((one) => one.id === session);
  if (entry === undefined) throw unknownFailure('unknown-session', unknownSession(session));
  if (app.session.name !== entry.id)
    throw new Failure(
      'usage',
      'not-yours',
      `Only the program of ${showName(session)} reports for it. "cadre session list" shows what it has reported.`,
    );
  // Some hand it over as an argument, the others on standard input.
  const reported = findAgent(entry.program).readReport(word ?? (await context.readInput()));
  if (reported.kind !== 'nothing') app.report(entry.id, reported);
}
