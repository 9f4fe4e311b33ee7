// The review of a whole plan, for plans that cadre works on: the reviewer's session, its verdicts, and what follows from them.

import { PLAN_REVIEW } from '../../../machines/plan.ts';
import { quoteForShell } from '../../../text/shell.ts';
import { showText } from '../../../text/show.ts';
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
import type { LandingFacts, PlanSession, PlanWork, RecordChange } from '../../model/run.ts';
import { sessionHealthOf } from '../../model/run-status.ts';
import type { SessionFields } from '../../model/session.ts';
import { listed, openTasks } from '../../model/tasks.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import { programFor } from '../../settings/default-policy.ts';
import type { ManagedContext, PlanContext } from './context.ts';

/** Why this verdict does not count, as far as it depends on who says it. Plans driven from outside have no holder. */
export function whyNoVerdict({ world, entry, by }: PlanContext, landing?: LandingFacts): Decision | undefined {
  const { work, plan } = entry;
  if (work === undefined || by.who !== 'agent') return undefined;
  const { session } = work;
  if (session === null || by.session !== session.id || session.entered !== entry.entered)
    return refused('not-holder', `Only the reviewer that cadre started for ${plan} gives a verdict on it.`);
  if (world.sessions.get(session.id)?.wanted !== 'running')
    return refused('not-holder', `${session.id} was stopped, so its verdict on ${plan} no longer counts.`);
  if (work.waiting !== null)
    return refused('state', `${plan} waits for a person: the reviewer requested changes, and no review is left.`);
  if (session.tip !== work.tip || (landing !== undefined && session.tip !== landing.tip))
    return refused('moved', `The branch of ${plan} is no longer at the commit that ${session.id} was given to review.`);
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

/** What has to be done before an approved plan could land, as the text of a task; nothing where it can, or nobody looked. */
export function whyItCannotLand(entry: PlanEntry, landing: LandingFacts | undefined): string | undefined {
  if (entry.work === undefined || landing?.conflict === undefined || openTasks(entry).length > 0) return undefined;
  const { base, files } = landing.conflict;
  return [
    `What was built is approved, but ${entry.branch} cannot be merged with ${base}. Both sides have changed:`,
    files.map((file) => `- ${showText(file)}`).join('\n'),
    `Merge it (\`${quoteForShell(['git', 'merge', base])}\`), resolve the conflicts so that the work of both sides is kept, and commit.`,
  ].join('\n\n');
}

/** With a task open the plan only goes on; otherwise there is a task to be made of what was asked for. */
export function changesAsked(
  entry: PlanEntry,
  work: PlanWork,
  feedback: string | undefined,
): { readonly changes: readonly RecordChange[] } | Decision {
  const { plan } = entry;
  if (openTasks(entry).length > 0) return { changes: [{ of: 'plan', plan, change: LEFT }] };
  const text = feedback?.trim() ? feedback : work.waiting?.text;
  if (text === undefined) return refused('no-body', `Say what has to change in ${plan}; it becomes a task.`);
  return {
    changes: [
      { of: 'plan', plan, change: { ...LEFT, reviewCycles: work.reviewCycles + 1 } },
      { of: 'fix-task', plan, task: nextFixTask(entry), text },
    ],
  };
}

/** What ends when a plan leaves its review, or anything else that a session of its own was begun for. */
export const LEFT: Partial<PlanWork> = { session: null, relaunches: 0, waiting: null, lands: false };

function nextFixTask(entry: PlanEntry): string {
  const taken = new Set(entry.tasks.flatMap((task) => [task.id, task.address]));
  for (let number = 1; ; number++) if (!taken.has(`R${number}`)) return `R${number}`;
}

export function noCycleLeft(world: World, work: PlanWork): boolean {
  return work.reviewCycles >= world.policy.budgets.reviewCycles;
}

/** The reviewer's feedback when no cycle is left is kept, and a person decides. */
export function waitForPerson(context: PlanContext, feedback: string): Decision {
  const { world, now, signal } = context;
  const { plan } = context.entry;
  const text = `${plan} was reviewed ${world.policy.budgets.reviewCycles} times and still needs changes: approve it, request the changes, or cancel it.`;
  return accepted(
    record(
      context,
      { event: 'review_waits', plan, feedback },
      {
        changes: [{ of: 'plan', plan, change: { waiting: { text: feedback, at: now.toISOString() } } }],
        effects: numbered(world.seq + 1, [{ do: 'tell', text }]),
        ...(signal === undefined ? {} : { signal }),
      },
    ),
  );
}

/** Begins the reviewer's session: the first, another for a branch that has moved, or one more after a failure. */
export function keepReviewing(context: ManagedContext): Decision | undefined {
  const { world, entry, work } = context;
  if (entry.status !== PLAN_REVIEW || work.waiting !== null) return undefined;
  const { session, relaunches } = work;
  const present = sessionHealthOf(session, entry.entered, world.sessions);
  if (present === 'none' || session?.tip !== work.tip) return startReview(context, relaunches);
  if (present === 'working' || relaunches >= world.policy.budgets.relaunches) return undefined;
  return startReview(context, relaunches + 1);
}

function startReview(context: ManagedContext, relaunches: number): Decision {
  const { world, now, entry, work } = context;
  const { plan, entered } = entry;
  const seq = world.seq + 1;
  const id = sessionIdFor(seq);
  const machine = machineOfReview(context);
  const begun: SessionFields = {
    id,
    place: reviewPlaceFor(entered),
    title: `${plan} reviewer`,
    role: 'reviewer',
    ...programFor(world.policy, 'reviewer'),
    branch: entry.branch,
    from: work.tip ?? entry.branch,
    plan,
    reviews: true,
    ...machine,
  };
  const session: PlanSession = { id, entered, at: now.toISOString(), tip: work.tip, trouble: null };
  return accepted(
    record(
      context,
      { event: 'session_begun', begun, resume: false },
      {
        changes: [{ of: 'plan', plan, change: { session, relaunches } }],
        effects: numbered(seq, [
          { do: 'start-session', session: id, prompt: '', resume: false, turn: 'review-all', ...machine },
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
