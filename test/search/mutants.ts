// Rules replaced one at a time by a plausible mistake. The search must notice each of them.
// They are applied to the source text while the search is bundled, so none of them exists in any build.

export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** A piece of the source that must occur exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The model that shows it. */
  readonly model: string;
  /** More states than this count as a violation: without limits there is no end of them. */
  readonly states?: number;
}

const HUMAN = 'one/tiny/human';
const AGENT = 'one/tiny/agent';
const WIDE = 'one/tiny/usual+wide';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'spec_approve: the first approval ends the review',
    file: 'src/core/rules/run/verdict.ts',
    find: "return context.run.stage === 'quality' ? approveQuality(context) : approveSpec(context);",
    replace: 'return context.run.advised ? approveSpec(context) : approveQuality(context);',
    model: HUMAN,
  },
  {
    name: 'quality_done: the second approval makes the task done',
    file: 'src/machines/task-of-run.ts',
    find: "  AWAIT_MERGE: 'quality_review',",
    replace: "  AWAIT_MERGE: 'done',",
    model: HUMAN,
  },
  {
    name: 'keep_stage: a review that was passed once stays passed',
    file: 'src/core/rules/run/step.ts',
    find: "    stage: to === 'CODE_REVIEW' ? 'spec' : null,\n",
    replace: '',
    model: HUMAN,
  },
  {
    name: 'relaunch_unguarded: a relaunch needs none of the launch’s conditions',
    file: 'src/core/rules/run/launch.ts',
    find: 'export function launchAgain(context: TaskContext): Decision {\n  return whyNotLaunched(context) ?? startRun(context);',
    replace: 'export function launchAgain(context: TaskContext): Decision {\n  return startRun(context);',
    model: 'seq/tiny/usual',
  },
  {
    name: 'launch_blocked: tasks that come first need not be done',
    file: 'src/core/rules/run/launch.ts',
    find: '  if (blockedBy.length > 0)',
    replace: '  if (blockedBy.length > 9)',
    model: 'seq/tiny/usual',
  },
  {
    name: 'launch_stale: a stale task is launched',
    file: 'src/core/rules/run/launch.ts',
    find: '  if (task.stale) return',
    replace: "  if (task.stale && by.who === 'agent') return",
    model: 'seq/tiny/usual',
  },
  {
    name: 'kill_review: a task in review is reverted or marked done',
    file: 'src/core/rules/run/act.ts',
    find: "if (task.state === 'implementing' || task.state === 'verifying')",
    replace: "if (task.state !== 'done')",
    model: HUMAN,
  },
  {
    name: 'kill_leaves_run: a revert leaves the run',
    file: 'src/core/rules/run/end.ts',
    find: "changes: [{ of: 'run', plan: entry.plan, task: task.id, change: null }, ...marked],",
    replace: 'changes: [...marked],',
    model: HUMAN,
  },
  {
    name: 'first_agent: a reviewer that does not start reverts the task',
    file: 'src/core/rules/run/react.ts',
    find: "const isFirst = !run.started && (duty.work === 'plan' || duty.work === 'build');",
    replace: 'const isFirst = !run.started;',
    model: HUMAN,
  },
  {
    name: 'cancel_drop: cancelling a plan removes its runs',
    file: 'src/core/rules/plan/managed-plan.ts',
    find: 'cancel: ({ entry }) => workChange(entry, { ...AFTER_REVIEW, going: false }),',
    replace:
      "cancel: ({ entry: { plan, tasks } }) => ({ changes: tasks.map(({ id }) => ({ of: 'run', plan, task: id, change: null })), effects: [] }),",
    model: HUMAN,
  },
  {
    name: 'startover_keep: tasks stay done when a plan is started over',
    file: 'src/core/journal/fold.ts',
    find: '      startOver(draft, record.plan, record);',
    replace: '      void startOver;',
    model: HUMAN,
  },
  {
    name: 'suspended_sessions: agents keep running while the plan is suspended',
    file: 'src/core/rules/react.ts',
    find: 'return entry?.status === WORKING && isLive(run) && run.attempt',
    replace: 'return isLive(run) && run.attempt',
    model: HUMAN,
  },
  {
    name: 'suspended_acts: a person continues a run whose plan is suspended',
    file: 'src/core/rules/run/act.ts',
    find: "if (!ANY_TIME.includes(act) && entry.status !== WORKING && run.state !== 'DONE')",
    replace: "if (!ANY_TIME.includes(act) && entry.status === 'done' && run.state !== 'DONE')",
    model: HUMAN,
  },
  {
    name: 'finish_merge: a plan is finished while something is being merged',
    file: 'src/core/rules/plan/managed-plan.ts',
    find: ' && openTasks(entry).length === 0 && mergingIn(entry) === undefined;',
    replace: ' && openTasks(entry).length === 0 && typeof mergingIn === "function";',
    model: 'seq/narrow/usual+stale',
  },
  {
    name: 'finish_edge: nothing follows when everything is done',
    file: 'src/core/rules/react.ts',
    find: 'mergeNext, launchNext, finish, review]',
    replace: 'mergeNext, launchNext, review].concat(finish.length > 9 ? finish : [])',
    model: HUMAN,
  },
  {
    name: 'rtask_stale: tasks that a review asked for count as stale',
    file: 'src/core/model/tasks.ts',
    find: 'return entry.tasks.filter((task) => !task.stale && !',
    replace: 'return entry.tasks.filter((task) => !task.stale && task.feedback === undefined && !',
    model: HUMAN,
  },
  {
    name: 'reask: a branch that has moved is reviewed at its new commit',
    file: 'src/core/rules/run/verdict.ts',
    find: 'return sendBack({ ...context, by: BY_ENGINE }, movedOn(context, worktree));',
    replace: "return recordStep(context, { moves: [], name: 'advised', change: { pinned: worktree.head } });",
    model: HUMAN,
  },
  {
    name: 'merge_head: the merge takes the branch instead of the pinned commit',
    file: 'src/core/rules/run/merge.ts',
    find: 'pin: run.pinned, tip }',
    replace: "pin: run.head ?? '', tip }",
    model: HUMAN,
  },
  {
    name: 'merge_deadline: a merge that takes too long has failed',
    file: 'src/core/rules/result.ts',
    find: '      if (landed !== null) return merged(context, landed, more);\n',
    replace: '',
    model: HUMAN,
  },
  {
    name: 'merge_patience: a merge that waits for a person has a deadline',
    file: 'src/core/model/deadlines.ts',
    find: '  if (issued !== null && !isHeldUp(run))',
    replace: '  if (issued !== null)',
    model: HUMAN,
  },
  {
    name: 'merge_retold: the reason of a delay is recorded at every retry',
    file: 'src/core/rules/result.ts',
    find: ' || issued.heldUp?.why === why) return IGNORED;',
    replace: ') return IGNORED;',
    model: HUMAN,
  },
  {
    name: 'back_merge: a person sends back a task that is being merged',
    file: 'src/core/rules/run/act.ts',
    find: '      return context.run.issued === null\n        ? backFromMerge',
    replace: "      return context.run.state === 'AWAIT_MERGE'\n        ? backFromMerge",
    model: HUMAN,
  },
  {
    name: 'merge_error: a run that cannot be merged ends in an error at once',
    file: 'src/core/rules/run/end.ts',
    find: "AWAIT_MERGE: ['merge_conflict', 'unrecoverable']",
    replace: "AWAIT_MERGE: ['unrecoverable']",
    model: HUMAN,
  },
  {
    name: 'planning_error: a run that reaches its turn limit in PLANNING ends in an error at once',
    file: 'src/core/rules/run/end.ts',
    find: "PLANNING: ['ask', 'unrecoverable']",
    replace: "PLANNING: ['unrecoverable']",
    model: HUMAN,
  },
  {
    name: 'esc_plain: an agent’s approval counts for an unverified commit',
    file: 'src/core/rules/run/verdict.ts',
    find: "if (by.who === 'agent' && !isCovered)",
    replace: "if (by.who === 'engine' && !isCovered)",
    model: HUMAN,
  },
  {
    name: 'esc_unmarked: an unverified commit is not marked',
    file: 'src/core/rules/run/verify.ts',
    find: 'change: { pinned: head, head, unverified: true, said: null },',
    replace: 'change: { pinned: head, head, said: null },',
    model: HUMAN,
  },
  {
    name: 'stale_pin: a fix is not pinned',
    file: 'src/core/rules/run/verify.ts',
    find: 'change: { pinned: head, head },',
    replace: 'change: { pinned: context.run.pinned ?? head, head },',
    model: HUMAN,
  },
  {
    name: 'task_apart: the task does not move with its run',
    file: 'src/core/rules/run/step.ts',
    find: '  moves.push(...taskMoveTo(context, taskStateOf({ ...run, ...change, state })));\n',
    replace:
      "  if (state !== 'TESTING') moves.push(...taskMoveTo(context, taskStateOf({ ...run, ...change, state })));\n",
    model: HUMAN,
  },
  {
    name: 'no_origin: every answer leads to CODING',
    file: 'src/core/rules/run/answer.ts',
    find: 'moves: [WAY_BACK[origin]],',
    replace: "moves: [WAY_BACK[origin] === 'ask' ? 'ask' : 'resume_coding'],",
    model: HUMAN,
  },
  {
    name: 'plan_unbounded: no turn limit in PLANNING',
    file: 'src/core/rules/run/agent-turns.ts',
    find: 'if (counts.turns >= budgets.turns)',
    replace: 'if (counts.turns >= budgets.turns && counter !== "planning")',
    model: HUMAN,
    states: 20_000,
  },
  {
    name: 'reviewer_nudge: a silent reviewer is asked again without limit',
    file: 'src/core/model/run-status.ts',
    find: "return now === 'lost' || (now === 'silent' && COUNTED[duty.work] === null);",
    replace: "return now === 'lost' && duty.work !== undefined;",
    model: HUMAN,
  },
  {
    name: 'relaunch_uncounted: agents are restarted without limit',
    file: 'src/core/rules/run/react.ts',
    find: 'if (counts.relaunches < world.policy.budgets.relaunches)\n    return startSession(context, duty, { counts: { ...counts, relaunches: counts.relaunches + 1 } });',
    replace: 'if (counts.relaunches < 9) return startSession(context, duty);',
    model: HUMAN,
  },
  {
    name: 'plan_reviewer_uncounted: the plan’s reviewer is restarted without limit',
    file: 'src/core/rules/plan/review.ts',
    find: "  if (present === 'working' || relaunches >= world.policy.budgets.relaunches) return undefined;\n  return startReview(context, relaunches + 1);",
    replace: "  if (present === 'working') return undefined;\n  return startReview(context, relaunches);",
    model: HUMAN,
  },
  {
    name: 'plan_cap: review cycles of the plan without limit',
    file: 'src/core/rules/plan/review.ts',
    find: '  return work.reviewCycles >= world.policy.budgets.reviewCycles;',
    replace: '  return work.reviewCycles > world.policy.budgets.reviewCycles + 9;',
    model: AGENT,
  },
  {
    name: 'no_held: a reverted task is launched again at once',
    file: 'src/core/journal/fold.ts',
    find: '  revert: () => ({ held: true }),\n',
    replace: '',
    model: HUMAN,
  },
  {
    name: 'no_outbox: effects of records do not reach the outbox',
    file: 'src/core/journal/fold.ts',
    find: '  for (const effect of record.effects ?? []) draft.outbox.set(effect.id, effect);\n',
    replace: '',
    model: HUMAN,
  },
  {
    name: 'sentinel_plan: anyone may approve the plan',
    file: 'src/core/rules/plan/review.ts',
    find: 'if (session === null || by.session !== session.id || session.entered !== entry.entered)',
    replace: 'if (session === null)',
    model: 'one/tiny/agent+hostile',
  },
  {
    name: 'agent_acts: an agent causes user-only events',
    file: 'src/core/rules/plan/move.ts',
    find: "if (by.who === 'user') return undefined;",
    replace: "if (by.who === 'user' || isUserOnly(planMachine, event)) return undefined;",
    model: 'one/tiny/agent+hostile',
  },
  {
    name: 'frozen_verify: finished work is verified while cadre is frozen',
    file: 'src/core/rules/run/verify.ts',
    find: 'return context.world.frozen ? {} : {',
    replace: "return context.by.who === 'engine' ? {} : {",
    model: WIDE,
  },
  {
    name: 'frozen_agents: agents are started while cadre is frozen',
    file: 'src/core/rules/run/react.ts',
    find: '(context.world.frozen ? undefined : keepWorking(context))',
    replace: 'keepWorking(context)',
    model: WIDE,
  },
  {
    name: 'frozen_advice: an agent’s report starts the verification while cadre is frozen',
    file: 'src/core/rules/signal/run-signal.ts',
    find: '    return world.frozen\n',
    replace: '    return world.frozen && issues !== undefined\n',
    model: 'one/tiny/both verify+wide',
  },
  {
    name: 'unclean: uncommitted changes are left behind',
    file: 'src/core/rules/run/verify.ts',
    find: '  if (!worktree.clean)',
    replace: '  if (!worktree.clean && worktree.commits > 9)',
    model: WIDE,
  },
  {
    name: 'moved_tip: a verdict on the plan counts although its branch has moved',
    file: 'src/core/rules/plan/review.ts',
    find: '  if (session.tip !== work.tip || ',
    replace: '  if ((session.tip !== work.tip && work.relaunches > 9) || ',
    model: WIDE,
  },
];
