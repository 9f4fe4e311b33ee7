// Commands on tasks and their runs.
import { type ArgumentSpec, type CommandSpec, FEEDBACK, SUBJECT, TASK, YES } from './spec.ts';

/** With a text behind the task. */
const WITH_TEXT: readonly ArgumentSpec[] = [
  ...SUBJECT,
  {
    name: 'text',
    required: false,
    summary: 'The feedback; quote it if it has spaces. Also right behind <plan>#<task>',
  },
];

export const TASKS: readonly CommandSpec[] = [
  {
    name: 'approve',
    summary: "Approve a task's plan, its code, or a whole plan in review",
    arguments: SUBJECT,
    options: [{ flags: '--override', summary: 'Approve even though the commit has not passed verification' }, YES],
    examples: ['cadre approve search#2', 'cadre approve search#2 --override', 'cadre approve search'],
    load: () => import('../commands/tasks/approve.ts'),
  },
  {
    name: 'reject',
    summary: "Send back a task's plan, its code, or a whole plan in review, with feedback",
    arguments: WITH_TEXT,
    options: FEEDBACK,
    examples: ['cadre reject search#2 "the tests are missing"', 'cadre reject search --feedback-file why.md'],
    load: () => import('../commands/tasks/reject.ts'),
  },
  {
    name: 'answer',
    summary: 'Answer the question of a task, or the questions of a planner',
    arguments: [
      { name: 'question', required: false, summary: 'The question, as "cadre questions" lists it: <plan>#<task>' },
      { name: 'text', required: false, summary: 'The answer; quote it if it has spaces' },
      { name: 'more', required: false, summary: 'The answer, if the number of the task comes before it' },
    ],
    options: [
      { flags: '--file <file>', summary: 'Read the answer from a file ("-": standard input)' },
      { flags: '--skip', summary: 'Leave an optional question to the planner' },
    ],
    examples: [
      'cadre answer search#2 "Use the old table."',
      'cadre answer search 2 "Use the old table."',
      'cadre answer search#3 CONTINUE',
      'cadre answer search',
    ],
    more: [
      'With only a plan that is being planned, all its open questions are answered at',
      'once: in your editor, or from --file, each below its name in brackets ([scope]).',
      '',
      'A task that has used up its turns asks how to continue. The first word of the',
      'answer decides; a reason may follow.',
      '',
      '  CONTINUE  as many turns again',
      '  PIVOT     the same, with another approach: say which',
      '  ESCALATE  review what is committed as it is',
      '  ABANDON   end the run',
    ],
    load: () => import('../commands/tasks/answer.ts'),
  },
  {
    name: 'launch',
    summary: 'Launch one task, without running the whole plan',
    arguments: TASK,
    options: [],
    examples: ['cadre launch search#2', "cadre launch '#2'"],
    more: [
      'If the plan is ready, this also starts building it; its other tasks wait until you',
      'launch them, or run the plan.',
    ],
    load: () => import('../commands/tasks/launch.ts'),
  },
  {
    name: 'retry',
    summary: 'Relaunch a failed task, or give a halted run a new agent',
    arguments: TASK,
    options: [],
    examples: ['cadre retry search#2', 'cadre retry search 2'],
    load: () => import('../commands/tasks/retry.ts'),
  },
  {
    name: 'next',
    summary: 'Take the next step of a task: verify what is committed, or start what waits for you',
    arguments: TASK,
    options: [],
    examples: ['cadre next search#2', 'cadre next search 2'],
    load: () => import('../commands/tasks/next.ts'),
  },
  {
    name: 'back',
    summary: 'Send a task back to the implementer',
    arguments: WITH_TEXT,
    options: FEEDBACK,
    examples: ['cadre back search#2', 'cadre back search#2 "the tests are missing"'],
    more: ['Possible during verification, during review, and while the task waits for its', 'merge.'],
    load: () => import('../commands/tasks/back.ts'),
  },
  {
    name: 'abandon',
    summary: 'Abandon the run of a task that is in review or has a question',
    arguments: TASK,
    options: [YES],
    examples: ['cadre abandon search#2', 'cadre abandon search 2 --yes'],
    load: () => import('../commands/tasks/abandon.ts'),
  },
  {
    name: 'revert',
    summary: 'Return a task to planned; what was built stays on its branch',
    arguments: TASK,
    options: [YES],
    examples: ['cadre revert search#2', 'cadre revert search 2 --yes'],
    load: () => import('../commands/tasks/revert.ts'),
  },
  {
    name: 'mark-done',
    summary: 'Mark a task done without merging anything',
    arguments: TASK,
    options: [YES],
    examples: ['cadre mark-done search#2', 'cadre mark-done search 2 --yes'],
    load: () => import('../commands/tasks/mark-done.ts'),
  },
  {
    name: 'merge-anyway',
    summary: 'Merge an approved task although it is no longer in the plan file',
    arguments: TASK,
    options: [YES],
    examples: ['cadre merge-anyway search#2', 'cadre merge-anyway search 2 --yes'],
    load: () => import('../commands/tasks/merge-anyway.ts'),
  },
];
