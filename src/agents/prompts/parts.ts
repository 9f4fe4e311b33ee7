// The sections that prompts share: the plan, the worktree, and what the agent must not touch.
import { oneLine } from '../../text/one-line.ts';
import { quoteForShell } from '../../text/shell.ts';
import type { Assignment, KeptText } from './assignment.ts';
import { titleOf } from './brief.ts';
import { fixedSection, type MaybeSection, type Section } from './prompt.ts';
import { fencedInPart } from './quoting.ts';

/** Who the agent is, and which plan it works on. */
export function openingOf(role: string, { plan, title }: Pick<Assignment, 'plan' | 'title'>): string {
  const name = title === null ? plan : `"${titleOf(title)}" (${plan})`;
  return `${role}\n\nPlan: ${name}`;
}

/** The length of the task's own text, which counts against no limit. */
export function ownText({ brief }: Assignment): number {
  return brief?.task.text.length ?? 0;
}

/** `more`: further lines. */
export function worktreeSection(assignment: Assignment, more: readonly string[] = []): Section {
  const { worktree, branch, base, verify } = assignment;
  const lines = [
    `- Worktree: \`${oneLine(worktree)}\`; you are in it`,
    `- Branch: \`${oneLine(branch)}\`, started from \`${oneLine(base)}\``,
    ...(verify === null ? [] : [`- Verify command: \`${oneLine(quoteForShell(verify))}\``]),
    ...more.map((line) => `- ${line}`),
  ];
  return fixedSection('Worktree and branch', lines.join('\n'));
}

/** Undefined where there is no such text. */
export function keptSection(title: string, how: string, text: KeptText | null, room: number): MaybeSection {
  return text === null ? undefined : fixedSection(title, `${how}\n\n${fencedInPart(text, room)}`);
}

/** What the agent may write: an implementer code, a planner the plan file or a document, a reviewer or an architect nothing. */
export type WriteAccess = 'code' | 'plan' | 'document' | 'none';

/** `file`: the plan file, where that is not the one in the worktree. */
export function neverTouchSection(
  assignment: Pick<Assignment, 'plan'>,
  access: WriteAccess,
  file = `docs/plans/${assignment.plan}`,
): Section {
  const plan = `\`${oneLine(file)}\``;
  const files: { readonly [access in WriteAccess]: readonly string[] } = {
    code: [`${plan}: the plan is not yours to change`],
    plan: [`any file except ${plan}`],
    document: ['any file except the document named above: you plan, and build nothing', `${plan}: cadre writes it`],
    none: ['any file of the project: you only read, and change nothing', `${plan}: the plan is not yours to change`],
  };
  const all = [
    ...files[access],
    '`docs/plans/plan-state.json`: cadre writes it',
    'any file in `docs/plans/.signals/` that is not named above',
    `\`~/.cadre\` and everything else outside the worktree${access === 'plan' ? ', apart from the plan file' : ''}; you may read the files named in this prompt`,
    BRANCHES[access],
  ];
  return fixedSection('Never touch', all.map((item) => `- ${item}`).join('\n'));
}

const OWN_BRANCH =
  '`git push`, and every branch but the one named above: do not switch branches, and do not change another branch';

const BRANCHES: { readonly [access in WriteAccess]: string } = {
  code: OWN_BRANCH,
  none: OWN_BRANCH,
  plan: OWN_BRANCH.replace('the one named above', 'that of your worktree'),
  document: '`git commit`, `git push`, and every branch',
};

/** Every agent may run this command without asking. */
export function diffCommand({ cadre, plan, brief }: Assignment): string {
  return oneLine(quoteForShell([...cadre, 'diff', plan, ...(brief === null ? [] : [brief.task.address])]));
}
