// What each answer to the question of a run does. An answer leads back to the state in which the question was asked.
import type { RunEvent } from '../../../machines/run.ts';
import { authorOf } from '../../../signals/author.ts';
import { type Decision, refused } from '../../model/decision.ts';
import { type Finding, isBlocking, mayBeParked, openFindings } from '../../model/review/finding.ts';
import type { Origin, Question, Reply, TaskDecision, WorktreeFacts } from '../../model/run.ts';
import { abandon } from './abandon.ts';
import { waitsNext } from './manual-step.ts';
import { nameOf, type RunContext, type RunStep, recordStep, sayingOf } from './step.ts';
import { escalate, finishedAt, issueVerify, notLooked, whyNotFinished } from './verify.ts';

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
  if (word === 'ABANDON') return abandon(context, afterWord(text));
  if (question.kind === 'unchanged') return answerUnchanged(context, question, text, worktree);
  if (question.kind === 'ordinary' && word === 'ESCALATE')
    return refused(
      'state',
      `${nameOf(context)} has asked a question, which ESCALATE does not answer: say what it should do.`,
    );
  if (question.kind === 'ordinary') return resume(context, question, text, 'answer');
  if (word === 'ESCALATE') return escalate(context, worktree, text);
  if (word === undefined)
    return refused(
      'no-body',
      `${nameOf(context)} has used up its turns: the answer has to start with ${DECISIONS.slice(0, -1).join(', ')} or ABANDON.`,
    );
  if (word === 'PIVOT' && afterWord(text) === '')
    return refused('no-body', `Say after PIVOT how ${nameOf(context)} continues.`);
  return resume(context, question, text, word === 'PIVOT' ? 'pivot' : 'continue');
}

/**
 * Whether the work stays as it is although something was to change. OVERRULE is a person's and PARK also the architect's; any
 * other answer insists, and goes to the implementer.
 */
function answerUnchanged(
  context: RunContext,
  question: Question,
  text: string,
  worktree: WorktreeFacts | undefined,
): Decision {
  const word = /^\s*(OVERRULE|PARK)\b/.exec(text)?.[1];
  if (word === undefined) return resume(context, question, text, 'answer');
  if (word === 'OVERRULE' && context.by.who !== 'user')
    return refused(
      'user-only',
      `Only a person overrules what was found in ${nameOf(context)}; PARK leaves it as it is.`,
    );
  const no = whyNotFinished(context, worktree);
  if (no !== undefined || worktree === undefined) return no ?? notLooked(context);
  const findings = openFindings(context.task)
    .filter((finding) => isBlocking(finding) && (context.by.who === 'user' || mayBeParked(finding)))
    .map((finding): Finding => {
      const because = afterWord(text);
      return {
        ...finding,
        state: word === 'PARK' ? 'parked' : 'overruled',
        decidedBy: authorOf(context.by),
        ...(because === '' ? {} : { because }),
      };
    });
  const waits = waitsNext(context).waitsNext;
  return recordStep(context, {
    moves: [WAY_BACK[question.origin], ...(waits ? [] : [FINISHES[question.origin]])],
    cause: text,
    change: waits ? { waitsNext: true, head: worktree.head } : finishedAt(context, worktree),
    findings,
    ...(waits || context.world.policy.verification !== 'engine' ? {} : issueVerify(context, worktree.head)),
  });
}

/** A plan of a task is never unchanged. */
const FINISHES: { readonly [origin in Origin]: RunEvent } = {
  PLANNING: 'submit_plan',
  CODING: 'code_complete',
  FIXING: 'fix_done',
};

/** Where an architect reviews the plan of a task, an answer can only abandon it. */
export function abandonPlan(context: RunContext, text: string): Decision {
  if (firstWord(text) === 'ABANDON') return abandon(context, afterWord(text));
  return refused(
    'no-body',
    `The plan of ${nameOf(context)} waits for a verdict: send "review-approved" or "review-changes", or an answer that starts with ABANDON.`,
  );
}

const DECISIONS = ['CONTINUE', 'PIVOT', 'ESCALATE', 'ABANDON'] as const;

/** Only the answer to a check-in grants new turns, and only those of the state that it came from. */
function resume(context: RunContext, question: Question, text: string, kind: ReplyKind): Decision {
  const { origin } = question;
  const { counts } = context.run;
  const reset = origin === 'FIXING' ? { fixing: 0 } : { coding: 0 };
  const said = sayingOf(context, kind === 'pivot' ? afterWord(text) : text);
  return recordStep(context, {
    moves: [WAY_BACK[origin]],
    cause: text,
    change: {
      said: { kind, ...said },
      ...(question.kind === 'check-in' ? { counts: { ...counts, ...reset } } : {}),
    },
    ...decisionIn(context, question, { kind, ...said }),
  });
}

type ReplyKind = NonNullable<Reply['kind']>;

/** That work continues as before decides nothing, and neither does an automatic answer. */
function decisionIn(
  { by }: RunContext,
  { text: question }: Question,
  { kind, ...said }: Omit<TaskDecision, 'kind'> & { readonly kind: ReplyKind },
): Pick<RunStep, 'decision'> {
  if (by.who === 'engine') return {};
  if (kind === 'pivot') return { decision: { kind, ...said } };
  return kind === 'answer' ? { decision: { kind, ...said, question } } : {};
}

function firstWord(text: string): string {
  return /^\s*([A-Z]+)\b/.exec(text)?.[1] ?? '';
}

/** What comes after the decision, without the punctuation between them. */
function afterWord(text: string): string {
  return text.replace(/^\s*[A-Z]+[\s:.,;-]*/, '').trimEnd();
}
