// The parts that prompts share: the plan, the task, the worktree, and what the agent must not touch.
import { oneLine } from '../../text/one-line.ts';
import { quoteForShell } from '../../text/shell.ts';
import type { Assignment } from './assignment.ts';
import { fenced, fencedInPart, instructionBlock } from './quoting.ts';

/** Each part is one or more paragraphs; empty parts are dropped. */
export function joinParts(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The plan's title, and what it says besides its tasks, which holds for each of them. */
export function planPart(assignment: Pick<Assignment, 'plan' | 'title' | 'about'>): string {
  const { plan, title, about } = assignment;
  const line = title === null ? `Plan: ${plan}` : `Plan: "${cut(oneLine(title), LONGEST_TITLE)}" (${plan})`;
  if (about === null) return line;
  return `${line}\n\n## The plan\n\nWhat the plan says besides its tasks. It holds for every task:\n\n${fencedInPart(about, ABOUT_ROOM)}`;
}

const ABOUT_ROOM = 2_000;
const LONGEST_TITLE = 200;

/** The task's own text, and what was decided about it since. */
export function taskPart(assignment: Assignment): string {
  const { task } = assignment;
  if (task === null) return '';
  const { address, name, text, author } = task;
  const how = author === null ? 'The task, exactly as written in the plan:' : `The task, as ${author} wrote it:`;
  const heading = `## Task ${oneLine(address)}: ${cut(oneLine(name), LONGEST_TITLE)}`;
  return [heading, how, fenced(text), ...decisionParts(assignment)].join('\n\n');
}

/** Also in the prompts of reviewers: what a person demands is part of what they check. */
export function decisionParts({ decisions }: Assignment): readonly string[] {
  if (decisions === null) return [];
  const how =
    'This belongs to the task. Where it differs from the text of the task, it counts; of two decisions, the later one.';
  return ['## Decided since the plan was written', instructionBlock(how, decisions, DECISIONS_ROOM)];
}

const DECISIONS_ROOM = 1_500;

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

export function worktreePart(assignment: Assignment): string {
  const lines = [
    `- Worktree: \`${oneLine(assignment.worktree)}\``,
    `- Branch: \`${oneLine(assignment.branch)}\`, started from \`${oneLine(assignment.base)}\``,
    ...(assignment.verify === null ? [] : [`- Verify command: \`${oneLine(quoteForShell(assignment.verify))}\``]),
  ];
  return `## Worktree and branch\n\n${lines.join('\n')}`;
}

/** What the agent may write: an implementer code, a planner the plan file or a document, a reviewer or an architect nothing. */
export type WriteAccess = 'code' | 'plan' | 'document' | 'none';

/** `file`: the plan file, where that is not the one in the worktree. */
export function neverTouchPart(
  assignment: Pick<Assignment, 'plan'>,
  access: WriteAccess,
  file = `docs/plans/${assignment.plan}`,
): string {
  const plan = `\`${oneLine(file)}\``;
  const files: { readonly [access in WriteAccess]: readonly string[] } = {
    code: [`${plan}: the plan is not yours to change`],
    plan: [`any file except ${plan}`],
    document: ['any file except the document named above: you plan, and build nothing', `${plan}: cadre writes it`],
    none: ['any file: you only read, and change nothing', `${plan}: the plan is not yours to change`],
  };
  const all = [
    ...files[access],
    '`docs/plans/plan-state.json`: cadre writes it',
    'any file in `docs/plans/.signals/` that is not named above',
    `\`~/.cadre\` and everything else outside the worktree${access === 'plan' ? ', apart from the plan file' : ''}; you may read the files named in this prompt`,
    BRANCHES[access],
  ];
  return `## Never touch\n\n${all.map((item) => `- ${item}`).join('\n')}`;
}

const OWN_BRANCH =
  '`git push`, and every branch but the one named above: do not switch branches, and do not change another branch';

const BRANCHES: { readonly [access in WriteAccess]: string } = {
  code: OWN_BRANCH,
  none: OWN_BRANCH,
  plan: OWN_BRANCH.replace('the one named above', 'that of your worktree'),
  document: '`git commit`, `git push`, and every branch',
};
