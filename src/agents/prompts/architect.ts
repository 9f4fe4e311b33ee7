// The prompts of the architect: to answer a question of the implementer, and to decide how a run that took long goes on.
import { aboutThePlace, aboutThePlan, aboutTheTask, neverTouch, together } from './parts.ts';
import { asData } from './said.ts';
import { type Speaker, signalling } from './signalling.ts';
import type { Said, Work } from './work.ts';

export const REVIEWS_TASK_PLAN: Speaker = { role: 'architect', signals: ['review-approved', 'review-changes'] };
export const ANSWERS: Speaker = { role: 'architect', signals: ['answer'] };

export function answer(work: Work, question: Said): string {
  return together([
    'You are the architect of a plan. The implementer of one of its tasks cannot go on without an answer.',
    aboutThePlan(work),
    aboutTheTask(work),
    aboutThePlace(work),
    `## The question\n\n${asData(question)}`,
    '## What to do\n\nRead what you need to. Decide, and answer so that the implementer can go on without asking again.',
    signalling(ANSWERS, work.plan, work.cadre),
    neverTouch(work, 'none'),
  ]);
}

/** `plan` is how the implementer means to do the task. */
export function reviewTaskPlan(work: Work, plan: Said): string {
  return together([
    'You are the architect of a plan. The implementer of one of its tasks says how it will be done, and waits for your word.',
    aboutThePlan(work),
    aboutTheTask(work),
    aboutThePlace(work),
    `## How it is to be done\n\n${asData(plan)}`,
    '## What to ask\n\n- Will the task be done by this, all of it, and nothing besides?\n- Does it fit the code that is there?\n- Will it be seen to work?\n\nAsk for changes only where it would go wrong, and say what would be right.',
    signalling(REVIEWS_TASK_PLAN, work.plan, work.cadre),
    neverTouch(work, 'none'),
  ]);
}

/** The words that the first line of an answer to a check-in begins with, and what each makes happen. */
const DECISIONS = [
  '- CONTINUE: the work goes on as it is',
  '- PIVOT: the work goes on in another way; say in which',
  '- ESCALATE: what is there is reviewed, although it is not verified',
  '- ABANDON: the run ends, and a person decides about the task',
].join('\n');

export function checkIn(work: Work, report: Said): string {
  return together([
    'You are the architect of a plan. The work on one of its tasks has used up the turns that it was given, and you decide how it goes on.',
    aboutThePlan(work),
    aboutTheTask(work),
    aboutThePlace(work),
    `## How it went\n\n${asData(report)}`,
    `## What to decide\n\nLook at what is in the worktree. Your answer has one of these words on its first line, and your reason below:\n\n${DECISIONS}`,
    signalling(ANSWERS, work.plan, work.cadre),
    neverTouch(work, 'none'),
  ]);
}
