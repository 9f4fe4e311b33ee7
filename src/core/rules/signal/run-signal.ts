// Rules for signals of a run's sessions. Only the session that was started for the run's present state counts.
import { WORKING } from '../../../machines/plan.ts';
import { isUnfinished, readImplementerReport } from '../../../reviews/implementer-report.ts';
import { findSignal, type RunSignalName, type SignalDefinition, type SignalName } from '../../../signals/registry.ts';
import { showName } from '../../../text/show.ts';
import { type Decision, refused } from '../../model/decision.ts';
import type { Signal } from '../../model/event.ts';
import { speakerName } from '../../model/refusals.ts';
import { dutyIn, hasMoved, isHeard, isLive } from '../../model/run-status.ts';
import { isManaged, type SessionEntry } from '../../model/session.ts';
import { recordedSignal } from '../../model/signal.ts';
import { mayIssue } from '../../model/stops.ts';
import type { World } from '../../model/world.ts';
import { abandonPlan, answerQuestion } from '../run/answer.ts';
import { ask } from '../run/ask.ts';
import { takeReview } from '../run/review.ts';
import { ruleAsArchitect } from '../run/ruling.ts';
import { nameOf, type RunContext, recordStep, runEffectFields } from '../run/step.ts';
import { giveVerdict } from '../run/verdict.ts';
import { finishWork, notLooked, startVerify, testsFail, testsPass } from '../run/verify.ts';

/**
 * The session that a signal comes from. For a file in a worktree that cadre manages it is the session that is there now; a
 * file that is older than that session is refused.
 */
export function speakingSession(world: World, signal: Signal): SessionEntry | Decision | undefined {
  if (signal.place === undefined) return [...world.sessions.values()].find((one) => one.id === signal.by.session);
  const holder = [...world.sessions.values()].find(
    (one) => one.place === signal.place && one.followedBy === undefined && isHeard(one),
  );
  if (holder === undefined)
    return refused('not-holder', `No session is running in the worktree in which "${signal.name}" was dropped.`);
  if (signal.made === undefined || Date.parse(signal.made) < startedAt(world, holder))
    return refused(
      'stale',
      `"${signal.name}" was dropped in the worktree before ${holder.id} started, so it is not from ${holder.id}.`,
    );
  return holder;
}

/**
 * Everything that runs as the same user can write into a box or a worktree, so neither says who speaks: the key does. A
 * verdict is never taken from a file, because others could copy a key from it before cadre has read it.
 */
export function whyNotFrom(signal: Signal, speaker: SessionEntry): Decision | undefined {
  if (signal.via === 'sentinel' && isManaged(speaker) && isVerdict(signal.name))
    return refused(
      'as-file',
      `"${signal.name}" is a verdict about what cadre builds: it counts as a command of the reviewer, and not as a file.`,
    );
  if (speaker.keyed !== true || signal.keyOf === speaker.id) return undefined;
  return refused(
    'no-key',
    `"${signal.name}" does not carry the key of ${speaker.id}, so it is not from ${speaker.id}.`,
  );
}

function isVerdict(name: string): boolean {
  return name === 'review-approved' || name === 'review-changes';
}

function startedAt(world: World, holder: SessionEntry): number {
  const entry = holder.plan === undefined ? undefined : world.plans.get(holder.plan);
  const run = entry?.tasks.find((task) => task.id === holder.task)?.run;
  const session = run?.session?.id === holder.id ? run.session : entry?.work?.session;
  if (session?.id !== holder.id) return Date.parse(holder.since);
  // Where the clock was set back, files that are newer than the session have earlier times.
  return Date.parse(session.at) + Math.min(0, session.asleep ?? 0);
}

export function decideRunSignal(world: World, signal: Signal, speaker: SessionEntry, now: Date): Decision {
  const entry = speaker.plan === undefined ? undefined : world.plans.get(speaker.plan);
  const task = entry?.tasks.find((one) => one.id === speaker.task);
  const run = task?.run;
  if (entry === undefined || task === undefined || run === undefined || run.attempt !== speaker.attempt)
    return refused(
      'stale',
      `${speaker.id} worked on an attempt at ${speaker.plan}#${speaker.address ?? speaker.task} that has ended.`,
    );
  // Its signals are kept unread: nobody can say what the worktree that they speak of is.
  if (isLive(run) && run.incident != null) return { kind: 'ignored', keep: true, records: [] };
  const by = { who: 'agent', role: speaker.role, session: speaker.id } as const;
  const context: RunContext = { world, now, by, entry, task, run, signal: recordedSignal(signal) };
  const definition = findSignal(signal.name);
  if (definition === undefined) return refused('unknown-signal', `There is no signal "${showName(signal.name)}".`);
  const no = whyNotHeard(context, signal, speaker, definition);
  if (no !== undefined) return no;
  const rule: RunRule | null = RULES[definition.name];
  if (rule === null) return refused('no-run', `"${signal.name}" has no effect on a run.`);
  return definition.run?.in.includes(run.state) ? rule(context, signal) : notNow(context);
}

function whyNotHeard(
  context: RunContext,
  signal: Signal,
  speaker: SessionEntry,
  definition: SignalDefinition,
): Decision | undefined {
  const { entry, run } = context;
  const name = nameOf(context);
  const isTheirs =
    definition.run?.roles.includes(speaker.role) && (signal.by.role === speaker.role || signal.place !== undefined);
  if (!isTheirs)
    return refused('role', `"${signal.name}" is not a signal that ${speakerName(context.by)} may send about ${name}.`);
  if (entry.status !== WORKING)
    return refused('state', `${name} is suspended, because ${entry.plan} is ${entry.status}.`);
  if (run.session?.id !== speaker.id)
    return refused('stale', `${speaker.id} was replaced by ${run.session?.id ?? 'nobody'} in the run of ${name}.`);
  if (!isHeard(speaker)) return refused('not-holder', `${speaker.id} was stopped, so its signals no longer count.`);
  if (signal.entered !== undefined && signal.entered !== run.entered)
    return refused(
      'stale',
      `"${signal.name}" is about an earlier state of the run of ${name}, which is ${run.state} now.`,
    );
  if (!isHolder(context, speaker, signal))
    return refused(
      'not-holder',
      `${speaker.id} was not started for the present state of the run of ${name} (${run.state}).`,
    );
  if (definition.body === 'required' && signal.body.trim() === '')
    return refused('no-body', `"${signal.name}" needs a body that says what it is about.`);
  return undefined;
}

/** The session was started for this state and has its role; or it withdraws its question by submitting another plan. */
function isHolder({ run, task, world }: RunContext, speaker: SessionEntry, signal: Signal): boolean {
  if (run.state === 'QUESTION' && speaker.role === 'implementer') return signal.name === 'plan-submitted';
  return run.session?.entered === run.entered && dutyIn(run, world.policy, task)?.role === speaker.role;
}

type RunRule = (context: RunContext, signal: Signal) => Decision;

/** What each signal does to a run in the states that the registry names. */
const RULES: { readonly [name in SignalName]: name extends RunSignalName ? RunRule : null } = {
  'planner-finished': null,
  'plan-submitted': submitPlan,
  question: (context, { body }) => ask(context, body),
  'implement-finished': finished,
  'fix-finished': finished,
  'review-approved': (context, signal) => verdict(context, 'approve', signal),
  'review-changes': (context, signal) => verdict(context, 'changes', signal),
  answer: (context, { body, worktree }) => {
    if (context.run.state === 'CODE_REVIEW') return ruleAsArchitect(context, body);
    return context.run.state === 'PLAN_REVIEW' ? abandonPlan(context, body) : answerQuestion(context, body, worktree);
  },
  'verify-passed': (context) => verifiedByAgent(context, undefined),
  'verify-issues': (context, { body }) => verifiedByAgent(context, body),
  'round-finished': null,
};

/** The report is checked before the worktree: an agent that is blocked has often nothing to commit. */
function finished(context: RunContext, { name, body, worktree }: Signal): Decision {
  const report = readImplementerReport(body);
  if (report === undefined)
    return context.world.policy.requireReport
      ? refused('no-body', `"${name}" needs a report as its body, because require_report is set.`)
      : finishWork(context, worktree);
  if (!report.ok)
    return refused('bad-report', ['The report is invalid:', ...report.violations.map((one) => `- ${one}`)].join('\n'));
  if (isUnfinished(report.document))
    return refused(
      'not-finished',
      `"${name}" says that the work is finished, and its report says "${report.document.status}". Send what you need to know as the signal "question" instead.`,
    );
  return finishWork(context, worktree, report.document);
}

function submitPlan(context: RunContext, { body }: Signal): Decision {
  const { state, question } = context.run;
  if (state === 'PLANNING') return recordStep(context, { moves: ['submit_plan'], cause: body, change: { plan: body } });
  if (question?.origin !== 'PLANNING') return notNow(context);
  return recordStep(context, { moves: ['resubmit'], cause: body, change: { plan: body } });
}

/** Reviewers may only read. The verdict of one that changed files is refused, its changes are undone, and it is asked again. */
function verdict(context: RunContext, word: 'approve' | 'changes', { body, worktree }: Signal): Decision {
  const { run } = context;
  if (run.state !== 'CODE_REVIEW') return giveVerdict(context, word, body, worktree);
  if (worktree === undefined || run.pinned === null || run.session === null) return notLooked(context);
  if (hasMoved(run, worktree.head) || worktree.clean)
    return takeReview(context, word === 'approve' ? 'approved' : 'changes', body, worktree);
  const why = `${run.session.id} has changed files in the worktree of ${nameOf(context)}, which a reviewer may only read. A copy of the changes is kept, and they are undone.`;
  return {
    ...refused('unclean', why),
    extras: {
      effects: [{ do: 'undo', ...runEffectFields(context), pin: run.pinned }],
      changes: [
        {
          of: 'run',
          plan: context.entry.plan,
          task: context.task.id,
          change: { session: { ...run.session, trouble: 'silent' } },
        },
      ],
    },
  };
}

/** The agent's report is the result only if the engine does not verify as well; otherwise it starts that verification. */
function verifiedByAgent(context: RunContext, issues: string | undefined): Decision {
  const { world } = context;
  if (world.policy.verification === 'engine') return notNow(context);
  if (world.policy.verification === 'both')
    return mayIssue(world, context.entry)
      ? startVerify(context)
      : recordStep(context, { moves: [], name: 'verify_advised', change: { advised: true } });
  return issues === undefined ? testsPass(context) : testsFail(context, 'test_failure', issues);
}

function notNow(context: RunContext): Decision {
  return refused('state', `${nameOf(context)} is ${context.run.state}; "${context.signal?.name}" has no effect there.`);
}
