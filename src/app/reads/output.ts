// What the commands of a run printed: its verifications, and its setup command.
import { MERGED_TREE, type Tree, treeOfBranch } from '../../core/model/run-name.ts';
import { suggest } from '../../core/model/suggestion.ts';
import { slugOf } from '../../plan/name.ts';
import { type Refused, refuse } from '../actions/action.ts';
import type { AppPorts } from '../ports.ts';
import { type Subject, subjectNamed } from '../targets.ts';
import { known } from './world.ts';

export interface CommandOutput {
  readonly kind: 'output';
  /** As a person names it. */
  readonly of: string;
  readonly path: string;
  /** When the command wrote to it last. */
  readonly at: string;
  readonly text: string;
}

export type OutputKind = 'verification' | 'setup';

export async function readOutput(
  ports: AppPorts,
  reference: string | undefined,
  kind: OutputKind,
): Promise<CommandOutput | Refused> {
  const subject = subjectNamed(await known(ports, reference), reference);
  const of = `${slugOf(subject.entry.plan)}${subject.task === undefined ? '' : `#${subject.task.address}`}`;
  const tree = treeOf(subject);
  const found = tree === undefined ? undefined : ports.runPaths.lastOutput(tree, kind);
  if (found === undefined)
    return refuse('no-output', `${of} has no ${kind === 'setup' ? 'setup' : 'verification'} output yet.`, {
      try: [suggest('why', of)],
    });
  return { kind: 'output', of, path: found.path, at: found.at, text: ports.repository.readText(found.path) };
}

/** Where its commands run: the worktree of its last run, or of a plan the one for merged work. */
export function treeOf({ entry, task }: Subject): Tree | undefined {
  if (task === undefined) return { plan: entry.plan, name: MERGED_TREE };
  const branch = task.run?.branch;
  return branch === undefined ? undefined : treeOfBranch(entry.plan, branch);
}
