// cadre adopt: where plan-state.json and the journal disagree, the file is right.
import type { Run } from '../../context.ts';
import { planNamed } from '../../find.ts';
import { takeStep } from '../../step.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const { plan } = planNamed(await app.gateway.look(), given.arguments[0] ?? '');
  const fileStatus = app.statusInFile(plan);
  return takeStep(context, { kind: 'adopt', plan, by: app.by, ...(fileStatus === undefined ? {} : { fileStatus }) });
};
