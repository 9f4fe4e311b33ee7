// What reaches an implementer besides its brief: a reply to it, and what the last review of the whole plan asked for.
import type { Quote } from './assignment.ts';
import { fixedSection, type Part } from './prompt.ts';
import { instructionBlock, quoteBlock } from './quoting.ts';

export interface Heard {
  readonly reply: QuotedReply | null;
  readonly planReview: Quote | null;
}

export interface QuotedReply extends Quote {
  readonly kind: 'answer' | 'proposal' | 'pivot' | 'continue';
}

export const NOTHING_HEARD: Heard = { reply: null, planReview: null };

export function heardSections({ reply, planReview }: Heard): readonly Part[] {
  return [
    reply === null ? undefined : replySection(reply),
    planReview === null
      ? undefined
      : (room) =>
          fixedSection(
            'What the last review of the plan asked for',
            `Do the parts of it that belong to your task.\n\n${quoteBlock(planReview, Math.min(room, PLAN_REVIEW_ROOM))}`,
          ),
  ];
}

/** In characters. */
const REPLY_ROOM = 1_500;
const PLAN_REVIEW_ROOM = 1_000;

function replySection(reply: QuotedReply): Part {
  const { title, how } = REPLIES[reply.kind];
  return (room) => fixedSection(title, instructionBlock(how(upperFirst(reply.by)), reply, Math.min(room, REPLY_ROOM)));
}

const REPLIES: {
  readonly [kind in QuotedReply['kind']]: { readonly title: string; readonly how: (who: string) => string };
} = {
  answer: { title: 'Answer to your question', how: (who) => `${who} answered. Follow the answer.` },
  proposal: {
    title: 'Reply to your proposal',
    how: (who) => `${who} asks for another proposal, and says what has to change.`,
  },
  pivot: {
    title: 'Your task has changed',
    how: (who) => `${who} changed your task. Where this differs from the text of the task, follow this.`,
  },
  continue: {
    title: 'Decision at the check-in',
    how: (who) => `The limit of turns was reached. ${who} decided that you continue.`,
  },
};

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
