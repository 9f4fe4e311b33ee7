// What a run, or a whole plan, has changed in the code.

import { branchOfRun } from '../../core/model/run-name.ts';
import type { PlanEntry, TaskEntry } from '../../core/model/world.ts';
import type { ChangedFile, CommitRange } from '../../core/ports/changes.ts';
import { type Refused, refuse } from '../actions/action.ts';
import type { AppPorts } from '../ports.ts';
import { type Subject, subjectNamed } from '../targets.ts';
import { known } from './world.ts';

export type DiffForm = 'patch' | 'stat';

export interface CodeDiff {
  readonly kind: 'diff';
  /** The plan or task that it is of. */
  readonly of: string;
  readonly span: CommitRange;
  /** The worktree has uncommitted changes, which are not part of the diff. */
  readonly hasUncommitted: boolean;
  files(): Promise<readonly ChangedFile[]>;
  text(form: DiffForm): Promise<string>;
  /** The command that shows it in a terminal, with a pager. */
  command(form: DiffForm): readonly string[];
}

export async function readCodeDiff(ports: AppPorts, reference: string | undefined): Promise<CodeDiff | Refused> {
  const subject = subjectNamed(await known(ports, reference), reference);
  const { entry, task } = subject;
  const of = task === undefined ? entry.plan : `${entry.plan}#${task.address}`;
  if (task !== undefined && task.attempts === 0)
    return refuse('no-run', `${of} has not been launched yet, so it has changed nothing.`);
  const changes = await ports.changes();
  const span = await spanOf(ports, subject);
  if (span === undefined) return refuse('no-branch', `${of} has no branch, so there are no changes to show.`);
  return {
    kind: 'diff',
    of,
    span,
    hasUncommitted: task !== undefined && !span.merged && (await hasUncommitted(ports, entry, task)),
    files: () => changes.files(span),
    text: (form) => changes.text(span, form),
    command: (form) => changes.command(span, form, changes.colour),
  };
}

/** Of the present run, or of the last one. */
async function spanOf(ports: AppPorts, { entry, task }: Subject): Promise<CommitRange | undefined> {
  const changes = await ports.changes();
  if (task === undefined) return changes.ofPlan(entry.plan);
  const branch = task.run?.branch ?? branchOfRun(entry.plan, { task: task.id, attempt: task.attempts });
  const merged = task.run?.state === 'DONE' ? task.run.pinned : null;
  return changes.ofRun(entry.plan, { branch, merged });
}

async function hasUncommitted({ facts }: AppPorts, { plan }: PlanEntry, { run }: TaskEntry): Promise<boolean> {
  return run !== undefined && (await facts.ofWorktree(plan, run))?.clean === false;
}
