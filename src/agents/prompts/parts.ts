// The parts that prompts have in common: what the work is, where it is, and what is not to be touched.
import { oneLine } from '../../text/one-line.ts';
import { quoteForShell } from '../../text/shell.ts';
import { asTask } from './said.ts';
import type { Work } from './work.ts';

/** Each part is a paragraph or more; one that is empty is left out. */
export function together(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

export function aboutThePlan(work: Work): string {
  const title = work.title === null ? work.plan : `"${oneLine(work.title)}" (${work.plan})`;
  return work.goal === null ? `The plan: ${title}.` : `The plan: ${title}.\nIts goal: ${oneLine(work.goal)}`;
}

export function aboutTheTask(work: Work): string {
  if (work.task === null) return '';
  const { address, name, text } = work.task;
  return `## Task ${oneLine(address)}: ${oneLine(name)}\n\nThis is the task as the plan has it:\n\n${asTask(text)}`;
}

export function aboutThePlace(work: Work): string {
  const lines = [
    `- Worktree: \`${oneLine(work.worktree)}\``,
    `- Branch: \`${oneLine(work.branch)}\`, begun from \`${oneLine(work.base)}\``,
    ...(work.verify === null ? [] : [`- Verified with: \`${oneLine(quoteForShell(work.verify))}\``]),
  ];
  return `## Where it is\n\n${lines.join('\n')}`;
}

/** Who may change what. A planner writes the plan's file, a reviewer writes nothing. */
export type Hands = 'code' | 'plan' | 'none';

export function neverTouch(work: Work, hands: Hands): string {
  const plan = `\`docs/plans/${work.plan}\``;
  const files: Readonly<Record<Hands, readonly string[]>> = {
    code: [`${plan}: the plan is not yours to change`],
    plan: [`any file but ${plan}`],
    none: ['any file at all: you look, and change nothing', `${plan}: the plan is not yours to change`],
  };
  const all = [
    ...files[hands],
    '`docs/plans/plan-state.json`: cadre writes it',
    'any file in `docs/plans/.signals/` that is not named above',
    '`~/.cadre`, and whatever else lies outside the worktree; what is named here may be read',
    '`git push`, and every branch but the one named above: do not switch to another, and do not change it',
  ];
  return `## Never touch\n\n${all.map((item) => `- ${item}`).join('\n')}`;
}
