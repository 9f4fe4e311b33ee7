// cadre run: a plan is built by itself, and this shows how. The engine that builds it goes on when one stops looking.
import { readEvents } from '../../../core/decide-outline.ts';
import type { Event } from '../../../core/events.ts';
import { fileProblem } from '../../../core/view.ts';
import { EXIT, type Run, refuse } from '../context.ts';
import { planNamed } from '../find.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const { plan } = planNamed(app.gateway.look(), given.arguments[0] ?? '');
  const reading = app.planFiles.read(plan);
  const problem = fileProblem(plan, reading);
  const event: Event = { kind: 'run', plan, by: app.by, ...(problem === undefined ? {} : { fileProblem: problem }) };
  const before = readEvents(plan, reading);
  const { answers } = await app.gateway.submit([...before, event]);
  const outcome = answers[before.length];
  if (outcome?.kind === 'refused') return refuse(context, outcome.code, outcome.why);
  return EXIT.ok;
};
