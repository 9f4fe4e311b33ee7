// When a signal is refused, and a refused signal as surfaces show it.
import type { RuleRefusal } from '../model/refusal.ts';
import type { World } from '../model/world.ts';

/** Only what a person asks for is refused with these. */
type NotOfSignals =
  | 'unknown-task'
  | 'unknown-session'
  | 'unknown-quarantine'
  | 'already-known'
  | 'no-difference'
  | 'no-file'
  | 'unusable-file'
  | 'blocked'
  | 'frozen'
  | 'paused'
  | 'needs-choice'
  | 'unknown-question'
  | 'unknown-finding'
  | 'edited';

/**
 * When a signal is refused, in about the order in which that is checked. The rules are in `core/rules/signal`, and for
 * verdicts on a whole plan in `core/rules/plan/review.ts`.
 */
export const WHEN_REFUSED: { readonly [code in Exclude<RuleRefusal, NotOfSignals>]: string } = {
  'not-regular': 'It is not a regular file, but a link, a folder, a pipe or a device.',
  'not-ours': 'The file belongs to another user, or has several names.',
  'too-large': 'It is larger than a signal may be.',
  'not-utf8': 'Its text is not valid UTF-8.',
  unreadable: 'It is not a message that this version of cadre understands.',
  'bad-name': 'Its name is not that of a signal, or the plan in it cannot be the name of a plan.',
  'user-only': 'Only a person may decide that: cancelling, approving by command, starting over.',
  source: 'An agent may not do this.',
  'as-file': 'It is a verdict about what cadre builds, dropped as a file: only a command of the reviewer counts.',
  'no-key': 'It does not carry the key that was handed to the program of the session that it claims to come from.',
  'not-holder':
    'It does not come from the session that was started for the present state, or that session was stopped.',
  'not-yours': 'The session works on another plan.',
  'unknown-signal': 'There is no signal of that name.',
  'unknown-plan': 'The plan is not registered, and has no file.',
  role: 'This role may not send it.',
  stale: 'It is about an earlier state or attempt, or a sentinel is older than the session in its worktree.',
  'no-body': 'It needs a body and has none.',
  'bad-review': 'A review could not be read completely; the refusal lists what is wrong with it.',
  'no-verdict': 'A review says nothing about an open finding; the refusal lists which.',
  'bad-report': 'Its report is invalid; the refusal lists what is wrong with it.',
  'not-finished': 'It says that the work is finished, and its report says that it is blocked or needs an answer.',
  'no-run': 'It is about a run, but the task has no run.',
  state: 'It is not possible in the present state of the plan or the run, or the plan is not being built.',
  unclean: 'The worktree has uncommitted changes: those of an implementer that is finished, or those of a reviewer.',
  'no-commit': 'The signal says that the work is finished, but nothing is committed.',
  unchanged: 'Changes were asked for, and nothing was changed.',
  'not-looked': 'The worktree or the branch could not be read.',
  moved: 'The branch is no longer at the commit that was reviewed.',
  incident: 'Somebody else moved a branch of the plan, and a person has not decided about that.',
  'open-tasks': 'The plan has tasks that are not done.',
};

/** As the world holds it. */
export type Quarantined = World['refused'] extends ReadonlyMap<string, infer Kept> ? Kept : never;

export interface RefusedSignalView {
  readonly id: string;
  readonly at: string;
  readonly code: RuleRefusal;
  readonly why: string;
  readonly name: string;
  readonly plan: string | null;
  readonly file: string;
}

export function viewRefused({ id, at, code, why, name, plan, file }: Quarantined): RefusedSignalView {
  return { id, at, code, why, name, plan: plan ?? null, file: file.path };
}
