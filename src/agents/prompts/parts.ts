// The parts that prompts share: the plan, the task, the worktree, and what the agent must not touch.
import { oneLine } from '../../text/one-line.ts';
import { quoteForShell } from '../../text/shell.ts';
import type { Assignment } from './assignment.ts';
import { fenced } from './quoting.ts';

/** Each part is one or more paragraphs; empty parts are dropped. */
export function joinParts(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

export function planPart(assignment: Assignment): string {
  const title = assignment.title === null ? assignment.plan : `"${oneLine(assignment.title)}" (${assignment.plan})`;
  return assignment.goal === null ? `Plan: ${title}` : `Plan: ${title}\nGoal: ${oneLine(assignment.goal)}`;
}

export function taskPart(assignment: Assignment): string {
  if (assignment.task === null) return '';
  const { address, name, text } = assignment.task;
  return `## Task ${oneLine(address)}: ${oneLine(name)}\n\nThe task, exactly as written in the plan:\n\n${fenced(text)}`;
}

export function worktreePart(assignment: Assignment): string {
  const lines = [
    `- Worktree: \`${oneLine(assignment.worktree)}\``,
    `- Branch: \`${oneLine(assignment.branch)}\`, started from \`${oneLine(assignment.base)}\``,
    ...(assignment.verify === null ? [] : [`- Verify command: \`${oneLine(quoteForShell(assignment.verify))}\``]),
  ];
  return `## Worktree and branch\n\n${lines.join('\n')}`;
}

/** What the agent may write: an implementer code, a planner the plan file, a reviewer or an architect nothing. */
export type WriteAccess = 'code' | 'plan' | 'none';

export function neverTouchPart(assignment: Assignment, access: WriteAccess): string {
  const plan = `\`docs/plans/${assignment.plan}\``;
  const files: { readonly [access in WriteAccess]: readonly string[] } = {
    code: [`${plan}: the plan is not yours to change`],
    plan: [`any file except ${plan}`],
    none: ['any file: you only read, and change nothing', `${plan}: the plan is not yours to change`],
  };
  const all = [
    ...files[access],
    '`docs/plans/plan-state.json`: cadre writes it',
    'any file in `docs/plans/.signals/` that is not named above',
    '`~/.cadre` and everything else outside the worktree; you may read the files named in this prompt',
    '`git push`, and every branch but the one named above: do not switch branches, and do not change another branch',
  ];
  return `## Never touch\n\n${all.map((item) => `- ${item}`).join('\n')}`;
}
