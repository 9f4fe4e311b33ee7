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
const BRANCH = 'one/least/usual+branch';
const LINK = 'one/least/usual+link';
const PAUSE = 'one/tiny/usual+pause';
const MANUAL = 'one/tiny/usual+manual';
const WORKSHOP = 'workshop/least';

const GENERAL: readonly Mutant[] = [
  {
    name: 'spec_approve: the first approval ends the review',
    file: 'src/core/rules/run/verdict.ts',
    find: "return context.run.stage === 'quality' ? approveQuality(context, along) : approveSpec(context, along);",
    replace: 'return context.run.advised ? approveSpec(context, along) : approveQuality(context, along);',
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
    find: "          { of: 'run', plan: entry.plan, task: task.id, change: null },\n          ...marked,",
    replace: '          ...marked,',
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
    find: 'return entry.status === WORKING && isLive(run) && run.attempt',
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
    find: '  launchNext,\n  finish,\n  review,\n]',
    replace: '  launchNext,\n  review,\n].concat(finish.length > 9 ? finish : [])',
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
    find: "if (by.who !== 'user' && !isCovered)",
    replace: "if (by.who === 'engine' && run.override === '' && !isCovered)",
    model: HUMAN,
  },
  {
    name: 'esc_unmarked: an unverified commit is not marked',
    file: 'src/core/rules/run/verify.ts',
    find: 'change: { ...finishedAt(context, worktree), unverified: true, said: null, ',
    replace: 'change: { ...finishedAt(context, worktree), said: null, ',
    model: HUMAN,
  },
  {
    name: 'stale_pin: a fix is not pinned',
    file: 'src/core/rules/run/verify.ts',
    find: '  return { pinned: head, head, unchanged: 0, ',
    replace: '  return { pinned: run.pinned ?? head, head, unchanged: 0, ',
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
    name: 'no_key: a message counts as sent by the session whose box it is in',
    file: 'src/core/rules/signal/run-signal.ts',
    find: '  if (speaker.keyed !== true || signal.keyOf === speaker.id) return undefined;',
    replace: '  if (speaker.keyed === true) return undefined;',
    model: 'one/tiny/agent+hostile',
  },
  {
    name: 'any_key: the key of any session will do',
    file: 'src/core/rules/signal/run-signal.ts',
    find: '  if (speaker.keyed !== true || signal.keyOf === speaker.id) return undefined;',
    replace: '  if (speaker.keyed !== true || signal.keyOf !== undefined) return undefined;',
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
    find: '  if (!mayIssue(context.world, context.entry)) return {};\n',
    replace: "  if (context.by.who === 'engine' && !mayIssue(context.world, context.entry)) return {};\n",
    model: WIDE,
  },
  {
    name: 'frozen_agents: agents are started while cadre is frozen',
    file: 'src/core/rules/run/react.ts',
    find: '(mayIssue(context.world, context.entry) ? keepWorking(context) : undefined)',
    replace: '(mayIssue.length > 0 ? keepWorking(context) : undefined)',
    model: WIDE,
  },
  {
    name: 'frozen_advice: an agent’s report starts the verification while cadre is frozen',
    file: 'src/core/rules/signal/run-signal.ts',
    find: '    return mayIssue(world, context.entry)\n',
    replace: '    return mayIssue(world, context.entry) || issues === undefined\n',
    model: 'one/tiny/both verify+wide',
  },
  {
    name: 'refused_text: an agent is restarted when text of a person does not reach it',
    file: 'src/core/rules/session/session.ts',
    find: ' && news.reminder === true && news.problem !== null',
    replace: ' && news.problem !== null',
    model: WIDE,
  },
  {
    name: 'half_saved: a file without task headings replaces the tasks of a plan',
    file: 'src/core/rules/plan/outline.ts',
    find: '  if (whyNotYet(entry, event.outline) !== undefined) return IGNORED;\n',
    replace: '',
    model: WIDE,
  },
  {
    name: 'unclean: uncommitted changes are left behind',
    file: 'src/core/rules/run/verify.ts',
    find: '  if (!worktree.clean)',
    replace: '  if (!worktree.clean && worktree.commits > 9)',
    model: WIDE,
  },
  {
    name: 'pause_death: the end of a program that the pause stopped counts as a failure',
    file: 'src/core/rules/session/session.ts',
    find: ' || isOwnDoing(entry, event.news)) return IGNORED;',
    replace: ') return IGNORED;',
    model: PAUSE,
  },
  {
    name: 'pause_recount: the turn that continues after a pause is counted again',
    file: 'src/core/rules/run/react.ts',
    find: "  if (present === 'interrupted') return startSession(context, duty);\n",
    replace: '',
    model: PAUSE,
  },
  {
    name: 'pause_relaunch: an agent that continues after a pause was restarted',
    file: 'src/core/rules/run/react.ts',
    find: "  if (present === 'interrupted') return startSession(context, duty);\n",
    replace: "  if (present === 'interrupted') return recover(context, duty);\n",
    model: 'one/brief/agent+pause',
  },
  {
    name: 'pause_alive: a pause only keeps new agents from starting',
    file: 'src/core/rules/react.ts',
    find: '  if (isPaused(world, entry)) return false;\n',
    replace: '',
    model: PAUSE,
  },
  {
    name: 'pause_merge: a merge that was issued goes ahead during a pause',
    file: 'src/core/rules/pause.ts',
    find: "      isMoving(entry, task.run?.issued?.effect ?? '') ? [] :",
    replace: "      isMoving(entry, task.run?.issued?.effect ?? '') || task.attempts > 0 ? [] :",
    model: PAUSE,
  },
  {
    name: 'attempt_kept: a merge that is withdrawn costs its attempt',
    file: 'src/core/rules/run/merge.ts',
    find: 'mergeAttempts: run.counts.mergeAttempts - 1 };',
    replace: 'mergeAttempts: run.counts.mergeAttempts };',
    model: PAUSE,
  },
  {
    name: 'landed_withdrawn: a pause withdraws a merge that may be on the branch',
    file: 'src/core/rules/pause.ts',
    find: "      isMoving(entry, task.run?.issued?.effect ?? '') ? [] :",
    replace: '      isMoving(entry, task.id) ? [] :',
    model: PAUSE,
  },
  {
    name: 'pause_one: a pause of one plan does not keep cadre from issuing',
    file: 'src/core/model/stops.ts',
    find: '  if (entry.paused) return',
    replace: '  if (entry.paused && world.paused) return',
    model: PAUSE,
  },
  {
    name: 'wait_session: an agent keeps running while a person has the next step',
    file: 'src/core/rules/react.ts',
    find: '  return !isBehind && !waitsForPerson(world, task.run, task);',
    replace: '  return !isBehind && (task.stale || waitsForPerson.length > 0);',
    model: HUMAN,
  },
  {
    name: 'wait_advised: the reviewer of an unverified commit keeps working after its advice',
    file: 'src/core/model/run-status.ts',
    find: '      return run.advised || reviewIsPersons(run, policy, task);',
    replace: '      return reviewIsPersons(run, policy, task);',
    model: AGENT,
  },
  {
    name: 'wait_halted: a halted agent keeps running',
    file: 'src/core/model/run-status.ts',
    find: ' || isHeldUp(run) || isHalted(run, policy, sessions, task)) return true;',
    replace: ' || isHeldUp(run)) return true;',
    model: AGENT,
  },
  {
    name: 'wait_reviewer: the reviewer of a plan keeps working when only a person can decide',
    file: 'src/core/rules/react.ts',
    find: '  if (session.reviews) return !reviewWaitsForPerson(world, entry);',
    replace: '  if (session.reviews) return reviewWaitsForPerson.length > 0;',
    model: AGENT,
  },
  {
    name: 'manual_skip: finished work is verified although a person starts that',
    file: 'src/core/rules/run/verify.ts',
    find: '  if (waitsNext(context).waitsNext) return awaitNext(context, worktree, reported);\n',
    replace: '  void awaitNext;\n',
    model: MANUAL,
  },
  {
    name: 'manual_review: the spec review starts although a person starts it',
    file: 'src/core/rules/run/verify.ts',
    find: 'change: { unverified: false, ...waitsNext(context) } });',
    replace: 'change: { unverified: false } });',
    model: MANUAL,
  },
  {
    name: 'manual_stage: the quality review starts although a person starts it',
    file: 'src/core/rules/run/verdict.ts',
    find: '      ...waitsNext(context),\n    },\n    ...demandsMet(context),',
    replace: '    },\n    ...demandsMet(context),',
    model: MANUAL,
  },
  {
    name: 'manual_merge: an approved task is merged although a person starts that',
    file: 'src/core/rules/run/verdict.ts',
    find: '{ override: run.pinned }), ...waitsNext(context) },',
    replace: '{ override: run.pinned }) },',
    model: MANUAL,
  },
  {
    name: 'manual_queue: a merge that waits for a person is next in the queue',
    file: 'src/core/rules/react.ts',
    find: '      !task.run.waitsNext &&\n',
    replace: '',
    model: MANUAL,
  },
  {
    name: 'wait_turn: an implementer that has finished is given another turn while a person is asked',
    file: 'src/core/model/run-status.ts',
    find: '  return run.waitsNext ? undefined : DUTIES',
    replace: '  return DUTIES',
    model: MANUAL,
  },
  {
    name: 'inc_adopt: the journal follows the branch to a commit that cadre did not make',
    file: 'src/core/rules/plan/incident.ts',
    find: '  return beginIncident(context, seen, base === undefined ? {} : { base });',
    replace: "  return endIncident(context, seen, 'undone', { tip: found, ...(base === undefined ? {} : { base }) });",
    model: BRANCH,
  },
  {
    name: 'inc_attempt: a branch that somebody moved costs a merge attempt',
    file: 'src/core/rules/run/merge.ts',
    find: 'mergeAttempts: run.counts.mergeAttempts - 1 };',
    replace: 'mergeAttempts: run.counts.mergeAttempts };',
    model: BRANCH,
  },
  {
    name: 'inc_merge: a merge that was issued goes ahead during an incident',
    file: 'src/core/rules/plan/incident.ts',
    find: '          ...merges.flatMap((task) => withdrawMerge(entry, task)),\n',
    replace: '          ...merges.slice(9).flatMap((task) => withdrawMerge(entry, task)),\n',
    model: BRANCH,
  },
  {
    name: 'inc_launch: tasks are launched during an incident',
    file: 'src/core/model/stops.ts',
    find: '  return stopOf(world, entry) ?? incidentStop(entry);',
    replace: "  return stopOf(world, entry) ?? (entry.status === 'reviewing' ? incidentStop(entry) : undefined);",
    model: 'par/least/usual+branch',
  },
  {
    name: 'wi_goes_on: the agent keeps working in a worktree whose link was changed',
    file: 'src/core/model/run-status.ts',
    find: 'if (run.incident != null || run.waitsNext',
    replace: 'if (run.waitsNext',
    model: LINK,
  },
  {
    name: 'wi_launch: an agent is started in a worktree whose link was changed',
    file: 'src/core/rules/run/react.ts',
    find: '  if (context.run.incident != null) return undefined;\n',
    replace: '',
    model: LINK,
  },
  {
    name: 'wi_merge: a run is merged although the link of its worktree was changed',
    file: 'src/core/rules/react.ts',
    find: '      task.run.incident == null &&\n',
    replace: '',
    model: LINK,
  },
  {
    name: 'wi_pending: a verification or a merge goes ahead in a worktree whose link was changed',
    file: 'src/core/rules/run/worktree-incident.ts',
    find: 'change: { incident, ...withdrawn(run) },',
    replace: 'change: { incident, ...(run.state === "SETUP" ? withdrawn(run) : {}) },',
    model: LINK,
  },
  {
    name: 'wi_attempt: a changed link costs a merge attempt',
    file: 'src/core/rules/run/worktree-incident.ts',
    find: 'mergeAttempts: counts.mergeAttempts - 1 }',
    replace: 'mergeAttempts: counts.mergeAttempts }',
    model: LINK,
  },
  {
    name: 'wi_heard: a signal from a worktree whose link was changed counts',
    file: 'src/core/rules/signal/run-signal.ts',
    find: 'if (isLive(run) && run.incident != null) return',
    replace: 'if (isLive(run) && run.incident !== null && run.incident?.at === "") return',
    model: LINK,
  },
  {
    name: 'wi_person: a person approves in a worktree whose link was changed',
    file: 'src/core/rules/run/act.ts',
    find: 'if (run.incident != null && NEEDS_WORKTREE.includes(act)) return',
    replace: 'if (run.incident?.at === "" && NEEDS_WORKTREE.includes(act)) return',
    model: LINK,
  },
  {
    name: 'inc_review: the reviewer of the plan continues during an incident',
    file: 'src/core/rules/plan/incident.ts',
    find: ', incident, moving, session: null } },',
    replace: ', incident, moving } },',
    model: BRANCH,
  },
  {
    name: 'inc_approve: a plan is approved although its branch is elsewhere',
    file: 'src/core/rules/plan/review.ts',
    find: '  if (landing.tip !== work.tip)',
    replace: '  if (landing.tip !== work.tip && work.relaunches > 9)',
    model: BRANCH,
  },
  {
    name: 'inc_timeout: an incident that is seen again is over',
    file: 'src/core/rules/plan/incident.ts',
    find: "  if (incident?.of === 'plan-branch' && incident.found === found) return IGNORED;",
    replace:
      "  if (incident?.of === 'plan-branch' && incident.found === found) return endIncident(context, incident, 'undone');",
    model: BRANCH,
  },
  {
    name: 'del_base: a deleted plan branch is created again at the base',
    file: 'src/core/rules/plan/incident.ts',
    find: '  const { expected: to, found: from } = incident;',
    replace:
      '  const [to, from] = [incident.found === null ? (context.work.base?.commit ?? null) : incident.expected, incident.found];',
    model: BRANCH,
  },
  {
    name: 'base_withdrawn: an incident of the base withdraws a merge that may be on the plan branch',
    file: 'src/core/rules/plan/incident.ts',
    find: "  const moving = incident.of === 'plan-branch' ? null : work.moving;",
    replace: "  const moving = incident.of === 'plan-branch' ? null : work.tip === null ? work.moving : null;",
    model: 'one/least/usual+base',
  },
  {
    name: 'inc_race: a branch that was read before cadre moved it counts as moved by somebody else',
    file: 'src/core/rules/plan/incident.ts',
    find: ' || work.tip !== expected) return IGNORED;',
    replace: ') return IGNORED;',
    model: BRANCH,
  },
  {
    name: 'ws_finish: the planner of a workshop ends planning',
    file: 'src/core/rules/plan/move.ts',
    find: "by.who !== 'agent' || !isPlanning(entry)) return undefined;",
    replace: "by.who !== 'engine' || !isPlanning(entry)) return undefined;",
    model: WORKSHOP,
  },
  {
    name: 'ws_hand: planning ends by hand although there is no plan file',
    file: 'src/core/rules/plan/move.ts',
    find: '  if (file === undefined)\n',
    replace: "  if (file === 'none')\n",
    model: WORKSHOP,
  },
  {
    name: 'ws_rounds: rounds are not counted',
    file: 'src/core/journal/fold-workshop.ts',
    find: "move.event === 'next_round' ? before.rounds + 1 : before.rounds",
    replace: "move.event === 'next_round' ? before.rounds : before.rounds",
    model: WORKSHOP,
  },
  {
    name: 'ws_invalid: one more invalid document than allowed',
    file: 'src/core/model/workshop/status.ts',
    find: 'if (invalid >= MOST_INVALID)',
    replace: 'if (invalid > MOST_INVALID)',
    model: WORKSHOP,
  },
  {
    name: 'ws_blocking: a blocking question holds nothing up',
    file: 'src/core/model/workshop/status.ts',
    find: "  if (openBlocking(workshop).length > 0) return 'answers';\n",
    replace: "  if (openBlocking(workshop).length > 9) return 'answers';\n",
    model: WORKSHOP,
  },
  {
    name: 'ws_skip: a blocking question is skipped',
    file: 'src/core/rules/workshop/decide.ts',
    find: '  if (text === null && found.blocking)',
    replace: '  if (text === null && found.blocking && open.length > 9)',
    model: WORKSHOP,
  },
  {
    name: 'ws_open: questions stay open when planning is redone',
    file: 'src/core/rules/workshop/decide.ts',
    find: "{ ...one, state: 'withdrawn' } : one",
    replace: '{ ...one } : one',
    model: WORKSHOP,
  },
  {
    name: 'ws_document: the plan stays when planning is redone',
    file: 'src/core/rules/workshop/decide.ts',
    find: '      document: null,\n',
    replace: '',
    model: WORKSHOP,
  },
  {
    name: 'ws_round: redo begins with round one',
    file: 'src/core/rules/workshop/decide.ts',
    find: '      rounds: 0,\n      last: null,\n',
    replace: '      rounds: 0,\n      round: 0,\n      last: null,\n',
    model: WORKSHOP,
  },
  {
    name: 'ws_transcript: what was said last replaces what was said before',
    file: 'src/core/journal/fold-workshop.ts',
    find: '[...known.transcript, ...says]',
    replace: 'says',
    model: WORKSHOP,
  },
  {
    name: 'ws_relaunch: a planner is replaced again and again',
    file: 'src/core/rules/workshop/keep.ts',
    find: 'return start(context, duty, relaunches + 1);',
    replace: 'return start(context, duty, relaunches);',
    model: 'workshop/tiny+pause',
  },
  {
    name: 'verify_alive: the implementer continues while its commit is verified',
    file: 'src/core/rules/react.ts',
    find: "  if (task.run.issued?.do === 'verify') return false;\n",
    replace: '',
    model: HUMAN,
  },
  {
    name: 'ws_waits: a silent planner stays while a person is asked',
    file: 'src/core/rules/react.ts',
    find: 'return !isPlanning(entry) || isTheirTurn(world, entry, session);',
    replace: 'return !isPlanning(entry) || isTheirTurn.length > 0;',
    model: WORKSHOP,
  },
  {
    name: 'ws_cancel: the planner continues when the plan is cancelled',
    file: 'src/core/rules/react.ts',
    find: '  if (plans) return isPlanning(entry) && entry.workshop.session?.id === id;',
    replace: '  if (plans) return entry.workshop?.session?.id === id;',
    model: WORKSHOP,
  },
  {
    name: 'ws_pause: a planner is started during a pause',
    file: 'src/core/rules/workshop/keep.ts',
    find: "if (health === 'working' || !mayIssue(world, entry)) return undefined;",
    replace: "if (health === 'working' || mayIssue.length === 0) return undefined;",
    model: 'workshop/tiny+pause',
  },
  {
    name: 'ws_continue: a person lets the planner try again, and nothing happens',
    file: 'src/core/rules/workshop/decide.ts',
    find: 'documents: { change: { invalid: 0 }',
    replace: 'documents: { change: { relaunches: 0 }',
    model: WORKSHOP,
  },
];

/** Naive readings of what findings do. */
const FOUND = 'findings/usual';
const FOUND_AGENT = 'findings/agent';
const REVIEW = 'src/core/rules/run/review.ts';
const FINDINGS_FILE = 'src/core/rules/run/findings.ts';
const FINDING_MODEL = 'src/core/model/review/finding.ts';

const ABOUT_FINDINGS: readonly Mutant[] = [
  {
    name: 'spec_keeps: the spec review stays passed after a fix',
    file: 'src/core/model/run-status.ts',
    find: '  if (pinned === null || looked?.[at] !== pinned) return undefined;',
    replace: '  if (pinned === null || looked?.[at] === undefined) return undefined;',
    model: FOUND,
  },
  {
    name: 'no_rounds: rounds are not counted',
    file: REVIEW,
    find: 'rounds: { ...run.rounds, [stage]: rounds + 1 }',
    replace: 'rounds: { ...run.rounds, [stage]: rounds }',
    model: FOUND,
  },
  {
    name: 'minor_lost: a minor finding is on no list',
    file: REVIEW,
    find: '  const changed = [...judged(task, stage, document, facts), ...found];',
    replace:
      "  const changed = [...judged(task, stage, document, facts), ...found.filter((one) => one.severity !== 'minor')];",
    model: FOUND,
  },
  {
    name: 'moved_drops: a review of a branch that has moved is void with its findings',
    file: REVIEW,
    find: "return sendBackTo(context, run.pinned, worktree, { asked: word === 'changes' ? body : '', findings: found });",
    replace:
      "return sendBackTo(context, run.pinned, worktree, { asked: word === 'changes' ? body : '', findings: [] });",
    model: FOUND,
  },
  {
    name: 'breaker_drop: the last round lets everything pass',
    file: REVIEW,
    find: '>= (world.policy.budgets.reviewRounds ?? MOST_ROUNDS)) return recordStep(context, waits);',
    replace:
      '>= (world.policy.budgets.reviewRounds ?? MOST_ROUNDS)) return passStage(context, { change, findings: changed });',
    model: FOUND,
  },
  {
    name: 'bare_approval: an approval without a word closes everything',
    file: REVIEW,
    find: '  const problems = verdictProblems(task, stage, document);',
    replace:
      "  const problems = body === '' ? [] : verdictProblems(task, stage, document);\n  if (body === '') return passStage(context, {});",
    model: FOUND,
  },
  {
    name: 'con_architect: the policy covers contradictions',
    file: REVIEW,
    find: '  if (blockers.some(isContradiction)) return recordStep(context, waits);',
    replace:
      "  if (blockers.some(isContradiction)) return passStage(context, { change, findings: changed.map((one) => (isContradiction(one) ? { ...one, state: 'overruled', decidedBy: 'architect' } : one)) });",
    model: FOUND_AGENT,
  },
  {
    name: 'reject_forgets: a person who sends the work back forgets what was open',
    file: 'src/core/journal/fold-findings.ts',
    find: '  return [...kept, ...changed.filter(({ id }) => !known.has(id))];',
    replace:
      '  return changed.some(({ demand }) => demand) && !changed.some(({ id }) => known.has(id)) ? changed : [...kept, ...changed.filter(({ id }) => !known.has(id))];',
    model: FOUND,
  },
  {
    name: 'run_owns: findings end with their run',
    file: 'src/core/journal/fold.ts',
    find: '        return after === undefined ? task : { ...task, run: after };',
    replace: '        return after === undefined ? { ...task, findings: [] } : { ...task, run: after };',
    model: FOUND,
  },
  {
    name: 'word_closes: a reviewer’s word closes a demand',
    file: FINDINGS_FILE,
    find: 'const isShown = finding.demand !== true || changed.includes(finding.id);',
    replace: 'const isShown = finding.demand !== undefined || changed.length >= 0;',
    model: FOUND,
  },
  {
    name: 'park_demand: the architect parks a demand',
    file: FINDING_MODEL,
    find: 'return isBlocking(finding) && finding.demand !== true && !isContradiction(finding);',
    replace: 'return isBlocking(finding) && !isContradiction(finding);',
    model: FOUND_AGENT,
  },
  {
    name: 'keep_staff: the reviewer works on while a person decides about its findings',
    file: 'src/core/model/run-status.ts',
    find: '      return run.advised || reviewIsPersons(run, policy, task);',
    replace: '      return run.advised;',
    model: FOUND,
  },
  {
    name: 'no_change_ok: a fix without a change is one',
    file: 'src/core/rules/run/verify.ts',
    find: '  if (unchanged !== undefined) return nothingChanged(context, head, unchanged);',
    replace: '  void nothingChanged;\n  void unchanged;',
    model: FOUND,
  },
  {
    name: 'empty_commit: a commit with the same files counts as another one',
    file: 'src/core/rules/run/verify.ts',
    find: '(commit === head || same.includes(commit));',
    replace: '(commit === head || same.length < 0);',
    model: FOUND,
  },
  {
    name: 'review_again: what was reviewed already is reviewed again',
    file: 'src/core/model/run-status.ts',
    find: '  if (pinned === null || looked?.[at] !== pinned) return undefined;',
    replace:
      "  if (pinned === null || looked?.[at] !== pinned || looked.spec === '') return undefined;\n  if (blockersOfStage(at, of).length === 0) return undefined;",
    model: FOUND,
  },
  {
    name: 'merge_blocked: findings of the other review do not keep the work from being merged',
    file: FINDING_MODEL,
    find: "  if (stage === 'quality') return blocking;",
    replace:
      "  if (stage === 'quality') return blocking.filter(({ foundBy, demand }) => foundBy === 'quality' && !demand);",
    model: FOUND,
  },
  {
    name: 'approve_silently: a person’s approval leaves findings open',
    file: 'src/core/rules/run/verdict.ts',
    find: '  return passStage(context, overruled(context));',
    replace: '  void overruled;\n  return passStage(context, {});',
    model: FOUND,
  },
  {
    name: 'architect_more: what the architect leaves open starts another round',
    file: 'src/core/rules/run/ruling.ts',
    find: "    moves: [],\n    name: 'findings_ruled',\n    cause: text,\n    change: { ruled: true },",
    replace:
      "    moves: parked.length === 0 ? ['changes'] : [],\n    name: 'findings_ruled',\n    cause: text,\n    change: { ruled: true, ...(parked.length === 0 ? { counts: { ...run.counts, fixing: 0 } } : {}) },",
    model: FOUND_AGENT,
  },
];

/** Naive readings of what the review of a whole plan finds. */
const OF_PLAN = 'plan findings/usual';
const PLAN_FINDINGS_FILE = 'src/core/rules/plan/plan-findings.ts';

const ABOUT_PLANS: readonly Mutant[] = [
  {
    name: 'plan_forget: what an earlier review of the plan found is closed by the task that it became',
    file: PLAN_FINDINGS_FILE,
    find: 'blockersOfPlan({ findings: changedFindings(entry.findings, findings) });',
    replace: 'blockersOfPlan({ findings: changedFindings([], found) });',
    model: OF_PLAN,
  },
  {
    name: 'plan_bare: an approval of the plan without a verdict closes everything',
    file: PLAN_FINDINGS_FILE,
    find: '  if (problems.length > 0)',
    replace:
      "  if (body === '') return movePlan(world, { plan, by, event: 'review_approved', ...(landing === undefined ? {} : { landing }) }, now, signal);\n  if (problems.length > 0)",
    model: OF_PLAN,
  },
  {
    name: 'plan_word: the word of the plan’s reviewer closes a demand',
    file: FINDINGS_FILE,
    find: 'const isShown = finding.demand !== true || changed.includes(finding.id);',
    replace: 'const isShown = finding.demand !== undefined || changed.length >= 0;',
    model: OF_PLAN,
  },
  {
    name: 'plan_con: the plan’s reviewer decides about what contradicts the plan',
    file: PLAN_FINDINGS_FILE,
    find: "  if (blockers.some(isContradiction)) return waitFor({ ...context, along }, 'contradiction', text);",
    replace:
      "  if (blockers.some(isContradiction)) return accepted(record(context, { event: 'review_waits', plan }, { changes: findingsChange(plan, findings.map((one) => (isContradiction(one) ? { ...one, state: 'overruled', decidedBy: 'reviewer' } : one))), ...(signal === undefined ? {} : { signal }) }));",
    model: OF_PLAN,
  },
  {
    name: 'plan_minor_round: a minor finding sends the plan back',
    file: PLAN_FINDINGS_FILE,
    find: '  if (toChange.length > 0) return movePlan(world, { ...asked,',
    replace: "  if (toChange.length > 0 || found.length > 0) return movePlan(world, { ...asked, feedback: 'f',",
    model: OF_PLAN,
  },
  {
    name: 'plan_minor_lost: a minor finding of the plan’s review is not kept',
    file: PLAN_FINDINGS_FILE,
    find: '{ pinned: work.tip, changed }), ...found];',
    replace: "{ pinned: work.tip, changed }), ...found.filter(({ severity }) => severity !== 'minor')];",
    model: OF_PLAN,
  },
  {
    name: 'list_once: the reviewer was shown the list of before a person’s ruling',
    file: 'src/core/rules/plan/review.ts',
    find: "  return (session.list ?? '') !== listKey(entry);",
    replace: "  return (session.list ?? '') !== listKey(entry) && session.list === 'never';",
    model: OF_PLAN,
  },
  {
    name: 'plan_reject_forgets: what a person who sends a plan back demands is not kept',
    file: 'src/core/rules/plan/managed-plan.ts',
    find: "const demands = feedbackBy === undefined ? personsFindings(context, { demands: feedback ?? '' }) : [];",
    replace: "const demands = personsFindings(context, { demands: '' });",
    model: OF_PLAN,
  },
  {
    name: 'plan_approve_silently: a person’s approval leaves findings of the plan open',
    file: 'src/core/rules/plan/managed-plan.ts',
    find: '      ...personsFindings(context, { approves: true }),\n',
    replace: '',
    model: OF_PLAN,
  },
];

/** Naive readings of rounds and of turns. */
const ABOUT_ROUNDS: readonly Mutant[] = [
  {
    name: 'minor_round: a minor finding starts a round',
    file: REVIEW,
    find: '  if (toChange.length > 0) {',
    replace: "  if (toChange.length > 0 || changed.some(({ state }) => state === 'deferred')) {",
    model: FOUND,
  },
  {
    name: 'no_reset: turns for fixing count over all rounds',
    file: 'src/core/rules/run/to-fix.ts',
    find: '  return { counts: { ...counts, fixing: 0 } };',
    replace: '  return { counts };',
    model: 'findings/narrow/escalation',
  },
  {
    name: 'issue_once: a verification is issued with the move only',
    file: 'src/core/rules/run/react.ts',
    find: "  if (duty === undefined) return run.state === 'TESTING' && run.issued === null ? startVerify(context) : undefined;",
    replace: '  void startVerify;\n  if (duty === undefined) return undefined;',
    model: 'one/tiny/usual+pause',
  },
];

export const MUTANTS: readonly Mutant[] = [...GENERAL, ...ABOUT_FINDINGS, ...ABOUT_PLANS, ...ABOUT_ROUNDS];
