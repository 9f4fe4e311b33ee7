// cadre register: a plan file becomes a plan.

import type { Event } from '../../../../core/model/event.ts';
import { readEvents } from '../../../../core/rules/plan/outline.ts';
import { fileProblem } from '../../../../core/views/plan.ts';
import { lastSegment, planFile } from '../../../../plan/name.ts';
import { EXIT, type Run, textOption } from '../../context.ts';
import { takeStep } from '../../step.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const [reference = ''] = given.arguments;
  const typed = lastSegment(reference);
  const plan = typed.endsWith('.md') ? typed : `${typed}.md`;
  const file = planFile(plan);
  const event: Event = {
    kind: 'register',
    plan,
    by: app.by,
    description: textOption(given, 'description') ?? app.titleOf(plan),
    topic: textOption(given, 'topic') ?? '',
    planFileExists: app.planFileExists(plan),
  };
  const reading = file === undefined ? undefined : app.planFiles.read(file);
  const code = await takeStep(context, event, {
    after: file === undefined || reading === undefined ? [] : readEvents(file, reading),
  });
  const problem = file === undefined || reading === undefined ? undefined : fileProblem(file, reading);
  if (code === EXIT.ok && problem !== undefined) context.say(`It cannot be built from yet: ${problem}`);
  return code;
};
