// What reaches an implementer besides its task: a reply to it, and what the last review of the whole plan asked for.
import type { Quote } from './assignment.ts';
import { instructionBlock, quoteBlock } from './quoting.ts';

export interface Heard {
  readonly reply: Reply | null;
  readonly planReview: Quote | null;
}

export interface Reply extends Quote {
  readonly kind: 'answer' | 'proposal' | 'pivot' | 'continue';
}

export const NOTHING_HEARD: Heard = { reply: null, planReview: null };

export function heardParts({ reply, planReview }: Heard): readonly string[] {
  return [reply === null ? '' : replyPart(reply), planReview === null ? '' : planReviewPart(planReview)];
}

/** In characters. */
const REPLY_ROOM = 1_500;
const PLAN_REVIEW_ROOM = 1_000;

function replyPart(reply: Reply): string {
  const { heading, how } = REPLIES[reply.kind];
  return `## ${heading}\n\n${instructionBlock(how(upperFirst(reply.by)), reply, REPLY_ROOM)}`;
}

const REPLIES: {
  readonly [kind in Reply['kind']]: { readonly heading: string; readonly how: (who: string) => string };
} = {
  answer: { heading: 'Answer to your question', how: (who) => `${who} answered. Follow the answer.` },
  proposal: {
    heading: 'Reply to your proposal',
    how: (who) => `${who} asks for another proposal, and says what has to change.`,
  },
  pivot: {
    heading: 'Your task has changed',
    how: (who) => `${who} changed your task. Where this differs from the text of the task, it counts.`,
  },
  continue: {
    heading: 'Decision at the check-in',
    how: (who) => `The limit of turns was reached. ${who} decided that you continue.`,
  },
};

function planReviewPart(review: Quote): string {
  return `## What the last review of the plan asked for\n\nDo what of it belongs to your task.\n\n${quoteBlock(review, PLAN_REVIEW_ROOM)}`;
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
