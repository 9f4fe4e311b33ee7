// Questions of a run: asking one, and where each answerQuestion leads. A question leads back to where it was asked from, and nowhere else.
import type { RunEvent } from '../../../machines/run.ts';
import { type Decision, refused } from '../../model/decision.ts';
import type { Origin, Question, WorktreeFacts } from '../../model/run.ts';
import { nameOf, type RunContext, recordStep } from './step.ts';
import { whoSays } from './verdict.ts';
import { escalate } from './verify.ts';

const ORIGINS: readonly string[] = ['PLANNING', 'CODING', 'FIXING'] satisfies Origin[];

export function ask(context: RunContext, text: string): Decision {
  const { state } = context.run;
  if (!ORIGINS.includes(state))
    return refused('state', `${nameOf(context)} is ${state}, where questions are not possible.`);
  const question: Question = { origin: state as Origin, kind: 'ordinary', text };
  return recordStep(context, { moves: ['ask'], cause: text, change: { question } });
}

const WAY_BACK: { readonly [origin in Origin]: RunEvent } = {
  PLANNING: 'answer_design',
  CODING: 'resume_coding',
  FIXING: 'resume_fixing',
};

export function answerQuestion(context: RunContext, text: string, worktree: WorktreeFacts | undefined): Decision {
  const { question, state } = context.run;
  if (question === null || state !== 'QUESTION')
    return refused('state', `${nameOf(context)} is ${state}: it has not asked anything.`);
  const word = DECISIONS.find((one) => one === firstWord(text));
  if (word === 'ABANDON') return recordStep(context, { moves: ['abandon'], cause: text });
  if (question.kind === 'ordinary' && word === 'ESCALATE')
    return refused(
      'state',
      `${nameOf(context)} has asked a question, which ESCALATE does not answer: say what it should do.`,
    );
  if (question.kind === 'ordinary') return goBack(context, question, text, false);
  if (word === 'ESCALATE') return escalate(context, worktree, text);
  if (word === undefined)
    return refused(
      'no-body',
      `${nameOf(context)} has used up its turns: the answer has to start with ${DECISIONS.slice(0, -1).join(', ')} or ABANDON.`,
    );
  return goBack(context, question, text, true);
}

const DECISIONS = ['CONTINUE', 'PIVOT', 'ESCALATE', 'ABANDON'] as const;

/** Only the answerQuestion to a check-in gives turns again, and only those of where it came from. */
function goBack(context: RunContext, { origin }: Question, text: string, resets: boolean): Decision {
  const { counts } = context.run;
  const reset = origin === 'FIXING' ? { fixing: 0 } : { coding: 0 };
  return recordStep(context, {
    moves: [WAY_BACK[origin]],
    cause: text,
    change: { said: { by: whoSays(context), text }, ...(resets ? { counts: { ...counts, ...reset } } : {}) },
  });
}

function firstWord(text: string): string {
  return /^\s*([A-Z]+)\b/.exec(text)?.[1] ?? '';
}
