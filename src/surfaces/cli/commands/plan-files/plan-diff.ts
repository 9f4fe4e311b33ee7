// cadre plan diff: what became of the tasks since they were launched, or from one file to another.

import { LaunchedTexts } from '../../../../core/journal/launched-texts.ts';
import { Failure } from '../../../../core/model/failure.ts';
import { type TaskState, taskMachine } from '../../../../machines/task.ts';
import { difference, type Identity, meaningOf, type TaskChange } from '../../../../plan/difference.ts';
import { bodyOf, outlineOf } from '../../../../plan/outline.ts';
import { parse } from '../../../../plan/parse.ts';
import type { Problem } from '../../../../plan/plan.ts';
import { type TextDifference, textDifference } from '../../../../text/difference.ts';
import { showLines, showText } from '../../../../text/show.ts';
import { answer, type Context, EXIT, type Run } from '../../context.ts';
import { type PlanText, planText } from '../../text/plan-text.ts';
import { problemLines } from '../../text/problem-lines.ts';

interface Version extends Identity {
  readonly text: string;
  readonly state: TaskState;
}

export const run: Run = async (context, given) => {
  const [file, other] = given.arguments;
  const after = planText(context, other ?? file);
  const before = other === undefined ? launchedVersions(context, after) : versionsIn(planText(context, file));
  const now = versionsIn(after);
  const errors = [...before.errors, ...now.errors];
  // From a file that cannot be used nothing follows, so nothing has become of any task.
  const changes = errors.length > 0 ? [] : difference(before.tasks, now.tasks).map(describe);
  answer(context, { file: after.path, changes, problems: errors }, [
    ...problemLines(before.shown, before.errors),
    ...problemLines(now.shown, now.errors),
    ...(errors.length > 0
      ? ['What cannot be used as it is cannot be compared; everything stays as it was.']
      : changes.length === 0
        ? ['No task differs.']
        : changes.flatMap((change, index) => [...(index === 0 ? [] : ['']), ...changeLines(change)])),
  ]);
  return EXIT.ok;
};

interface Versions {
  readonly shown: string;
  readonly tasks: readonly Version[];
  readonly errors: readonly Problem[];
}

function versionsIn({ path, shown, text }: PlanText): Versions {
  const { plan, problems } = parse(text, path);
  const tasks = outlineOf(plan, text, (body) => body).tasks.map((task) => ({ ...task, state: taskMachine.initial }));
  return { shown, tasks, errors: problems.filter((problem) => problem.severity === 'error') };
}

/** A stale task that was never launched is nobody's loss, and not spoken of. */
function launchedVersions(context: Context, { path, shown }: PlanText): Versions {
  const app = context.app();
  const plan = app.planAt(path);
  const entry = plan === undefined ? undefined : app.gateway.look().plans.get(plan);
  if (entry === undefined)
    throw new Failure(
      'usage',
      'unknown-plan',
      `${showText(shown)} is not a registered plan, so there is nothing to compare it with. Name a second file, or "cadre register" it first.`,
    );
  const texts = new LaunchedTexts().take(app.records()).of(entry.plan);
  const tasks = entry.tasks
    .filter((task) => !task.stale || task.state !== taskMachine.initial)
    .map(({ id, address, name, launched, state }) => {
      const text = texts.get(id) ?? '';
      return { address, name: launched?.name ?? name, body: bodyOf(text), text, state };
    });
  return { shown, tasks, errors: [] };
}

interface Described {
  readonly kinds: TaskChange['kinds'];
  readonly before: { readonly task: string; readonly name: string } | null;
  readonly after: { readonly task: string; readonly name: string } | null;
  readonly state: TaskState;
  readonly means: readonly string[];
  readonly text: TextDifference | null;
}

function describe({ kinds, before, after }: TaskChange<Version, Version>): Described {
  const state = before?.state ?? taskMachine.initial;
  return {
    kinds,
    before: before === null ? null : { task: before.address, name: before.name },
    after: after === null ? null : { task: after.address, name: after.name },
    state,
    means: kinds.map((kind) => meaningOf(kind, state)),
    text: before === null || after === null ? null : textDifference(bodyOf(before.text), bodyOf(after.text)),
  };
}

function changeLines({ kinds, before, after, state, means, text }: Described): readonly string[] {
  const [old, now] = [before ?? after, after ?? before];
  const address = old?.task === now?.task ? `${now?.task}` : `${old?.task} -> ${now?.task}`;
  const name = old?.name === now?.name ? `${now?.name}` : `${old?.name} -> ${now?.name}`;
  return [
    `Task ${address}: ${showText(name)}  ${kinds.join(', ')}; ${state}`,
    ...means.map((meaning) => `  ${meaning}`),
    ...(text === null ? [] : [`  @ line ${text.line} below the heading`]),
    ...(text?.removed ?? []).map((line) => `  - ${showLines(line)}`),
    ...(text?.added ?? []).map((line) => `  + ${showLines(line)}`),
  ];
}
