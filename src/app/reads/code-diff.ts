// What a run, or a whole plan, has changed in the code.

import { branchOfRun } from '../../core/model/run-name.ts';
import type { SessionEntry } from '../../core/model/session.ts';
import { suggest } from '../../core/model/suggestion.ts';
import type { PlanEntry, TaskEntry } from '../../core/model/world.ts';
import type { ChangedFile, CommitLine, CommitRange, ShowingProgram } from '../../core/ports/changes.ts';
import { rewritesIn } from '../../core/views/run.ts';
import { slugOf } from '../../plan/name.ts';
import { type Refused, refuse } from '../actions/action.ts';
import type { AppPorts, ShownChanges } from '../ports.ts';
import { type Subject, subjectNamed } from '../targets.ts';
import { currentWorld, known } from './world.ts';

export type DiffForm = 'patch' | 'stat';

export interface CodeDiff {
  readonly kind: 'diff';
  /** The plan or task that it is of. */
  readonly of: string;
  readonly span: CommitRange;
  /** The worktree has uncommitted changes, which are not part of the diff. */
  readonly hasUncommitted: boolean;
  /** Files of the verify command itself among the changes. */
  readonly rewrites: readonly string[];
  files(): Promise<readonly ChangedFile[]>;
  /** Newest first. */
  commits(): Promise<readonly CommitLine[]>;
  text(form: DiffForm): Promise<string>;
  /** The program that shows it in a terminal, with a pager. */
  command(form: DiffForm): Promise<ShowingProgram>;
}

export async function readCodeDiff(ports: AppPorts, reference: string | undefined): Promise<CodeDiff | Refused> {
  const subject = subjectNamed(await known(ports, reference), reference);
  return diffOf(ports, subject);
}

/** What the agent of a session has changed: the task's run where it works on one, else its own branch. */
export async function readSessionDiff(ports: AppPorts, entry: SessionEntry): Promise<CodeDiff | Refused> {
  const { world } = await currentWorld(ports, () => []);
  const plan = entry.plan === undefined ? undefined : world.plans.get(entry.plan);
  const task = plan?.tasks.find(({ id }) => id === entry.task);
  if (plan !== undefined) return diffOf(ports, { world, entry: plan, ...(task === undefined ? {} : { task }) });
  const span = await (await ports.changes()).ofBranch(entry.branch, entry.from);
  if (span === undefined) return refuse('no-branch', `${entry.id} has no branch, so there are no changes to show.`);
  return shown(await ports.changes(), { of: entry.id, span, hasUncommitted: false, rewrites: [] });
}

async function diffOf(ports: AppPorts, subject: Subject): Promise<CodeDiff | Refused> {
  const { entry, task } = subject;
  const of = task === undefined ? entry.plan : `${entry.plan}#${task.address}`;
  if (task !== undefined && task.attempts === 0)
    return refuse('no-run', `${of} has not been launched yet, so it has changed nothing.`, {
      try: [suggest('launch', `${slugOf(entry.plan)}#${task.address}`)],
    });
  const changes = await ports.changes();
  const span = await spanOf(ports, subject);
  if (span === undefined) return refuse('no-branch', `${of} has no branch, so there are no changes to show.`);
  return shown(changes, {
    of,
    span,
    hasUncommitted: task !== undefined && !span.merged && (await hasUncommitted(ports, entry, task)),
    rewrites: rewritesIn(task === undefined ? entry.tasks : [task]),
  });
}

/** The changes of a range, to be read in several forms. */
export function shown(
  changes: ShownChanges,
  about: Pick<CodeDiff, 'of' | 'span' | 'hasUncommitted' | 'rewrites'>,
): CodeDiff {
  const { span } = about;
  return {
    kind: 'diff',
    ...about,
    commits: () => changes.commits(span),
    files: () => changes.files(span),
    text: (form) => changes.text(span, form),
    command: (form) => changes.command(span, form, changes.colour),
  };
}

/** Of the present run, or of the last one. */
async function spanOf(ports: AppPorts, { entry, task }: Subject): Promise<CommitRange | undefined> {
  const changes = await ports.changes();
  if (task === undefined) return changes.ofPlan(entry.plan, entry.work?.base?.branch);
  const branch = task.run?.branch ?? branchOfRun(entry.plan, { task: task.id, attempt: task.attempts });
  const merged = task.run?.merged ?? null;
  return changes.ofRun(entry.plan, { branch, merged });
}

async function hasUncommitted({ facts }: AppPorts, { plan }: PlanEntry, { run }: TaskEntry): Promise<boolean> {
  return run !== undefined && (await facts.ofWorktree(plan, run))?.clean === false;
}
