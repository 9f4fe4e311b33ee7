// What a person can do next, as data. Each surface shows it in its own way: a command, a key, a button.

/** Everything a person can do to a plan, a task, a session, the engine or the settings. */
export type ActionName =
  | 'run'
  | 'register'
  | 'use'
  | 'plan-import'
  | 'move'
  | 'cancel'
  | 'reopen'
  | 'start-over'
  | 'adopt'
  | 'land'
  | 'incident-restore'
  | 'incident-take'
  | 'worktree-restore'
  | 'plan-new'
  | 'plan-answer'
  | 'plan-continue'
  | 'plan-settle'
  | 'plan-redo'
  | 'plan-approve'
  | 'plan-archive'
  | 'plan-unarchive'
  | 'freeze'
  | 'thaw'
  | 'pause'
  | 'resume'
  | 'launch'
  | 'retry'
  | 'revert'
  | 'mark-done'
  | 'next'
  | 'back'
  | 'approve'
  | 'override'
  | 'reject'
  | 'abandon'
  | 'answer'
  | 'merge-anyway'
  | 'finding-park'
  | 'finding-overrule'
  | 'finding-confirm'
  | 'finding-plan-holds'
  | 'finding-holds'
  | 'session-new'
  | 'session-switch'
  | 'session-resume'
  | 'session-stop'
  | 'session-pause'
  | 'session-send'
  | 'quarantine-retry'
  | 'quarantine-drop'
  | 'quarantine-drop-all'
  | 'engine-start'
  | 'engine-stop'
  | 'config-set'
  | 'config-accept'
  | 'use-journal'
  | 'repair'
  | 'restore'
  | 'gc';

/** Everything a person can look at, and an action in another form. */
export type ReadName =
  | 'status'
  | 'why'
  | 'log'
  | 'questions'
  | 'findings'
  | 'incident'
  | 'diff'
  | 'plan-lint'
  | 'plan-transcript'
  | 'quarantine'
  | 'kept'
  | 'session-list'
  | 'session-screen'
  | 'session-attach'
  | 'engine-status'
  | 'config-show'
  | 'config-check'
  | 'doctor'
  | 'config-set-project';

export interface Suggestion {
  readonly do: ActionName | ReadName;
  /** What it is done to, as a person names it: `search`, `search#2`, `s7`. */
  readonly on?: string;
  /** What has to be said with it, such as the answer to a question. A missing one is the person's to fill in. */
  readonly text?: string;
}

export function suggest(action: Suggestion['do'], on?: string, text?: string): Suggestion {
  // Without spread objects, which V8 takes many times as long for: a list of plans has thousands of these.
  if (text !== undefined) return on === undefined ? { do: action, text } : { do: action, on, text };
  return on === undefined ? { do: action } : { do: action, on };
}
