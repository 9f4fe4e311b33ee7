// Signals of a run's sessions. Only the session that was begun for the run's present state is heard, and only in its role.
import { WORKING } from '../../../machines/plan.ts';
import { findSignal, type RunSignalName, type SignalDefinition, type SignalName } from '../../../signals/registry.ts';
import { type Decision, refused } from '../../model/decision.ts';
import type { Signal } from '../../model/event.ts';
import { speakerName } from '../../model/refusals.ts';
import type { RunEntry } from '../../model/run.ts';
import { dutyIn, hasMoved } from '../../model/run-status.ts';
import type { SessionEntry } from '../../model/session.ts';
import type { World } from '../../model/world.ts';
import { answer, ask } from '../run/answer.ts';
import { nameOf, ofRun, type RunContext, recordStep } from '../run/step.ts';
import { judge, sendBackTo } from '../run/verdict.ts';
import { beginVerify, finishWork, testsFail, testsPass } from '../run/verify.ts';

/**
 * Who speaks: the session that it comes from, or, for a file in a worktree of ours, the one that holds the place now. A file
 * that was there before that session is not its word.
 */
export function speakerOf(world: World, signal: Signal): SessionEntry | Decision | undefined {
  if (signal.place === undefined) return [...world.sessions.values()].find((one) => one.id === signal.by.session);
  const holder = [...world.sessions.values()].find(
    (one) => one.place === signal.place && one.followedBy === undefined && one.wanted === 'running',
  );
  if (holder === undefined)
    return refused('not-holder', `No session holds the worktree in which "${signal.name}" was left.`);
  if (signal.made === undefined || Date.parse(signal.made) < begunAt(world, holder))
    return refused(
      'stale',
      `"${signal.name}" was left in the worktree before ${holder.id} began, so it is not its word.`,
    );
  return holder;
}

function begunAt(world: World, holder: SessionEntry): number {
  const entry = holder.plan === undefined ? undefined : world.plans.get(holder.plan);
  const run = entry?.tasks.find((task) => task.id === holder.task)?.run;
  const session = run?.session?.id === holder.id ? run.session : entry?.work?.session;
  return Date.parse(session?.id === holder.id ? session.at : holder.since);
}

export function hearRun(world: World, signal: Signal, speaker: SessionEntry, now: Date): Decision {
  const entry = speaker.plan === undefined ? undefined : world.plans.get(speaker.plan);
  const task = entry?.tasks.find((one) => one.id === speaker.task);
  const run = task?.run;
  if (entry === undefined || task === undefined || run === undefined || run.attempt !== speaker.attempt)
    return refused('stale', `${speaker.id} worked on an attempt at ${speaker.plan}#${speaker.task} that has ended.`);
  const by = { who: 'agent', role: speaker.role, session: speaker.id } as const;
  const heard = { id: signal.id, name: signal.name, ...(signal.body === '' ? {} : { body: signal.body }) };
  const scene: RunContext = { world, now, by, entry, task, run, signal: heard };
  const definition = findSignal(signal.name);
  if (definition === undefined) return refused('unknown-signal', `There is no signal "${signal.name}".`);
  const no = whyNotHeard(scene, signal, speaker, definition);
  if (no !== undefined) return no;
  const rule: RunRule | null = RULES[definition.name];
  if (rule === null) return refused('no-run', `"${signal.name}" means nothing for a run.`);
  return definition.run?.in.includes(run.state) ? rule(scene, signal) : notNow(scene);
}

function whyNotHeard(
  scene: RunContext,
  signal: Signal,
  speaker: SessionEntry,
  definition: SignalDefinition,
): Decision | undefined {
  const { entry, run, world } = scene;
  const name = nameOf(scene);
  const isTheirs =
    definition.run?.roles.includes(speaker.role) && (signal.by.role === speaker.role || signal.place !== undefined);
  if (!isTheirs) return refused('role', `"${signal.name}" is not for ${speakerName(scene.by)} to say about ${name}.`);
  if (entry.status !== WORKING)
    return refused('state', `${name} stands still, because ${entry.plan} is ${entry.status}.`);
  if (run.session?.id !== speaker.id)
    return refused('stale', `${speaker.id} was followed by ${run.session?.id ?? 'nobody'} in the run of ${name}.`);
  if (speaker.wanted !== 'running')
    return refused('not-holder', `${speaker.id} was stopped; it is not heard any more.`);
  if (signal.entered !== undefined && signal.entered !== run.entered)
    return refused(
      'stale',
      `"${signal.name}" was said about an earlier state of the run of ${name}, which is ${run.state}.`,
    );
  if (!isHolder(run, speaker, signal, world))
    return refused('not-holder', `${speaker.id} was not begun for what the run of ${name} does now (${run.state}).`);
  if (definition.body === 'required' && signal.body.trim() === '')
    return refused('no-body', `"${signal.name}" says nothing: its body must hold what it is about.`);
  return undefined;
}

/** It was begun for this state, whose work is its role's; or it withdraws a question of its own with another plan. */
function isHolder(run: RunEntry, speaker: SessionEntry, signal: Signal, world: World): boolean {
  if (run.state === 'QUESTION' && speaker.role === 'implementer') return signal.name === 'plan-submitted';
  return run.session?.entered === run.entered && dutyIn(run, world.policy)?.role === speaker.role;
}

type RunRule = (scene: RunContext, signal: Signal) => Decision;

/** What each signal does to a run that hears it. */
const RULES: { readonly [name in SignalName]: name extends RunSignalName ? RunRule : null } = {
  'planner-finished': null,
  'plan-submitted': submitPlan,
  question: (scene, { body }) => ask(scene, body),
  'implement-finished': (scene, { worktree }) => finishWork(scene, worktree),
  'fix-finished': (scene, { worktree }) => finishWork(scene, worktree),
  'review-approved': (scene, signal) => verdict(scene, 'approve', signal),
  'review-changes': (scene, signal) => verdict(scene, 'changes', signal),
  answer: (scene, { body, worktree }) => answer(scene, body, worktree),
  'verify-passed': (scene) => verified(scene, undefined),
  'verify-issues': (scene, { body }) => verified(scene, body),
  'round-finished': null,
};

function submitPlan(scene: RunContext, { body }: Signal): Decision {
  const { state, question } = scene.run;
  if (state === 'PLANNING') return recordStep(scene, { moves: ['submit_plan'], cause: body, change: { plan: body } });
  if (question?.origin !== 'PLANNING') return notNow(scene);
  return recordStep(scene, { moves: ['resubmit'], cause: body, change: { plan: body } });
}

/** A reviewer reads. One that has changed something has its verdict refused and its changes undone, and is asked again. */
function verdict(scene: RunContext, word: 'approve' | 'changes', { body, worktree }: Signal): Decision {
  const { run } = scene;
  if (run.state !== 'CODE_REVIEW' || worktree === undefined || run.pinned === null || run.session === null)
    return judge(scene, word, body, worktree);
  if (hasMoved(run, worktree.head)) return sendBackTo(scene, run.pinned, worktree, word === 'changes' ? body : '');
  if (worktree.clean) return judge(scene, word, body, worktree);
  const why = `${run.session.id} has changed files in the worktree of ${nameOf(scene)}, which a reviewer only reads. Its changes are kept aside and undone.`;
  return {
    ...refused('unclean', why),
    besides: {
      effects: [{ do: 'undo', ...ofRun(scene), pin: run.pinned }],
      changes: [
        {
          of: 'run',
          plan: scene.entry.plan,
          task: scene.task.id,
          change: { session: { ...run.session, trouble: 'silent' } },
        },
      ],
    },
  };
}

/** The agent's word is the result only where nothing else verifies; otherwise it starts the engine's own check. */
function verified(scene: RunContext, issues: string | undefined): Decision {
  const { world } = scene;
  if (world.policy.verification === 'engine') return notNow(scene);
  if (world.policy.verification === 'both')
    return world.frozen
      ? recordStep(scene, { moves: [], name: 'verify_advised', change: { advised: true } })
      : beginVerify(scene);
  return issues === undefined ? testsPass(scene) : testsFail(scene, 'test_failure', issues);
}

function notNow(scene: RunContext): Decision {
  return refused('state', `${nameOf(scene)} is ${scene.run.state}, in which "${scene.signal?.name}" says nothing.`);
}
