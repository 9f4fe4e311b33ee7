// A plan that is set going and followed until it is done, or until only a person can go on with it.

import type { Event } from '../../core/model/event.ts';
import type { FailureCode } from '../../core/model/failure.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import type { Suggestion } from '../../core/model/suggestion.ts';
import type { LockHolder } from '../../core/ports/locks.ts';
import { readEvents } from '../../core/rules/plan/outline.ts';
import { fileProblem } from '../../core/views/plan.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { App, RunOptions } from './app.ts';
import { type End, endOf } from './progress.ts';

export type Begun =
  | { readonly kind: 'begun'; readonly engine: LockHolder; readonly notes: readonly string[] }
  | {
      readonly kind: 'refused';
      readonly code: FailureCode;
      readonly why: string;
      readonly try: readonly Suggestion[];
      readonly notes: readonly string[];
    };

/** Registers it where it is new, says that it is to be built, and sees to it that an engine runs. */
export async function begin(app: App, plan: PlanFile, wishes: RunOptions): Promise<Begun> {
  // Where no engine has said what the settings are, tasks would be launched by other ones than these.
  const isUnsaid = app.engine() === undefined && app.by.who === 'user';
  const settings: readonly Event[] = isUnsaid ? [{ kind: 'policy', policy: (await app.preflight(wishes)).policy }] : [];
  const { answers, notes } = await app.gateway.submit([...settings, ...(await eventsFor(app, plan))]);
  for (const outcome of answers) if (outcome.kind === 'refused') return { ...outcome, notes };
  return { kind: 'begun', engine: await app.startEngine(wishes), notes };
}

export async function eventsFor(app: App, plan: PlanFile): Promise<readonly Event[]> {
  const isNew = !(await app.gateway.look()).plans.has(plan);
  const reading = app.planFiles.read(plan);
  const problem = fileProblem(plan, reading);
  const registration: Event = {
    kind: 'register',
    plan,
    by: app.by,
    description: app.titleOf(plan),
    topic: '',
    planFileExists: app.planFileExists(plan),
  };
  return [
    ...(isNew ? [registration] : []),
    ...readEvents(plan, reading),
    { kind: 'run', plan, by: app.by, ...(problem === undefined ? {} : { fileProblem: problem }) },
  ];
}

/** Shows every record after `seq`. Nothing where somebody has seen enough before the end. */
export async function untilEnd(
  app: App,
  plan: PlanFile,
  seq: number,
  enough: AbortSignal,
  show: (record: JournalRecord) => Promise<void> | void,
): Promise<End | undefined> {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  enough.addEventListener('abort', leave, { once: true });
  if (enough.aborted) leave();
  const begun = await app.gateway.look();
  let end = endOf(begun, plan);
  try {
    // Nothing that would have to be shown will come.
    if (end !== undefined && begun.seq <= seq) return end;
    for await (const record of app.follow(seq, leaving.signal)) {
      await show(record);
      const world = await app.gateway.look();
      end = endOf(world, plan);
      // The world is ahead of the records that are shown.
      if (end !== undefined && record.seq >= world.seq) break;
    }
  } finally {
    enough.removeEventListener('abort', leave);
  }
  return end;
}
