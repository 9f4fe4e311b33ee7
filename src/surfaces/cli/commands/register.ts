// cadre register: a plan file becomes a plan.
import { lastSegment } from '../../../plan/name.ts';
import { type Run, textOption } from '../context.ts';
import { takeStep } from '../step.ts';

export const run: Run = (context, given) => {
  const app = context.app();
  const [reference = ''] = given.arguments;
  const typed = lastSegment(reference);
  const plan = typed.endsWith('.md') ? typed : `${typed}.md`;
  return takeStep(context, {
    kind: 'register',
    plan,
    by: app.by,
    description: textOption(given, 'description') ?? app.titleOf(plan),
    topic: textOption(given, 'topic') ?? '',
    planFileExists: app.planFileExists(plan),
  });
};
