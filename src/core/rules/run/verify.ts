// The step into TESTING, its results, and the escalation past it: each pins the commit that everything after is about.
import { type Decision, refused } from '../../model/decision.ts';
import type { FixReason, RunEntry, WorktreeFacts } from '../../model/run.ts';
import { giveUp } from './end.ts';
import { nameOf, ofRun, type RunContext, type RunStep, recordStep } from './step.ts';

/** The implementer, the engine or a person says that the work is committed. */
export function finishWork(scene: RunContext, worktree: WorktreeFacts | undefined): Decision {
  const no = whyNotFinished(scene, worktree);
  if (no !== undefined || worktree === undefined) return no ?? notLooked(scene);
  const { head } = worktree;
  return recordStep(scene, {
    moves: [scene.run.state === 'FIXING' ? 'fix_done' : 'code_complete'],
    change: { pinned: head, head },
    ...(scene.world.policy.verification === 'engine' ? issueVerify(scene, head) : {}),
  });
}

/** Nothing is begun while cadre is frozen; the thaw catches up. */
function issueVerify(scene: RunContext, pin: string): Pick<RunStep, 'issue'> {
  return scene.world.frozen ? {} : { issue: { do: 'verify', ...ofRun(scene), pin } };
}

/** TESTING in which nothing was begun yet. */
export function beginVerify(scene: RunContext): Decision {
  const { pinned } = scene.run;
  if (pinned === null) throw new Error(`${nameOf(scene)} is in TESTING without a commit.`);
  return recordStep(scene, { moves: [], name: 'verify_begun', issue: { do: 'verify', ...ofRun(scene), pin: pinned } });
}

export function testsPass(scene: RunContext, more: Partial<RunStep> = {}): Decision {
  return recordStep(scene, { ...more, moves: ['tests_pass'], change: { unverified: false } });
}

export function testsFail(scene: RunContext, reason: FixReason, text: string, more: Partial<RunStep> = {}): Decision {
  return recordStep(scene, {
    ...more,
    moves: ['tests_fail'],
    cause: text,
    change: { fixing: { reason, text } },
  });
}

/** A check-in's answer: what is there is reviewed, although it has not passed. */
export function escalate(scene: RunContext, worktree: WorktreeFacts | undefined, text: string): Decision {
  const no = whyNotFinished(scene, worktree);
  if (no !== undefined || worktree === undefined) return no ?? notLooked(scene);
  const { head } = worktree;
  return recordStep(scene, {
    moves: ['escalate'],
    cause: text,
    change: { pinned: head, head, unverified: true, said: null },
  });
}

/** Without a merge the commit goes back to the implementer; with no attempt left, the run ends. */
export function backFromMerge(
  scene: RunContext,
  reason: FixReason,
  text: string,
  more: Partial<RunStep> = {},
): Decision {
  const { counts } = scene.run;
  const change: Partial<RunEntry> = { fixing: { reason, text } };
  if (scene.by.who !== 'user' && counts.mergeAttempts >= scene.world.policy.budgets.mergeAttempts) {
    const why = reason === 'merge_conflict' ? `it conflicts in ${text.split('\n').join(', ')}.` : text;
    return giveUp(scene, `It could not be merged, and no attempt is left: ${why}`, { ...more, change });
  }
  return recordStep(scene, { ...more, moves: ['merge_conflict'], cause: text, change });
}

export function notLooked(scene: Pick<RunContext, 'entry' | 'task'>): Decision {
  return refused(
    'not-looked',
    `Nobody could look into the worktree of ${nameOf(scene)}, so nothing follows from this. Try again.`,
  );
}

/** What of the worktree stands against taking its commit for the work. */
function whyNotFinished(scene: RunContext, worktree: WorktreeFacts | undefined): Decision | undefined {
  const name = nameOf(scene);
  if (worktree === undefined) return notLooked(scene);
  if (!worktree.clean)
    return refused(
      'unclean',
      `The worktree of ${name} has changes that are not committed. Commit them, then say it again.`,
    );
  if (worktree.commits === 0)
    return refused(
      'no-commit',
      `The branch of ${name} has no commit yet, so there is nothing to verify. Commit the work first.`,
    );
  return undefined;
}
