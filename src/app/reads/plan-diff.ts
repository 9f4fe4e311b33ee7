// What changed in a plan file since its tasks were launched, or from one file to another.
import { LaunchedTexts } from '../../core/journal/launched-texts.ts';
import { Failure } from '../../core/model/failure.ts';
import { suggest } from '../../core/model/suggestion.ts';
import { type TaskState, taskMachine } from '../../machines/task.ts';
import { difference, type Identity, meaningOf, type TaskChange } from '../../plan/difference.ts';
import { bodyOf, outlineOf } from '../../plan/outline.ts';
import { parse } from '../../plan/parse.ts';
import type { Problem } from '../../plan/plan.ts';
import { type TextDifference, textDifference } from '../../text/difference.ts';
import { showText } from '../../text/show.ts';
import type { AppPorts } from '../ports.ts';
import type { PlanText } from './plan-text.ts';

export interface PlanDiff {
  readonly file: string;
  readonly changes: readonly ShownTaskChange[];
  /** Errors in either file: while there are any, nothing can be compared. */
  readonly errors: readonly { readonly shown: string; readonly problems: readonly Problem[] }[];
}

export interface ShownTaskChange {
  readonly kinds: TaskChange['kinds'];
  readonly before: { readonly task: string; readonly name: string } | null;
  readonly after: { readonly task: string; readonly name: string } | null;
  readonly state: TaskState;
  readonly means: readonly string[];
  readonly text: TextDifference | null;
}

interface Version extends Identity {
  readonly text: string;
  readonly state: TaskState;
}

interface Versions {
  readonly shown: string;
  readonly tasks: readonly Version[];
  readonly errors: readonly Problem[];
}

/** What changed since the tasks of the plan were launched. */
export async function diffSinceLaunch(ports: AppPorts, after: PlanText): Promise<PlanDiff> {
  return compare(await launchedVersions(ports, after), after);
}

export function diffPlanTexts(before: PlanText, after: PlanText): PlanDiff {
  return compare(versionsIn(before), after);
}

function compare(before: Versions, after: PlanText): PlanDiff {
  const now = versionsIn(after);
  const isUsable = before.errors.length === 0 && now.errors.length === 0;
  return {
    file: after.path,
    changes: isUsable ? difference(before.tasks, now.tasks).map(describe) : [],
    errors: [before, now].map(({ shown, errors }) => ({ shown, problems: errors })),
  };
}

function versionsIn({ path, shown, text }: PlanText): Versions {
  const { plan, problems } = parse(text, path);
  const tasks = outlineOf(plan, text, (body) => body).tasks.map((task) => ({ ...task, state: taskMachine.initial }));
  return { shown, tasks, errors: problems.filter((problem) => problem.severity === 'error') };
}

/** A stale task that was never launched is no loss, and left out. */
async function launchedVersions(ports: AppPorts, { path, shown }: PlanText): Promise<Versions> {
  const plan = ports.repository.planAt(path);
  const entry = plan === undefined ? undefined : (await ports.gateway.look()).plans.get(plan);
  if (entry === undefined)
    throw new Failure(
      'usage',
      'unknown-plan',
      `${showText(shown)} is not a registered plan, so there is nothing to compare it with. Name a second file, or register it first.`,
      { try: [suggest('register', shown)] },
    );
  const texts = new LaunchedTexts().take(await ports.journal.records()).of(entry.plan);
  const tasks = entry.tasks
    .filter((task) => !task.stale || task.state !== taskMachine.initial)
    .map(({ id, address, name, launched, state }) => {
      const text = texts.get(id) ?? '';
      return { address, name: launched?.name ?? name, body: bodyOf(text), text, state };
    });
  return { shown, tasks, errors: [] };
}

function describe({ kinds, before, after }: TaskChange<Version, Version>): ShownTaskChange {
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
