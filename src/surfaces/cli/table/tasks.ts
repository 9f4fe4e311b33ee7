// What a person does to tasks and their runs.
import { type ArgumentSpec, type CommandSpec, FEEDBACK } from './spec.ts';

const TASK: readonly ArgumentSpec[] = [
  {
    name: 'task',
    required: false,
    summary: `the task, as <plan>#<task>, or '#2' (in quotes) for task 2 of the active plan`,
  },
  { name: 'number', required: false, summary: 'the task, where the first word names the plan alone' },
];

const SUBJECT: readonly ArgumentSpec[] = [
  {
    name: 'subject',
    required: false,
    summary: `a task, as <plan>#<task>, or '#2' (in quotes); or a plan by its name (default: the active plan)`,
  },
  { name: 'number', required: false, summary: 'the task, where the first word names the plan alone' },
];

export const TASKS: readonly CommandSpec[] = [
  {
    name: 'launch',
    summary: 'launch one task; the others wait until they are launched too, or the plan is run',
    arguments: TASK,
    options: [],
    examples: ['cadre launch search#2', "cadre launch '#2'"],
    load: () => import('../commands/tasks/launch.ts'),
  },
  {
    name: 'retry',
    summary: 'launch a task again whose run has ended in an error, or give a halted run another agent',
    arguments: TASK,
    options: [],
    examples: ['cadre retry search#2'],
    load: () => import('../commands/tasks/retry.ts'),
  },
  {
    name: 'revert',
    summary: 'take a task back: it is planned again, and what was built is kept on its branch',
    arguments: TASK,
    options: [],
    examples: ['cadre revert search#2'],
    load: () => import('../commands/tasks/revert.ts'),
  },
  {
    name: 'mark-done',
    summary: 'say that a task is done; nothing is merged',
    arguments: TASK,
    options: [],
    examples: ['cadre mark-done search#2'],
    load: () => import('../commands/tasks/mark-done.ts'),
  },
  {
    name: 'next',
    summary: 'take the step that the agent of a run would take: what is committed is verified',
    arguments: TASK,
    options: [],
    examples: ['cadre next search#2'],
    load: () => import('../commands/tasks/next.ts'),
  },
  {
    name: 'back',
    summary: 'send a task back to the implementer from verification, review or the wait for its merge',
    arguments: TASK,
    options: FEEDBACK,
    examples: ['cadre back search#2', 'cadre back search#2 --feedback "the tests are missing"'],
    load: () => import('../commands/tasks/back.ts'),
  },
  {
    name: 'approve',
    summary: "approve a task's plan, its code, or a whole plan in review",
    arguments: SUBJECT,
    options: [{ flags: '--override', summary: 'although its commit has not passed the verification' }],
    examples: ['cadre approve search#2', 'cadre approve search#2 --override', 'cadre approve search'],
    load: () => import('../commands/tasks/approve.ts'),
  },
  {
    name: 'reject',
    summary: "send a task's plan, its code, or a whole plan in review back, with what has to change",
    arguments: SUBJECT,
    options: FEEDBACK,
    examples: [
      'cadre reject search#2 --feedback "the tests are missing"',
      'cadre reject search --feedback-file why.md',
    ],
    load: () => import('../commands/tasks/reject.ts'),
  },
  {
    name: 'abandon',
    summary: 'give up the run of a task that is in review or has asked',
    arguments: TASK,
    options: [],
    examples: ['cadre abandon search#2'],
    load: () => import('../commands/tasks/abandon.ts'),
  },
  {
    name: 'merge-anyway',
    summary: 'merge a task that was approved although it is gone from the file',
    arguments: TASK,
    options: [],
    examples: ['cadre merge-anyway search#2'],
    load: () => import('../commands/tasks/merge-anyway.ts'),
  },
  {
    name: 'questions',
    summary: 'show everything that was asked and not answered, of all plans',
    arguments: [],
    options: [],
    examples: ['cadre questions', 'cadre questions --json'],
    load: () => import('../commands/tasks/questions.ts'),
  },
  {
    name: 'answer',
    summary: 'answer what a task has asked',
    arguments: [
      { name: 'id', required: false, summary: 'the question, as "cadre questions" shows it: <plan>#<task>' },
      { name: 'text', required: false, summary: 'the answer, in one word or in quotes' },
    ],
    options: [{ flags: '--file <file>', summary: 'the answer from a file, or from standard input with "-"' }],
    examples: ['cadre answer search#2 "Use the old table."', 'cadre answer search#3 CONTINUE'],
    more: 'A task that has used up its turns is answered with CONTINUE (as many turns again), PIVOT (the same, another way:\nsay which), ESCALATE (what is committed is reviewed as it is) or ABANDON, and a reason if you like.',
    load: () => import('../commands/tasks/answer.ts'),
  },
  {
    name: 'diff',
    summary: 'show what a task has changed, or a whole plan',
    arguments: SUBJECT,
    options: [{ flags: '--stat', summary: 'only which files, and how much' }],
    examples: ['cadre diff search#2', 'cadre diff search --stat'],
    load: () => import('../commands/tasks/diff.ts'),
  },
  {
    name: 'freeze',
    summary: 'begin nothing new in this repository; what is under way goes on',
    arguments: [],
    options: [],
    examples: ['cadre freeze'],
    load: () => import('../commands/plans/freeze.ts'),
  },
  {
    name: 'thaw',
    summary: 'go on after a freeze',
    arguments: [],
    options: [],
    examples: ['cadre thaw'],
    load: () => import('../commands/plans/thaw.ts'),
  },
];
