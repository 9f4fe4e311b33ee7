// Everything that waits for a person, with the actions that answer it.
import { WORKING } from '../../machines/plan.ts';
import { taskMachine } from '../../machines/task.ts';
import type { PlanFile } from '../../plan/name.ts';
import { shortened } from '../../text/shorten.ts';
import { showLines } from '../../text/show.ts';
import { isLive } from '../model/run-status.ts';
import { isPaused } from '../model/stops.ts';
import { type Suggestion, suggest } from '../model/suggestion.ts';
import { isBuilt } from '../model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';
import type { NotificationKind } from '../settings/notify.ts';
import { planActions, taskActions } from './actions.ts';
import { type Asking, askingSentence } from './asking.ts';
import { proposedSentence } from './proposed.ts';
import { type NeedKind, planWait, planWaysOut, taskWaitStatus } from './why.ts';

export interface Need {
  /** Stays the same for as long as the need does; the next one of its kind has another. */
  readonly id: string;
  /** Null for what the person stopped or has not started, and for what another need is about. */
  readonly kind: NotificationKind | null;
  readonly plan: PlanFile;
  /** The task's address; null where the plan itself waits. */
  readonly task: string | null;
  /** With the plan or task in front. */
  readonly sentence: string;
  /** Without it. */
  readonly text: string;
  readonly actions: readonly Suggestion[];
}

export function needsIn(world: World, plan?: PlanFile): readonly Need[] {
  const entries = [...world.plans.values()].filter((entry) => plan === undefined || entry.plan === plan);
  return [...settingNeeds(world, entries), ...entries.flatMap((entry) => needsOf(world, entry))];
}

/** The settings are those of all plans, so they are shown with the first one that is being built. */
function settingNeeds(world: World, entries: readonly PlanEntry[]): readonly Need[] {
  const text = proposedSentence(world);
  const first = entries.find(isBuilt);
  if (text === undefined || first === undefined) return [];
  const { plan } = first;
  const actions = [suggest('config-accept')];
  return [{ id: 'settings', kind: 'decision', plan, task: null, sentence: `${plan}: ${text}`, text, actions }];
}

/** Tasks need a person only in a managed plan; of any other plan, only the plan itself can. */
function needsOf(world: World, entry: PlanEntry): readonly Need[] {
  const tasks = entry.status === WORKING && entry.work !== undefined ? taskNeeds(world, entry) : [];
  if (isPaused(world, entry) || entry.work?.incident != null) return [...planNeeds(world, entry), ...tasks];
  return tasks.length > 0 ? tasks : planNeeds(world, entry);
}

function taskNeeds(world: World, entry: PlanEntry): readonly Need[] {
  return entry.tasks.filter(isOpen).flatMap((task) => {
    const { owner, sentence, waysOut, suggestions, need } = taskWaitStatus(world, entry, task);
    // Of a paused plan there is one need for the pause, and one for each decision; with an incident the same.
    const common = isPaused(world, entry) ? 'resume' : 'incident';
    const isNamedOnce = suggestions.some((one) => one.do === common);
    if (owner !== 'user' || isNamedOnce) return [];
    const { plan } = entry;
    const text = showLines(sentence);
    return [
      {
        id: `${plan}#${task.id} ${need ?? 'start'} ${occurrenceInTask(task, need)}`,
        kind: need,
        plan,
        task: task.address,
        sentence: `${plan}#${task.address} ${shortened(task.name)}: ${text}`,
        text,
        actions: [...suggestions, ...taskActions(entry, task, waysOut)],
      },
    ];
  });
}

/** A stale task matters while its run is live. */
function isOpen({ state, stale, run }: TaskEntry): boolean {
  return !taskMachine.final.includes(state) && (!stale || isLive(run));
}

/** Distinguishes needs of one kind that come one after the other, also without a change of state in between. */
function occurrenceInTask({ entered, run }: TaskEntry, need: NeedKind | null): string {
  if (run === undefined) return `${entered}`;
  if (need === 'incident') return run.incident?.at ?? `${run.entered}`;
  if (need === 'held-up') return run.issued?.heldUp?.since ?? `${run.entered}`;
  return need === 'halted' ? `${run.entered} ${run.session?.id ?? ''}`.trim() : `${run.entered}`;
}

function planNeeds(world: World, entry: PlanEntry): readonly Need[] {
  const { owner, sentence, suggestions, need } = planWait(world, entry);
  if (owner !== 'user') return [];
  const { plan } = entry;
  const id = `${plan} ${need ?? 'start'} ${occurrenceInPlan(entry, need)}`;
  const actions = [...suggestions, ...planActions(entry, planWaysOut(entry))];
  return [{ id, kind: need, plan, task: null, sentence: `${plan}: ${sentence}`, text: sentence, actions }];
}

function occurrenceInPlan({ entered, work }: PlanEntry, need: NeedKind | null): string {
  if (need === 'incident') return work?.incident?.at ?? `${entered}`;
  return need === 'halted' ? `${entered} ${work?.session?.id ?? ''}`.trim() : `${entered}`;
}

/** What agents of plans ask on their screens. */
export function askNeeds({ plans }: Pick<World, 'plans'>, asking: readonly Asking[]): readonly Need[] {
  return asking.flatMap((one) => {
    const { plan, task: address, actions } = one;
    if (plan === null) return [];
    const text = showLines(askingSentence(one));
    const task = plans.get(plan)?.tasks.find((found) => found.address === address);
    const about = task === undefined ? plan : `${plan}#${task.address} ${shortened(task.name)}`;
    return [{ id: askId(one), kind: 'permission', plan, task: address, sentence: `${about}: ${text}`, text, actions }];
  });
}

/**
 * Of the session alone: the text may change while the same question is asked, because it is read from the report of the
 * program first, and from its screen once that was drawn again.
 */
export function askId({ session }: Pick<Asking, 'session'>): string {
  return `${session} permission`;
}
