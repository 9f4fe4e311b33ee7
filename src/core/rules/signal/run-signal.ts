// Rules for signals of a run's sessions. Only the session that was started for the run's present state counts.
import { WORKING } from '../../../machines/plan.ts';
import { findSignal, type RunSignalName, type SignalDefinition, type SignalName } from '../../../signals/registry.ts';
import { showName } from '../../../text/show.ts';
import { type Decision, refused } from '../../model/decision.ts';
import type { Signal } from '../../model/event.ts';
import { speakerName } from '../../model/refusals.ts';
import type { RunEntry } from '../../model/run.ts';
import { dutyIn, hasMoved, isHeard } from '../../model/run-status.ts';
import type { SessionEntry } from '../../model/session.ts';
import { mayIssue } from '../../model/stops.ts';
import type { World } from '../../model/world.ts';
import { abandonPlan, answerQuestion } from '../run/answer.ts';
import { ask } from '../run/ask.ts';
import { nameOf, type RunContext, recordStep, runEffectFields } from '../run/step.ts';
import { giveVerdict, sendBackTo } from '../run/verdict.ts';
import { finishWork, startVerify, testsFail, testsPass } from '../run/verify.ts';

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
  const by = { who: 'agent', role: speaker.role, session: speaker.id } as const;
  const stored = { id: signal.id, name: signal.name, ...(signal.body === '' ? {} : { body: signal.body }) };
  const context: RunContext = { world, now, by, entry, task, run, signal: stored };
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
  const { entry, run, world } = context;
  const name = nameOf(context);
  const isTheirs =
    definition.run?.roles.includes(speaker.role) && (signal.by.role === speaker.role || signal.place !== undefined);
  if (!isTheirs) return refused('role', `"${signal.name}" is not for ${speakerName(context.by)} to say about ${name}.`);
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
  if (!isHolder(run, speaker, signal, world))
    return refused(
      'not-holder',
      `${speaker.id} was not started for the present state of the run of ${name} (${run.state}).`,
    );
  if (definition.body === 'required' && signal.body.trim() === '')
    return refused('no-body', `"${signal.name}" needs a body that says what it is about.`);
  return undefined;
}

/** The session was started for this state and has its role; or it withdraws its question by submitting another plan. */
function isHolder(run: RunEntry, speaker: SessionEntry, signal: Signal, world: World): boolean {
  if (run.state === 'QUESTION' && speaker.role === 'implementer') return signal.name === 'plan-submitted';
  return run.session?.entered === run.entered && dutyIn(run, world.policy)?.role === speaker.role;
}

type RunRule = (context: RunContext, signal: Signal) => Decision;

/** What each signal does to a run in the states that the registry names. */
const RULES: { readonly [name in SignalName]: name extends RunSignalName ? RunRule : null } = {
  'planner-finished': null,
  'plan-submitted': submitPlan,
  question: (context, { body }) => ask(context, body),
  'implement-finished': (context, { worktree }) => finishWork(context, worktree),
  'fix-finished': (context, { worktree }) => finishWork(context, worktree),
  'review-approved': (context, signal) => verdict(context, 'approve', signal),
  'review-changes': (context, signal) => verdict(context, 'changes', signal),
  answer: (context, { body, worktree }) =>
    context.run.state === 'PLAN_REVIEW' ? abandonPlan(context, body) : answerQuestion(context, body, worktree),
  'verify-passed': (context) => verifiedByAgent(context, undefined),
  'verify-issues': (context, { body }) => verifiedByAgent(context, body),
  'round-finished': null,
};

function submitPlan(context: RunContext, { body }: Signal): Decision {
  const { state, question } = context.run;
  if (state === 'PLANNING') return recordStep(context, { moves: ['submit_plan'], cause: body, change: { plan: body } });
  if (question?.origin !== 'PLANNING') return notNow(context);
  return recordStep(context, { moves: ['resubmit'], cause: body, change: { plan: body } });
}

/** Reviewers may only read. The verdict of one that changed files is refused, its changes are undone, and it is asked again. */
function verdict(context: RunContext, word: 'approve' | 'changes', { body, worktree }: Signal): Decision {
  const { run } = context;
  if (run.state !== 'CODE_REVIEW' || worktree === undefined || run.pinned === null || run.session === null)
    return giveVerdict(context, word, body, worktree);
  if (hasMoved(run, worktree.head)) return sendBackTo(context, run.pinned, worktree, word === 'changes' ? body : '');
  if (worktree.clean) return giveVerdict(context, word, body, worktree);
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
