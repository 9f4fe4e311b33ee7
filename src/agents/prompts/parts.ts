// The parts that prompts have in common: what the work is, where it is, and what is not to be touched.
import { oneLine } from '../../text/one-line.ts';
import { quoteForShell } from '../../text/shell.ts';
import type { Assignment } from './assignment.ts';
import { fenced } from './quoting.ts';

/** Each part is a paragraph or more; one that is empty is left out. */
export function joinParts(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

export function planPart(assignment: Assignment): string {
  const title = assignment.title === null ? assignment.plan : `"${oneLine(assignment.title)}" (${assignment.plan})`;
  return assignment.goal === null
    ? `The plan: ${title}.`
    : `The plan: ${title}.\nIts goal: ${oneLine(assignment.goal)}`;
}

export function taskPart(assignment: Assignment): string {
  if (assignment.task === null) return '';
  const { address, name, text } = assignment.task;
  return `## Task ${oneLine(address)}: ${oneLine(name)}\n\nThis is the task as the plan has it:\n\n${fenced(text)}`;
}

export function worktreePart(assignment: Assignment): string {
  const lines = [
    `- Worktree: \`${oneLine(assignment.worktree)}\``,
    `- Branch: \`${oneLine(assignment.branch)}\`, begun from \`${oneLine(assignment.base)}\``,
    ...(assignment.verify === null ? [] : [`- Verified with: \`${oneLine(quoteForShell(assignment.verify))}\``]),
  ];
  return `## Where it is\n\n${lines.join('\n')}`;
}

/** Who may change what. A planner writes the plan's file, a reviewer writes nothing. */
export type WriteAccess = 'code' | 'plan' | 'none';

export function neverTouchPart(assignment: Assignment, access: WriteAccess): string {
  const plan = `\`docs/plans/${assignment.plan}\``;
  const files: Readonly<Record<WriteAccess, readonly string[]>> = {
    code: [`${plan}: the plan is not yours to change`],
    plan: [`any file but ${plan}`],
    none: ['any file at all: you look, and change nothing', `${plan}: the plan is not yours to change`],
  };
  const all = [
    ...files[access],
    '`docs/plans/plan-state.json`: cadre writes it',
    'any file in `docs/plans/.signals/` that is not named above',
    '`~/.cadre`, and whatever else lies outside the worktree; what is named here may be read',
    '`git push`, and every branch but the one named above: do not switch to another, and do not change it',
  ];
  return `## Never touch\n\n${all.map((item) => `- ${item}`).join('\n')}`;
}
