// The commands about findings: what reviews and people want changed.
import { type CommandSpec, NUMBER } from './spec.ts';

const ARGUMENTS = [
  {
    name: 'subject',
    required: true,
    summary: `<plan>#<task>, '#2' (quoted) for task 2 of the active plan, or <plan> for the review of the whole plan`,
  },
  { name: 'ids', required: false, summary: 'The ids of findings: f1,f2 (default: every one that fits)' },
  { name: 'more', required: false, summary: 'The ids, if the number of the task comes before them' },
] as const;

const WHY = [{ flags: '--why <text>', summary: 'Why; it is recorded with the finding' }] as const;

export const FINDINGS: readonly CommandSpec[] = [
  {
    name: 'findings',
    summary: 'List what reviews found and what you demanded',
    arguments: [
      { name: 'subject', required: false, summary: 'A plan or a task: <plan>, <plan>#<task> (default: all)' },
      NUMBER,
    ],
    options: [{ flags: '--all', summary: 'Also those that are settled' }],
    examples: ['cadre findings', 'cadre findings search#2 --all', 'cadre findings search --json'],
    load: () => import('../commands/findings/findings.ts'),
  },
  {
    name: 'finding park',
    summary: 'Leave findings as they are; the review of the whole plan sees them',
    arguments: ARGUMENTS,
    options: WHY,
    examples: ['cadre finding park search#2 f1', 'cadre finding park search#2 --why "not worth another round"'],
    load: () => import('../commands/findings/finding-park.ts'),
  },
  {
    name: 'finding overrule',
    summary: 'Decide that findings do not hold',
    arguments: ARGUMENTS,
    options: WHY,
    examples: ['cadre finding overrule search#2 f1', 'cadre finding overrule search#2 f1 --why "the name is right"'],
    load: () => import('../commands/findings/finding-overrule.ts'),
  },
  {
    name: 'finding confirm',
    summary: 'Confirm that findings are addressed',
    arguments: ARGUMENTS,
    options: WHY,
    examples: ['cadre finding confirm search#2 f3', 'cadre finding confirm search#2 f3 --why "I tried it"'],
    load: () => import('../commands/findings/finding-confirm.ts'),
  },
  {
    name: 'finding plan-holds',
    summary: 'Decide that the plan holds, not the finding that contradicts it',
    arguments: ARGUMENTS,
    options: WHY,
    examples: ['cadre finding plan-holds search#2 f1', 'cadre finding plan-holds search#2 f1 --why "on purpose"'],
    load: () => import('../commands/findings/finding-plan-holds.ts'),
  },
  {
    name: 'finding holds',
    summary: 'Decide that a finding holds, not the plan that it contradicts',
    arguments: ARGUMENTS,
    options: WHY,
    examples: ['cadre finding holds search#2 f1', 'cadre finding holds search#2 f1 --why "the plan is outdated"'],
    load: () => import('../commands/findings/finding-holds.ts'),
  },
];
