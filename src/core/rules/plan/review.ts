// The review of a managed plan as a whole: the reviewer's session, its verdicts, and what follows from them.

import { PLAN_REVIEW } from '../../../machines/plan.ts';
import { slugOf } from '../../../plan/name.ts';
import type { Author } from '../../../signals/author.ts';
import { quoteForShell } from '../../../text/shell.ts';
import { showText } from '../../../text/show.ts';
import { short } from '../../model/commit.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED, record, refused } from '../../model/decision.ts';
import { numbered } from '../../model/effect.ts';
import {
  machineForNew,
  type OnMachine,
  reviewPlaceFor,
  type SessionId,
  sameMachine,
  sessionIdFor,
} from '../../model/ids.ts';
import { listKey } from '../../model/review/list.ts';
import type { LandingFacts, PlanWork, RecordChange } from '../../model/run.ts';
import { isHeard, sessionHealthOf } from '../../model/run-status.ts';
import type { PlanSession, SessionFields } from '../../model/session.ts';
import { incidentWords } from '../../model/stops.ts';
import { suggest } from '../../model/suggestion.ts';
import { listed, openTasks } from '../../model/tasks.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import { programFor } from '../../settings/default-policy.ts';
import type { ManagedContext, PlanContext } from './context.ts';

/** Why a verdict of this speaker does not count. For plans driven from outside anyone may give one. */
export function whyNoVerdict({ world, entry, by }: PlanContext): Decision | undefined {
  const { work, plan } = entry;
  if (work === undefined || by.who !== 'agent') return undefined;
  const { session } = work;
  if (session === null || by.session !== session.id || session.entered !== entry.entered)
    return refused('not-holder', `Only the reviewer that cadre started for ${plan} gives a verdict on it.`);
  const speaker = world.sessions.get(session.id);
  if (speaker === undefined || !isHeard(speaker))
    return refused('not-holder', `${session.id} was stopped, so its verdict on ${plan} no longer counts.`);
  if (work.waiting !== null)
    return refused('state', `${plan} waits for a person: the reviewer requested changes, and no reviews are left.`);
  if (hasOtherTip(session, work.tip))
    return refused('moved', `The branch of ${plan} is no longer at the commit that ${session.id} was given to review.`);
  if (hasOtherList(session, entry))
    return refused('moved', `${session.id} was not shown everything that was left to the review of ${plan}.`);
  return undefined;
}

/** A reviewer that started before the plan branch was created has seen all that is on it: nothing but the base. */
function hasOtherTip(session: PlanSession, tip: string | null): boolean {
  return session.tip !== null && session.tip !== tip;
}

/** What was left to the review of the plan is not what its reviewer was shown. */
function hasOtherList(session: PlanSession, entry: PlanEntry): boolean {
  return (session.list ?? '') !== listKey(entry);
}

/** An approval is of the commit that cadre left on the plan branch, and of nothing else. */
export function whyBranchDiffers(entry: PlanEntry, landing: LandingFacts | undefined): Decision | undefined {
  const { work, plan, branch } = entry;
  if (work === undefined) return undefined;
  if (work.incident !== null)
    return refused(
      'incident',
      `${plan} cannot be approved. ${incidentWords(work.incident)}`,
      suggest('incident', slugOf(plan)),
    );
  if (work.tip === null) return undefined;
  if (landing === undefined)
    return refused('not-looked', `${branch} could not be read, so ${plan} is not approved. Try again.`);
  if (landing.tip !== work.tip)
    return refused('moved', `${plan} is not approved: ${branch} is no longer at ${short(work.tip)}.`);
  return undefined;
}

export function whyNotApproved(entry: PlanEntry): Decision | undefined {
  const open = entry.work === undefined ? [] : openTasks(entry);
  if (open.length === 0) return undefined;
  return refused(
    'open-tasks',
    `${entry.plan} cannot be approved. Not done: ${listed(open.map((task) => task.address))}.`,
  );
}

/** The text of a task that makes an approved plan able to land; undefined where it can land, or nobody checked. */
export function whyItCannotLand(entry: PlanEntry, landing: LandingFacts | undefined): string | undefined {
  if (entry.work === undefined || landing?.conflict === undefined || openTasks(entry).length > 0) return undefined;
  const { base, files } = landing.conflict;
  const isRelated = files.length > 0;
  const how = ['git', 'merge', ...(isRelated ? [] : ['--allow-unrelated-histories']), base];
  return [
    `What was built is approved, but ${entry.branch} cannot be merged with ${base}. ${isRelated ? 'Both sides have changed:' : 'The two have no common history.'}`,
    ...(isRelated ? [files.map((file) => `- ${showText(file)}`).join('\n')] : []),
    `Merge it (\`${quoteForShell(how)}\`), resolve the conflicts so that the work of both sides is kept, and commit.`,
  ].join('\n\n');
}

/** If a task is open, the plan just continues; otherwise the feedback becomes a task. */
export function changesRequested(
  entry: PlanEntry,
  work: PlanWork,
  feedback: string | undefined,
  by: Author,
): { readonly changes: readonly RecordChange[] } | Decision {
  const { plan } = entry;
  if (openTasks(entry).length > 0) return { changes: [{ of: 'plan', plan, change: AFTER_REVIEW }] };
  if (feedback === undefined || feedback.trim() === '')
    return refused('no-body', `Say what has to change in ${plan}; it becomes a task.`);
  return {
    changes: [
      { of: 'plan', plan, change: { ...AFTER_REVIEW, reviewCycles: work.reviewCycles + 1 } },
      { of: 'fix-task', plan, task: nextFixTask(entry), text: feedback, by },
    ],
  };
}

/** What is reset when a plan leaves its review. */
export const AFTER_REVIEW: Partial<PlanWork> = { session: null, relaunches: 0, waiting: null, lands: false };

function nextFixTask(entry: PlanEntry): string {
  const taken = new Set(entry.tasks.flatMap((task) => [task.id, task.address]));
  for (let number = 1; ; number++) if (!taken.has(`R${number}`)) return `R${number}`;
}

export function noCycleLeft(world: World, work: PlanWork): boolean {
  return work.reviewCycles >= world.policy.budgets.reviewCycles;
}

/** When no review cycle is left, the reviewer's feedback is kept and a person decides. */
export function waitForPerson(
  context: PlanContext,
  feedback: string,
  by: Author,
  along: readonly RecordChange[] = [],
): Decision {
  const { world, now, signal } = context;
  const { plan } = context.entry;
  const text = `${plan} was reviewed ${world.policy.budgets.reviewCycles} times and still needs changes: approve it, request the changes, or cancel it.`;
  return accepted(
    record(
      context,
      { event: 'review_waits', plan, feedback },
      {
        changes: [...along, { of: 'plan', plan, change: { waiting: { text: feedback, at: now.toISOString(), by } } }],
        effects: numbered(world.seq + 1, [{ do: 'tell', text }]),
        ...(signal === undefined ? {} : { signal }),
      },
    ),
  );
}

/** No review cycle is left, or the reviewer has failed and is not restarted. */
export function reviewWaitsForPerson({ sessions, policy }: World, { work, entered }: PlanEntry): boolean {
  if (work === undefined || work.waiting !== null) return work !== undefined;
  const health = sessionHealthOf(work.session, entered, sessions);
  return (health === 'lost' || health === 'silent') && work.relaunches >= policy.budgets.relaunches;
}

/** Starts a reviewer: the first one, another when the branch has moved or after a failure, or one that was interrupted. */
export function keepReviewing(context: ManagedContext): Decision | undefined {
  const { world, entry, work } = context;
  if (entry.status !== PLAN_REVIEW || work.waiting !== null) return undefined;
  const { session, relaunches } = work;
  const present = sessionHealthOf(session, entry.entered, world.sessions);
  if (present === 'none' || session === null) return startReview(context, relaunches);
  if (hasOtherTip(session, work.tip) || hasOtherList(session, entry)) return startReview(context, relaunches);
  if (present === 'interrupted')
    return startReview(context, relaunches, world.sessions.get(session.id)?.up !== undefined);
  if (present === 'working' || relaunches >= world.policy.budgets.relaunches) return undefined;
  return startReview(context, relaunches + 1);
}

function startReview(context: ManagedContext, relaunches: number, resume = false): Decision {
  const { world, now, entry, work } = context;
  const { plan, entered } = entry;
  const seq = world.seq + 1;
  const id = sessionIdFor(seq);
  const machine = machineOfReview(context);
  const fields: SessionFields = {
    id,
    place: reviewPlaceFor(entered),
    title: `${plan} reviewer`,
    role: 'reviewer',
    ...programFor(world.policy, 'reviewer'),
    branch: entry.branch,
    from: work.tip ?? entry.branch,
    plan,
    reviews: true,
    keyed: true,
    ...machine,
  };
  const list = listKey(entry);
  const session: PlanSession = {
    id,
    entered,
    at: now.toISOString(),
    tip: work.tip,
    ...(list === '' ? {} : { list }),
    trouble: null,
  };
  return accepted(
    record(
      context,
      { event: 'session_begun', begun: fields, resume },
      {
        changes: [{ of: 'plan', plan, change: { session, relaunches } }],
        effects: numbered(seq, [
          { do: 'start-session', session: id, prompt: '', resume, turn: 'review-all', ...machine },
        ]),
      },
    ),
  );
}

/** All reviewers of one review share a place, which stays on the machine where the first one started. */
function machineOfReview({ world, entry, work: { session } }: ManagedContext): OnMachine {
  const before = session?.entered === entry.entered ? world.sessions.get(session.id) : undefined;
  return before === undefined ? machineForNew(world.policy) : sameMachine(before);
}

export function reviewerTrouble(world: World, id: SessionId, trouble: 'silent' | 'overdue', now: Date): Decision {
  for (const { plan, work, entered } of world.plans.values()) {
    if (work?.session?.id !== id || sessionHealthOf(work.session, entered, world.sessions) !== 'working') continue;
    const event = trouble === 'silent' ? 'reviewer_silent' : 'reviewer_overdue';
    const change = { session: { ...work.session, trouble } };
    return accepted(
      record({ world, now, by: BY_ENGINE }, { event, plan }, { changes: [{ of: 'plan', plan, change }] }),
    );
  }
  return IGNORED;
}
